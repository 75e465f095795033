import JSON

/// Samples of the formats in JSON Schema and in the OpenAPI registry.
enum FormatSamples {
    /// Returns a string in a format, or `nil` if the format is unknown or fits none of the lengths.
    static func text(
        _ format: String, name: String, _ variation: Int, _ lengths: ClosedRange<Int>,
        using random: inout SampleRandom
    ) -> String? {
        let number = Int(random.next() % 20) + 1 + max(0, variation)
        let day = number % 28 + 1
        let candidates: [String]
        switch format {
        case "date": candidates = ["20\(two(number / 28 % 60 + 26))-\(two(number / 28 % 12 + 1))-\(two(day))"]
        case "date-time":
            let date = "20\(two(number / 28 % 60 + 26))-\(two(number / 28 % 12 + 1))-\(two(day))"
            candidates = ["\(date)T12:\(two(number % 60)):00Z"]
        case "time": candidates = ["12:\(two(number % 60)):00Z"]
        case "time-local": candidates = ["12:\(two(number % 60)):00"]
        case "date-time-local": candidates = ["2026-01-\(two(day))T12:\(two(number % 60)):00"]
        case "duration": candidates = ["P\(number)D", "P1D"]
        case "uuid": candidates = [uuid(using: &random)]
        case "email", "idn-email":
            let texts = ["ada@example.com", "alan@example.com", "grace@example.com"]
            candidates =
                [variation < texts.count ? texts[variation] : "user\(variation)@example.com", "a@b.co"]
                + longer(lengths, prefix: "", suffix: "@example.com")
        case "hostname", "idn-hostname":
            candidates = [variation == 0 ? "www.example.com" : "host\(variation).example.com", "a.co"]
        case "ipv4": candidates = ["192.0.2.\(number % 250 + 1)"]
        case "ipv6": candidates = ["2001:db8::\(String(number, radix: 16))"]
        case "uri", "iri", "url":
            candidates =
                ["https://example.com/\(slug(name))\(variation == 0 ? "" : "/\(variation)")", "http://a.co"]
                + longer(lengths, prefix: "https://example.com/", suffix: "")
        case "uri-reference", "iri-reference":
            candidates =
                ["/\(slug(name))\(variation == 0 ? "" : "/\(variation)")", "/\(number)"]
                + longer(lengths, prefix: "/", suffix: "")
        case "uri-template": candidates = ["/items/{id}", "/{a}"]
        case "json-pointer": candidates = ["/items/\(number)", "/a"]
        case "relative-json-pointer": candidates = ["\(number)/items", "0"]
        case "regex": candidates = ["^[a-z]+$", "a"]
        case "byte", "base64", "base64url": candidates = base64(number, lengths)
        case "binary", "octet-stream": candidates = [SampleWords.text(for: name, variation, lengths, using: &random)]
        case "password": candidates = ["correct-Horse-\(number)", SampleWords.fitted("Secret-\(number)", lengths)]
        case "int32", "int64", "int16", "int8", "uint8", "uint16", "uint32", "uint64", "decimal", "double", "float":
            candidates = ["\(number)"]
        case "char": candidates = [String(UnicodeScalar(UInt8(97 + number % 26)))]
        case "media-range": candidates = ["text/plain"]
        case "commonmark", "html": candidates = [SampleWords.text(for: name, variation, lengths, using: &random)]
        default: return nil
        }
        return candidates.first { lengths.contains($0.unicodeScalars.count) }
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func slug(_ name: String) -> String {
        let letters = name.lowercased().filter { $0.isASCII && $0.isLetter }
        return letters.isEmpty ? "item" : letters
    }

    /// Returns a string that is extended to the minimum length.
    private static func longer(_ lengths: ClosedRange<Int>, prefix: String, suffix: String) -> [String] {
        let room = lengths.lowerBound - prefix.count - suffix.count
        // The local part has at most 64 characters (RFC 5321, section 4.5.3.1.1).
        return room > 0 && room <= 64 || (room > 0 && suffix.isEmpty)
            ? [prefix + String(repeating: "a", count: room) + suffix] : []
    }

    private static func uuid(using random: inout SampleRandom) -> String {
        let digits = Array("0123456789abcdef")
        var text = ""
        for position in 0..<36 {
            let digit = digits[Int(random.next() % 16)]
            switch position {
            case 8, 13, 18, 23: text.append("-")
            // The version and the variant (RFC 9562, sections 5.4 and 4.1).
            case 14: text.append("4")
            case 19: text.append(digits[8 + Int(random.next() % 4)])
            default: text.append(digit)
            }
        }
        return text
    }

    /// Returns Base64 of complete three-byte groups, which needs no padding.
    private static func base64(_ number: Int, _ lengths: ClosedRange<Int>) -> [String] {
        let groups = ["aGVs", "bG8g", "d29y", "bGQh"]
        let count = min(max(2, (lengths.lowerBound + 3) / 4), lengths.upperBound / 4)
        return [(0..<max(0, count)).map { groups[($0 + number) % groups.count] }.joined()]
    }
}

/// Sample strings that suit the name of their member.
enum SampleWords {
    private static let words = [
        "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbor", "island", "juniper", "kelp", "lagoon",
        "meadow", "nectar", "orchid", "pebble", "quartz", "river", "stone", "timber", "umber", "valley", "willow",
        "yarrow", "zephyr",
    ]

    /// The endings of names, with typical values.
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

    /// Returns a string with an allowed length, different for each variation.
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

    /// Returns a string that is cut or extended to an allowed length.
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

/// The identifiers of members, parameters, and operations in programs.
package enum Identifier {
    /// Returns the words of an identifier: `listBooks`, `list_books`, and `list-books` become `list`, `books`.
    package static func words(_ identifier: String) -> [String] {
        var words: [String] = []
        var word = ""
        var previousIsLower = false
        var characters = identifier[...]
        while let character = characters.popFirst() {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { words.append(word) }
                word = ""
                previousIsLower = false
                continue
            }
            // The last of several uppercase letters starts a word if a lowercase letter follows: `HTTPThing`.
            let beginsWord = !word.isEmpty && (characters.first?.isLowercase ?? false)
            if character.isUppercase, previousIsLower || beginsWord {
                words.append(word)
                word = ""
            }
            word.append(character)
            previousIsLower = character.isLowercase || character.isNumber
        }
        if !word.isEmpty { words.append(word) }
        return words
    }
}
