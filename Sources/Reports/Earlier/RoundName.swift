/// The ending ` (2 of 3)` by which the rounds of a repeated test are told apart.
enum RoundName {
    /// The name without such an ending; nil when it has none.
    static func removed(from name: Substring) -> Substring? {
        guard name.hasSuffix(")"), let start = name.range(ofLast: " (") else { return nil }
        let words = name[start.upperBound...].dropLast().split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1] == "of", isNumber(words[0]), isNumber(words[2]) else { return nil }
        return name[..<start.lowerBound]
    }

    /// The ending of the whole name, or of what stands before the name of a step; nil when there is none.
    static func suffix(in name: String) -> String? {
        for end in StepSeparator.prefixes(of: name) {
            if let test = removed(from: end) { return String(end[test.endIndex...]) }
        }
        return nil
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension Substring {
    /// The last occurrence of a text.
    fileprivate func range(ofLast text: String) -> Range<Index>? {
        var end = endIndex
        while end > startIndex {
            let start = index(before: end)
            if self[start...].hasPrefix(text), let upper = index(start, offsetBy: text.count, limitedBy: endIndex) {
                return start..<upper
            }
            end = start
        }
        return nil
    }
}
