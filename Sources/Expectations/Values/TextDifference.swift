import JSON

/// What an equality of two texts says when it does not hold.
enum TextDifference {
    /// How much of a long text is shown before the first difference, in Unicode scalars.
    private static let before = 24
    /// How much of a long text is shown from the first difference on.
    private static let after = 40

    /// The message: both texts when they are short, otherwise both around the place of the first difference.
    static func message(expected: String, actual: String) -> String {
        let limit = ValueDescription.limit
        let isShort =
            !exceeds(expected, limit) && !exceeds(actual, limit)
        if isShort {
            let message =
                "expected \(ValueDescription.typed(.string(expected))), got \(ValueDescription.typed(.string(actual)))"
            // Canonically equivalent texts look the same and are not.
            guard expected == actual else { return message }
            return message + "; they look alike, but their code points differ: \(codePoints(expected, actual))"
        }
        var left = expected.unicodeScalars.makeIterator()
        var right = actual.unicodeScalars.makeIterator()
        var offset = 0
        var line = 1
        var column = 1
        while let scalar = left.next(), scalar == right.next() {
            offset += 1
            column += 1
            if scalar == "\n" {
                line += 1
                column = 1
            }
        }
        let place = line > 1 ? "line \(line), column \(column)" : "character \(offset + 1)"
        return "expected \(window(expected, around: offset)) (string), got \(window(actual, around: offset)) (string); "
            + "they differ from \(place) on"
    }

    private static func exceeds(_ text: String, _ limit: Int) -> Bool {
        let scalars = text.unicodeScalars
        guard let index = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex) else {
            return false
        }
        return index < scalars.endIndex
    }

    /// The part of a text around an offset, in quotation marks, with ellipses where it was cut.
    private static func window(_ text: String, around offset: Int) -> String {
        let scalars = text.unicodeScalars
        let skipped = max(0, offset - before)
        let start =
            scalars.index(scalars.startIndex, offsetBy: skipped, limitedBy: scalars.endIndex) ?? scalars.endIndex
        let end = scalars.index(start, offsetBy: before + after, limitedBy: scalars.endIndex) ?? scalars.endIndex
        let shown = BriefWriter.escaped(scalars[start..<end])
        return "\"\(skipped > 0 ? "…" : "")\(shown)\(end < scalars.endIndex ? "…" : "")\""
    }

    private static func codePoints(_ expected: String, _ actual: String) -> String {
        func describe(_ text: some Sequence<Unicode.Scalar>) -> String {
            text.prefix(2).map { "U+" + hexadecimal($0.value) }.joined(separator: " ")
        }
        let common = zip(expected.unicodeScalars, actual.unicodeScalars).prefix { $0 == $1 }.count
        return describe(expected.unicodeScalars.dropFirst(common)) + " against "
            + describe(actual.unicodeScalars.dropFirst(common))
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
