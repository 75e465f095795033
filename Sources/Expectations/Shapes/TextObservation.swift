import Basics

/// What was seen of the strings at a place.
struct TextObservation: Sendable {
    private var count = 0
    private var format: ShapeFormat?
    /// Whether a string was seen that has another format than the others, or none.
    private var isFree = false
    /// The values, as long as they may be those of an enumeration.
    private var values: Set<String>? = []

    mutating func add(_ text: String) {
        count += 1
        if !isFree {
            let own = ShapeFormat(of: text)
            if own == nil || (format != nil && format != own) { isFree = true }
            format = own
        }
        guard let values, !values.contains(text) else { return }
        if values.count < ShapeLimits.inferredValues, Self.isWord(text) {
            self.values?.insert(text)
        } else {
            self.values = nil
        }
    }

    mutating func add(_ other: TextObservation) {
        count += other.count
        isFree = isFree || other.isFree || format != other.format
        guard let union = values.flatMap({ own in other.values.map(own.union) }) else {
            values = nil
            return
        }
        values = union.count <= ShapeLimits.inferredValues ? union : nil
    }

    /// What the strings have in common.
    var text: Shape.Text {
        if !isFree, let format { return .format(format) }
        guard let values, values.count > 1, count >= ShapeLimits.enumerationSamples,
            count >= values.count * ShapeLimits.samplesPerValue, Self.areAlike(values)
        else { return .free }
        return .values(values)
    }

    /// Whether a text is a word such as `in-progress`, `EUR` or `lowerCamel`, and not a name, an id or a sentence.
    private static func isWord(_ text: String) -> Bool {
        guard (1...40).contains(text.utf8.count), let first = text.utf8.first, ASCII.isLetter(first) else {
            return false
        }
        var digits = 0
        for byte in text.utf8 {
            if ASCII.isDigit(byte) {
                digits += 1
            } else if !ASCII.isLetter(byte), ![UInt8(ascii: "_"), UInt8(ascii: "-")].contains(byte) {
                return false
            }
        }
        return digits <= 2
    }

    /// Whether all words begin with a small letter, or all are without one.
    private static func areAlike(_ words: Set<String>) -> Bool {
        let isSmall = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        return words.allSatisfy { $0.utf8.first.map(isSmall) == true }
            || words.allSatisfy { !$0.utf8.contains(where: isSmall) }
    }
}
