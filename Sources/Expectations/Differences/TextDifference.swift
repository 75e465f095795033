import JSON

/// Where two texts differ, and in what alone if that is little: case, white space, line ends.
struct TextDifference {
    /// How much of a long text is shown before the first difference, in Unicode scalars.
    private static let before = 24
    /// How much of a long text is shown from the first difference on.
    private static let after = 40
    /// Texts with more bytes than this are not examined for what alone differs.
    private static let longestExamined = 1_000_000
    /// Up to so many Unicode scalars a difference is to be seen at a glance.
    private static let glance = 20

    private let expected: String
    private let actual: String
    /// Where the first difference is.
    let place: TextPlace

    /// Compares two texts that differ.
    init(expected: String, actual: String) {
        self.expected = expected
        self.actual = actual
        var place = TextPlace()
        var left = expected.unicodeScalars.makeIterator()
        var right = actual.unicodeScalars.makeIterator()
        while let scalar = left.next(), scalar == right.next() { place.advance(past: scalar) }
        self.place = place
    }

    /// What an equality says that does not hold: both texts when they are short, otherwise both around the place of the
    /// first difference, and what alone differs.
    static func message(expected: String, actual: String) -> String {
        let difference = TextDifference(expected: expected, actual: actual)
        var message: String
        if ValueDescription.isCut(expected) || ValueDescription.isCut(actual) {
            let offset = difference.place.offset
            message =
                "expected \(window(expected, around: offset)) (string), got \(window(actual, around: offset)) (string)"
        } else {
            message =
                "expected \(ValueDescription.typed(.string(expected))), got \(ValueDescription.typed(.string(actual)))"
        }
        if let note = difference.note(about: nil) { message += "; \(note)" }
        return message
    }

    /// A sentence about the difference: `they differ only in case`; nil when both texts show it well enough.
    ///
    /// - Parameter subject: What is spoken of, such as `its beginning`; nil for both texts.
    func note(about subject: String?) -> String? {
        let verb = subject.map { "\($0) differs" } ?? "they differ"
        if expected == actual {
            // Canonically equivalent texts look the same and are not.
            let points = codePoints(from: place.offset, 0)
            return (subject.map { "\($0) looks" } ?? "they look") + " alike, but "
                + (subject == nil ? "their" : "its") + " code points differ: \(points)"
        }
        var words = verb
        let only = only
        if let only { words += " only \(only)" }
        let showsPlace = showsPlace(only: only)
        if showsPlace { words += (only == nil ? "" : ",") + " from \(place) on" }
        let points = unclearPoints
        if let points { words += ": \(points)" }
        return only == nil && !showsPlace && points == nil ? nil : words
    }

    private func showsPlace(only: String?) -> Bool {
        if let only, only.hasSuffix("the end") || only.hasSuffix("the beginning") || only.hasSuffix("ends") {
            return false
        }
        if place.line > 1 || ValueDescription.isCut(expected) || ValueDescription.isCut(actual) { return true }
        return place.offset >= 8
            && min(expected.unicodeScalars.count, actual.unicodeScalars.count) > TextDifference.glance
    }

    // MARK: What alone differs

    /// In what alone the texts differ: `in case`, `in white space at the end`; nil for any other difference.
    var only: String? {
        guard max(expected.utf8.count, actual.utf8.count) <= TextDifference.longestExamined else { return nil }
        if expected.lowercased().utf8.elementsEqual(actual.lowercased().utf8) { return "in case" }
        if TextDifference.withSimpleLineEnds(expected).utf8.elementsEqual(
            TextDifference.withSimpleLineEnds(actual).utf8)
        {
            return "in their line ends"
        }
        guard
            TextDifference.withSimpleSpace(expected).utf8.elementsEqual(TextDifference.withSimpleSpace(actual).utf8)
        else { return nil }
        let inner = TextDifference.trimmed(expected)
        guard inner.utf8.elementsEqual(TextDifference.trimmed(actual).utf8), !inner.isEmpty else {
            return "in white space"
        }
        let startsAlike = TextDifference.blanks(before: expected) == TextDifference.blanks(before: actual)
        let endsAlike = TextDifference.blanks(behind: expected) == TextDifference.blanks(behind: actual)
        return "in white space at " + (startsAlike ? "the end" : endsAlike ? "the beginning" : "both ends")
    }

    /// Whether a scalar is white space, or not to be seen at all.
    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20: true
        case ..<0x80: false
        case 0xAD, 0x200B...0x200F, 0x2060, 0xFEFF: true
        default: scalar.properties.isWhitespace
        }
    }

    /// The text without blanks at its ends.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isBlank($0) }),
            let last = scalars.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    private static func blanks(before text: String) -> [Unicode.Scalar] {
        Array(text.unicodeScalars.prefix(while: isBlank))
    }

    private static func blanks(behind text: String) -> [Unicode.Scalar] {
        Array(text.unicodeScalars.reversed().prefix(while: isBlank))
    }

    /// The text with one space for each run of blanks, and none at its ends.
    static func withSimpleSpace(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isPending = false
        for scalar in text.unicodeScalars {
            if isBlank(scalar) {
                isPending = true
                continue
            }
            if isPending, !result.isEmpty { result.append(" ") }
            isPending = false
            result.append(scalar)
        }
        return String(result)
    }

    private static func withSimpleLineEnds(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var pending = false
        for scalar in text.unicodeScalars {
            if pending, scalar != "\n" { result.append("\r") }
            pending = scalar == "\r"
            if !pending { result.append(scalar) }
        }
        if pending { result.append("\r") }
        return String(result)
    }

    // MARK: Showing it

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

    /// The code points of a difference of one or two scalars that may not be to be seen: `U+00A0 against U+0020`.
    private var unclearPoints: String? {
        let left = expected.unicodeScalars.dropFirst(place.offset)
        let right = actual.unicodeScalars.dropFirst(place.offset)
        let common = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        let first = left.dropLast(common)
        let second = right.dropLast(common)
        guard !first.isEmpty, !second.isEmpty, first.count <= 2, second.count <= 2,
            first.contains(where: { $0.value > 0x7E }) || second.contains(where: { $0.value > 0x7E })
        else { return nil }
        return codePoints(from: place.offset, common)
    }

    private func codePoints(from offset: Int, _ dropped: Int) -> String {
        func describe(_ text: some Sequence<Unicode.Scalar>) -> String {
            text.prefix(2).map { "U+" + TextDifference.hexadecimal($0.value) }.joined(separator: " ")
        }
        return describe(expected.unicodeScalars.dropFirst(offset).dropLast(dropped)) + " against "
            + describe(actual.unicodeScalars.dropFirst(offset).dropLast(dropped))
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// A place in a text, for messages: `character 5`, or in a later line `line 2, column 3`; both count from 1.
struct TextPlace: CustomStringConvertible {
    /// How many Unicode scalars stand before the place.
    private(set) var offset = 0
    /// The line, from 1.
    private(set) var line = 1
    /// The column in Unicode scalars, from 1.
    private(set) var column = 1

    /// The beginning of a text.
    init() {}

    /// The place behind so many bytes of UTF-8.
    init(utf8Offset: Int, in text: String) {
        let end = text.utf8.index(text.utf8.startIndex, offsetBy: utf8Offset, limitedBy: text.utf8.endIndex)
        for scalar in text.unicodeScalars[..<(end ?? text.endIndex)] { advance(past: scalar) }
    }

    /// Goes to the place behind a scalar.
    mutating func advance(past scalar: Unicode.Scalar) {
        offset += 1
        column += 1
        if scalar == "\n" {
            line += 1
            column = 1
        }
    }

    var description: String { line > 1 ? "line \(line), column \(column)" : "character \(offset + 1)" }

    /// The text from behind so many bytes of UTF-8 on.
    static func text(of text: String, from utf8Offset: Int) -> String {
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: utf8Offset, limitedBy: text.utf8.endIndex)
        return String(text[(start ?? text.endIndex)...])
    }
}
