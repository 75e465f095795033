/// Texts that read as what they are called.
enum SampleWords {
    private static let words = [
        "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbor", "island", "juniper", "kelp", "lagoon",
        "meadow", "nectar", "orchid", "pebble", "quartz", "river", "stone", "timber", "umber", "valley", "willow",
        "yarrow", "zephyr",
    ]

    /// What names end in, with texts for them.
    private static let typical: [(ending: String, texts: [String])] = [
        ("firstname", ["Ada", "Alan", "Grace"]), ("givenname", ["Ada", "Alan", "Grace"]),
        ("lastname", ["Lovelace", "Turing", "Hopper"]), ("familyname", ["Lovelace", "Turing", "Hopper"]),
        ("surname", ["Lovelace", "Turing", "Hopper"]), ("username", ["ada", "alan", "grace"]),
        ("author", ["Ada Lovelace", "Alan Turing", "Grace Hopper"]),
        ("email", ["ada@example.com", "alan@example.com", "grace@example.com"]),
        ("password", ["correct-Horse-7", "battery-Staple-8"]), ("phone", ["+441632960001", "+441632960002"]),
        ("city", ["London", "Lisbon", "Oslo"]), ("country", ["Portugal", "Norway", "Japan"]),
        ("countrycode", ["PT", "NO", "JP"]), ("street", ["12 Harbour Street", "3 Mill Lane"]),
        ("postcode", ["1000-001", "0150"]), ("zipcode", ["94105", "10001"]), ("currency", ["EUR", "USD", "JPY"]),
        ("language", ["en", "pt", "ja"]), ("locale", ["en-GB", "pt-PT", "ja-JP"]),
        ("url", ["https://example.com/a", "https://example.com/b"]), ("isbn", ["9780441172719", "9780141439518"]),
        ("description", ["A short text", "Another text"]), ("comment", ["A short text", "Another text"]),
        ("message", ["A short text", "Another text"]), ("title", ["The first", "The second", "The third"]),
    ]

    /// A text of some lengths; another one for each variation.
    static func text(
        for name: String, _ variation: Int, _ lengths: ClosedRange<Int>, using random: inout SampleRandom
    ) -> String {
        let plain = name.lowercased().filter { $0.isLetter }
        var best: (ending: String, texts: [String])?
        for entry in typical where plain.hasSuffix(entry.ending) && entry.ending.count > best?.ending.count ?? 0 {
            best = entry
        }
        if let best {
            let text = best.texts[variation % best.texts.count]
            if lengths.contains(text.unicodeScalars.count), variation < best.texts.count { return text }
        }
        let word = words[Int(random.next() % UInt64(words.count))]
        return fitted(variation >= words.count ? "\(word)\(variation)" : word, lengths)
    }

    /// A text cut or extended to some lengths.
    static func fitted(_ text: String, _ lengths: ClosedRange<Int>) -> String {
        if text.unicodeScalars.count > lengths.upperBound {
            return String(String.UnicodeScalarView(text.unicodeScalars.suffix(lengths.upperBound)))
        }
        var result = text
        var index = 0
        while result.unicodeScalars.count < lengths.lowerBound {
            let room = lengths.lowerBound - result.unicodeScalars.count
            let next = words[index % words.count]
            index += 1
            result += room > next.count ? " " + next : String(repeating: "x", count: room)
        }
        return result
    }
}
