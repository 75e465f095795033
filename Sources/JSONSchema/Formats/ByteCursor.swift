import Basics

/// A place in bytes that moves forward as a grammar is followed.
struct ByteCursor {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// The next byte, or nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skip() {
        if position < bytes.count { position += 1 }
    }

    /// Takes a byte when it is the next one.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == byte.value else { return false }
        position += 1
        return true
    }

    /// Takes a letter in either case when it is the next one.
    mutating func takeLetter(_ letter: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next | 0x20) == letter.value | 0x20, ASCII.isLetter(next) else { return false }
        position += 1
        return true
    }

    /// Takes exactly so many digits and returns their value.
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

    /// Takes all digits that follow; returns how many.
    mutating func skipDigits() -> Int {
        let start = position
        while let next, ASCII.isDigit(next) { position += 1 }
        return position - start
    }
}
