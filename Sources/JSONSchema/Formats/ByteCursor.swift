import Basics

/// A position in bytes that advances while a grammar is parsed.
struct ByteCursor {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// The next byte, or `nil` at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skip() {
        if position < bytes.count { position += 1 }
    }

    /// Consumes the next byte if it equals a character.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == byte.value else { return false }
        position += 1
        return true
    }

    /// Consumes the next byte if it is a letter, ignoring case.
    mutating func takeLetter(_ letter: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next | 0x20) == letter.value | 0x20, ASCII.isLetter(next) else { return false }
        position += 1
        return true
    }

    /// Consumes exactly `digits` digits and returns their value.
    mutating func number(digits: Int) -> Int? {
        guard position + digits <= bytes.count else { return nil }
        var value = 0
        for index in position..<(position + digits) {
            guard ASCII.isDigit(bytes[index]) else { return nil }
            value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        position += digits
        return value
    }

    /// Consumes all digits at the position and returns their number.
    mutating func skipDigits() -> Int {
        let start = position
        while let next, ASCII.isDigit(next) { position += 1 }
        return position - start
    }
}
