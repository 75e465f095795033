import Basics

/// The type and subtype of a media type, as ranges of a header value (RFC 9110, section 8.3.1).
struct MediaEssence {
    /// The kind of a body, which determines its parsing.
    enum Kind {
        case json
        case plainText
        case other
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let type: Range<Int>
    private let subtype: Range<Int>

    /// Finds the type and subtype in a header value. Returns `nil` for an unusual notation.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var end = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
        while end > 0, ASCII.isBlank(bytes[end - 1]) { end -= 1 }
        var slash = -1
        for index in 0..<end {
            guard bytes[index] > 0x20, bytes[index] < 0x7F else { return nil }
            if slash < 0, bytes[index] == UInt8(ascii: "/") { slash = index }
        }
        guard slash > 0 else { return nil }
        self.bytes = bytes
        type = 0..<slash
        subtype = slash + 1..<end
    }

    /// The kind of the body, by the rules of ``MediaRange``.
    var kind: Kind {
        let isJSON = equals(subtype, "json") && (equals(type, "application") || equals(type, "text"))
        if isJSON || ends("+json") { return .json }
        return equals(type, "text") && equals(subtype, "plain") ? .plainText : .other
    }

    /// Returns the specificity of a match with an entry without parameters, as in ``MediaRange/specificity(for:)``.
    func rank(of entry: OperationPlan.Media, _ texts: UnsafeBufferPointer<UInt8>) -> Int? {
        let isAnyType = Self.isStar(entry.type, texts)
        guard isAnyType || equals(type, entry.type, texts) else { return nil }
        if equals(subtype, entry.subtype, texts) { return 30 }
        let start = entry.subtype.start
        if entry.subtype.count > 1, texts[start] == UInt8(ascii: "*"), texts[start + 1] == UInt8(ascii: "+") {
            let suffix = OperationPlan.Text(start: start + 1, count: entry.subtype.count - 1)
            guard suffix.count <= subtype.count else { return nil }
            return equals(subtype.upperBound - suffix.count..<subtype.upperBound, suffix, texts) ? 20 : nil
        }
        return Self.isStar(entry.subtype, texts) ? isAnyType ? 0 : 10 : nil
    }

    private static func isStar(_ text: OperationPlan.Text, _ texts: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count == 1 && texts[text.start] == UInt8(ascii: "*")
    }

    private func lower(_ index: Int) -> UInt8 { ASCII.lowercased(bytes[index]) }

    private func equals(_ range: Range<Int>, _ text: OperationPlan.Text, _ texts: UnsafeBufferPointer<UInt8>) -> Bool {
        guard range.count == text.count else { return false }
        for offset in 0..<text.count where lower(range.lowerBound + offset) != texts[text.start + offset] {
            return false
        }
        return true
    }

    private func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            guard range.count == text.count else { return false }
            for offset in 0..<text.count where lower(range.lowerBound + offset) != text[offset] { return false }
            return true
        }
    }

    private func ends(_ suffix: StaticString) -> Bool {
        let count = suffix.utf8CodeUnitCount
        return subtype.count >= count && equals(subtype.upperBound - count..<subtype.upperBound, suffix)
    }
}
