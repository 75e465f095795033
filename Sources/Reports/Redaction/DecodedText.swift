/// A text that another one stands for, and where each of its bytes comes from.
struct DecodedText {
    /// Bytes that stand for others.
    private struct Edit {
        /// Where they begin in the decoded text, and how many they are there.
        let start, count: Int
        /// The same in the source.
        let sourceStart, sourceCount: Int
    }

    /// The decoded text.
    private(set) var bytes: [UInt8] = []
    private var edits: [Edit] = []
    /// Whether what an escape stands for may be a part of an escape itself.
    private(set) var hasNewEscapes = false
    /// Whether it has the end of its source.
    private(set) var isWhole = true

    /// Whether it differs from its source.
    var isChanged: Bool { !edits.isEmpty }

    /// Appends bytes that stand for themselves.
    mutating func copy(_ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[range]))
    }

    /// Appends what some bytes of the source stand for.
    ///
    /// - Parameter append: Appends the bytes; none for those that stand for nothing.
    mutating func replace(_ source: Range<Int>, append: (inout [UInt8]) -> Void) {
        let start = bytes.count
        append(&bytes)
        edits.append(
            Edit(
                start: start, count: bytes.count - start, sourceStart: source.lowerBound, sourceCount: source.count))
    }

    /// The bytes of the source that a range, which is not empty, stands for.
    func source(of range: Range<Int>) -> Range<Int> {
        source(ofByte: range.lowerBound).lowerBound..<source(ofByte: range.upperBound - 1).upperBound
    }

    private func source(ofByte index: Int) -> Range<Int> {
        let next = firstEdit(after: index)
        guard next > 0 else { return index..<index + 1 }
        let edit = edits[next - 1]
        let beyond = index - edit.start - edit.count
        if beyond < 0 { return edit.sourceStart..<edit.sourceStart + edit.sourceCount }
        let position = edit.sourceStart + edit.sourceCount + beyond
        return position..<position + 1
    }

    /// Whether bytes of a range stand for others, or for themselves beside such.
    func isChanged(in range: Range<Int>) -> Bool {
        let next = firstEdit(after: range.upperBound)
        return next > 0 && edits[next - 1].start + edits[next - 1].count >= range.lowerBound
    }

    /// The index of the first edit that begins behind a byte.
    private func firstEdit(after index: Int) -> Int {
        var low = 0
        var high = edits.count
        while low < high {
            let middle = (low + high) >> 1
            if edits[middle].start <= index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A text without some of its escapes; nil when it has none of them.
    ///
    /// - Parameter reach: How many bytes on each side of an escape matter; what is farther away becomes a NUL.
    static func undoing(_ escapes: Escapes, in text: UnsafeBufferPointer<UInt8>, reach: Int = .max) -> DecodedText? {
        var result = DecodedText()
        var copied = 0
        var position = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "\""):
                guard let character = escapes.decoded(text, at: position) else { break }
                result.copy(text, copied..<position, reach: reach, isFirst: copied == 0)
                result.replace(position..<position + character.length, append: character.append)
                if Escapes.mayBegin(character.value) { result.hasNewEscapes = true }
                position += character.length
                copied = position
                continue
            default: break
            }
            position += 1
        }
        guard result.isChanged else { return nil }
        let end = reach < text.count - copied ? copied + reach : text.count
        result.copy(text, copied..<end)
        result.isWhole = end == text.count
        return result
    }

    /// Appends the bytes between two escapes, or those that are near one of them.
    private mutating func copy(
        _ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, reach: Int, isFirst: Bool
    ) {
        let before = isFirst ? 0 : reach
        guard before < range.count, reach < range.count - before else { return copy(source, range) }
        copy(source, range.lowerBound..<range.lowerBound + before)
        replace(range.lowerBound + before..<range.upperBound - reach) { $0.append(0) }
        copy(source, range.upperBound - reach..<range.upperBound)
    }

    /// The UTF-8 of a text in UTF-16, in either order of bytes, from its first or its second byte on.
    ///
    /// What is no UTF-16 becomes U+FFFD.
    ///
    /// - Parameter isMapped: Whether ``source(of:)`` will be asked, which takes a multiple of the text's memory.
    static func utf16(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, isBigEndian: Bool, isMapped: Bool
    ) -> DecodedText {
        func unit(_ position: Int) -> UInt32 {
            let (first, second) = (UInt32(text[position]), UInt32(text[position + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        var result = DecodedText()
        result.bytes.reserveCapacity(text.count / 2)
        var position = start
        while position + 1 < text.count {
            var value = unit(position)
            var length = 2
            if (0xD800..<0xDC00).contains(value), position + 3 < text.count,
                case let second = unit(position + 2), (0xDC00..<0xE000).contains(second)
            {
                value = 0x10000 + (value - 0xD800) << 10 + (second - 0xDC00)
                length = 4
            } else if (0xD800..<0xE000).contains(value) {
                value = 0xFFFD
            }
            let character = Escapes.Character(value: value, length: length)
            if isMapped {
                result.replace(position..<position + length, append: character.append)
            } else {
                character.append(to: &result.bytes)
            }
            position += length
        }
        return result
    }
}
