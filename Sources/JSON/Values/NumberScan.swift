/// One pass over a number literal of RFC 8259 §6: where it ends, what is wrong with it, and its value if it is small.
struct NumberScan {
    /// What the grammar asked for where the literal breaks off, as in "expected …".
    enum Problem: Sendable {
        case digitAfterMinus, leadingZero, digitAfterPoint, digitInExponent
    }

    /// Just past the literal, or the place of the problem.
    private(set) var end: Int
    private(set) var problem: Problem?
    /// The value, when the literal is the usual notation of a signed 64-bit integer (so not for `-0` or `1.0`).
    private(set) var integer: Int64?

    /// Scans the literal that starts at `start`.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        let count = bytes.count
        var position = start
        var isNegative = false
        if position < count, bytes[position] == UInt8(ascii: "-") {
            isNegative = true
            position += 1
        }
        let firstDigit = position
        var value: UInt64 = 0
        while position < count {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            // Wraps around only beyond 19 digits, where the value is not used.
            value = value &* 10 &+ UInt64(digit)
            position += 1
        }
        let digits = position - firstDigit
        end = position
        problem = nil
        integer = nil
        if digits == 0 {
            problem = .digitAfterMinus
            return
        }
        if digits > 1, bytes[firstDigit] == UInt8(ascii: "0") {
            end = firstDigit + 1
            problem = .leadingZero
            return
        }
        if position < count {
            let byte = bytes[position]
            if byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") {
                scanFractionAndExponent(bytes, from: position)
                return
            }
        }
        guard digits <= 19 else { return }
        if isNegative {
            if value == 1 << 63 {
                integer = .min
            } else if value != 0, let magnitude = Int64(exactly: value) {
                integer = -magnitude
            }
        } else {
            integer = Int64(exactly: value)
        }
    }

    private mutating func scanFractionAndExponent(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
        let count = bytes.count
        end = start
        if bytes[end] == UInt8(ascii: ".") {
            end += 1
            if skipDigits(bytes) == 0 {
                problem = .digitAfterPoint
                return
            }
        }
        guard end < count, bytes[end] | 0x20 == UInt8(ascii: "e") else { return }
        end += 1
        if end < count, bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") { end += 1 }
        if skipDigits(bytes) == 0 { problem = .digitInExponent }
    }

    @inline(__always)
    private mutating func skipDigits(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let start = end
        while end < bytes.count, bytes[end] &- UInt8(ascii: "0") <= 9 { end += 1 }
        return end - start
    }
}
