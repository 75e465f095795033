import Basics
import JSON
import RunModel

/// The first difference between two strings, and its kind if they differ only in letter case, white space or line ends.
struct TextDifference {
    /// The number of Unicode scalars shown of a long string before the first difference.
    private static let before = 24
    /// The number of Unicode scalars shown of a long string from the first difference.
    private static let after = 40
    /// The maximum size of a string examined for the kind of difference, in bytes.
    private static let maximumExaminedLength = 1_000_000
    /// The maximum length at which a difference is visible at a glance, in Unicode scalars.
    private static let glance = 20

    private let expected: String
    private let actual: String
    /// The location of the first difference.
    let location: TextLocation

    /// Creates the difference of two unequal strings.
    init(expected: String, actual: String) {
        self.expected = expected
        self.actual = actual
        var location = TextLocation()
        var left = expected.unicodeScalars.makeIterator()
        var right = actual.unicodeScalars.makeIterator()
        while let scalar = left.next(), scalar == right.next() { location.advance(past: scalar) }
        self.location = location
    }

    /// Returns the message of a failed equality check.
    ///
    /// It shows both strings entirely if they are short, otherwise the parts around the first difference, and the kind
    /// of the difference.
    static func message(expected: String, actual: String) -> MessageText {
        let difference = TextDifference(expected: expected, actual: actual)
        var message: MessageText
        if ValueDescription.isCut(expected) || ValueDescription.isCut(actual) {
            let offset = difference.location.offset
            message =
                "expected \(window(expected, around: offset)) (string), got \(window(actual, around: offset)) (string)"
        } else {
            message =
                "expected \(ValueDescription.typed(.string(expected))), got \(ValueDescription.typed(.string(actual)))"
        }
        if let note = difference.note(about: nil) { message += "; \(note)" }
        return message
    }

    /// Returns a sentence about the difference, such as `they differ only in …`; nil if the strings show it clearly.
    ///
    /// - Parameter subject: The subject of the sentence, such as `its beginning`; nil for both strings.
    func note(about subject: MessageText?) -> MessageText? {
        if expected == actual {
            // Canonically equivalent strings look the same but are not equal.
            let points = codePoints(from: location.offset, 0)
            return (subject.map { "\($0) looks" } ?? "they look") + " alike, but "
                + (subject == nil ? "their" : "its") + " code points differ: \(points)"
        }
        let only = only
        let showsLocation = showsLocation(only: only)
        let first: MessageText = only == nil && showsLocation ? "first " : ""
        var words: MessageText = subject.map { "\($0) \(first)differs" } ?? "they \(first)differ"
        if let only { words += " only \(only)" }
        if showsLocation { words += (only == nil ? "" : ", first") + " at \(location)" }
        let points = unclearPoints
        if let points { words += ": \(points)" }
        return only == nil && !showsLocation && points == nil ? nil : words
    }

    private func showsLocation(only: String?) -> Bool {
        if let only, only.hasSuffix("the end") || only.hasSuffix("the beginning") || only.hasSuffix("endings") {
            return false
        }
        if location.line > 1 || ValueDescription.isCut(expected) || ValueDescription.isCut(actual) { return true }
        return location.offset >= 8
            && min(expected.unicodeScalars.count, actual.unicodeScalars.count) > TextDifference.glance
    }

    // MARK: Kind of difference

    /// The only respect in which the strings differ, such as `in whitespace at the end`; nil for any other
    /// difference.
    var only: String? {
        guard max(expected.utf8.count, actual.utf8.count) <= TextDifference.maximumExaminedLength else { return nil }
        if expected.lowercased().utf8.elementsEqual(actual.lowercased().utf8) { return "in case" }
        if TextDifference.withSimpleLineEnds(expected).utf8.elementsEqual(
            TextDifference.withSimpleLineEnds(actual).utf8)
        {
            return "in their line endings"
        }
        guard
            TextDifference.withSimpleSpace(expected).utf8.elementsEqual(TextDifference.withSimpleSpace(actual).utf8)
        else { return nil }
        let inner = TextDifference.trimmed(expected)
        guard inner.utf8.elementsEqual(TextDifference.trimmed(actual).utf8), !inner.isEmpty else {
            return "in whitespace"
        }
        let startsAlike = TextDifference.blanks(before: expected) == TextDifference.blanks(before: actual)
        let endsAlike = TextDifference.blanks(behind: expected) == TextDifference.blanks(behind: actual)
        return "in whitespace at " + (startsAlike ? "the end" : endsAlike ? "the beginning" : "both ends")
    }

    /// Returns whether a scalar is white space or invisible.
    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20: true
        case ..<0x80: false
        case 0xAD, 0x200B...0x200F, 0x2060, 0xFEFF: true
        default: scalar.properties.isWhitespace
        }
    }

    /// Returns the string without blanks at its ends.
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

    /// Returns the string with each run of blanks replaced by one space, and without blanks at its ends.
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

    // MARK: Rendering

    /// Returns the part of a string around an offset, in quotation marks, with ellipses where it is cut off.
    private static func window(_ text: String, around offset: Int) -> String {
        let scalars = text.unicodeScalars
        let skipped = max(0, offset - before)
        let start =
            scalars.index(scalars.startIndex, offsetBy: skipped, limitedBy: scalars.endIndex) ?? scalars.endIndex
        let end = scalars.index(start, offsetBy: before + after, limitedBy: scalars.endIndex) ?? scalars.endIndex
        let shown = BriefWriter.escaped(scalars[start..<end])
        return "\"\(skipped > 0 ? "…" : "")\(shown)\(end < scalars.endIndex ? "…" : "")\""
    }

    /// The code points of a difference of one or two scalars that may be invisible: `expected U+00A0, got U+0020`.
    private var unclearPoints: String? {
        let left = expected.unicodeScalars.dropFirst(location.offset)
        let right = actual.unicodeScalars.dropFirst(location.offset)
        let common = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        let first = left.dropLast(common)
        let second = right.dropLast(common)
        guard !first.isEmpty, !second.isEmpty, first.count <= 2, second.count <= 2,
            first.contains(where: { $0.value > 0x7E }) || second.contains(where: { $0.value > 0x7E })
        else { return nil }
        return codePoints(from: location.offset, common)
    }

    private func codePoints(from offset: Int, _ dropped: Int) -> String {
        func describe(_ text: some Sequence<Unicode.Scalar>) -> String {
            text.prefix(2).map { "U+" + TextDifference.hexadecimal($0.value) }.joined(separator: " ")
        }
        return "expected " + describe(expected.unicodeScalars.dropFirst(offset).dropLast(dropped)) + ", got "
            + describe(actual.unicodeScalars.dropFirst(offset).dropLast(dropped))
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// A location in a text, for messages: `character 5`, or `line 2, column 3` after the first line. Both are 1-based.
struct TextLocation: CustomStringConvertible {
    /// The number of Unicode scalars before the location.
    private(set) var offset = 0
    /// The line, starting at 1.
    private(set) var line = 1
    /// The column in Unicode scalars, starting at 1.
    private(set) var column = 1

    /// Creates the location of the start of a text.
    init() {}

    /// Creates the location after the given number of UTF-8 bytes.
    init(utf8Offset: Int, in text: String) {
        let end = text.utf8.index(text.utf8.startIndex, offsetBy: utf8Offset, limitedBy: text.utf8.endIndex)
        for scalar in text.unicodeScalars[..<(end ?? text.endIndex)] { advance(past: scalar) }
    }

    /// Advances the location past a scalar.
    mutating func advance(past scalar: Unicode.Scalar) {
        offset += 1
        column += 1
        if scalar == "\n" {
            line += 1
            column = 1
        }
    }

    var description: String { line > 1 ? "line \(line), column \(column)" : "character \(offset + 1)" }

    /// Returns the text after the given number of UTF-8 bytes.
    static func text(of text: String, from utf8Offset: Int) -> String {
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: utf8Offset, limitedBy: text.utf8.endIndex)
        return String(text[(start ?? text.endIndex)...])
    }
}
