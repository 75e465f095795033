/// The words of a name in camel case, in lower case.
enum WordSplitting {
    /// The words of a name, joined.
    ///
    /// A word starts at an upper-case letter that follows or precedes a lower-case one, so that of a row of capitals the
    /// last belongs to the next word: `myURLPath` has `my`, `url` and `path`. The first character starts no new word.
    static func joined(_ name: String, by separator: String) -> String {
        let scalars = Array(name.unicodeScalars)
        guard !scalars.isEmpty else { return name }
        var starts = [0]
        var index = 1
        while let capital = scalars[index...].firstIndex(where: isUpper) {
            starts.append(capital)
            guard let lower = scalars[capital...].firstIndex(where: isLower) else { break }
            // Of several capitals, the last one belongs to the lower-case letters after it.
            if lower > capital + 1 { starts.append(lower - 1) }
            index = lower + 1
            if index >= scalars.count { break }
        }
        var words: [String] = []
        for (position, start) in starts.enumerated() {
            let end = position + 1 < starts.count ? starts[position + 1] : scalars.count
            var word = String.UnicodeScalarView()
            word.append(contentsOf: scalars[start..<end])
            words.append(String(word).lowercased())
        }
        return words.joined(separator: separator)
    }

    private static func isUpper(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .titlecaseLetter: true
        default: false
        }
    }

    private static func isLower(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .lowercaseLetter
    }
}
