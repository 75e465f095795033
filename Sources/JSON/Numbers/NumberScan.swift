/// A single-pass scan of a number literal (RFC 8259, section 6): its end, any error, and the value of a short literal.
struct NumberScan {
    /// The grammar element that is missing where the literal breaks off, as in "expected …".
    enum Problem: Sendable {
        case digitAfterMinus, leadingZero, digitAfterPoint, digitInExponent
    }

    /// The form of a literal.
    enum Form: Sendable {
        /// A signed 64-bit integer in its usual notation (so not `-0` or `1.0`).
        case integer
        /// Such an integer with a decimal point among or before its digits: `value` × 10^-`scale`.
        case decimal
        /// Any other literal; `value` and `scale` are meaningless.
        case text
    }

    /// The end of the literal, or the position of the error.
    private(set) var end: Int
    private(set) var problem: Problem?
    private(set) var form = Form.text
    private(set) var value: Int64 = 0
    /// The number of digits after the decimal point.
    private(set) var scale: UInt8 = 0

    /// Creates a scan of the literal that starts at `start`.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        let count = bytes.count
        var position = start
        let isNegative = position < count && bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let firstDigit = position
        var magnitude: UInt64 = 0
        while position < count {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            // This wraps around only beyond 19 digits, in which case the value is not used.
            magnitude = magnitude &* 10 &+ UInt64(digit)
            position += 1
        }
        let integerDigits = position - firstDigit
        end = position
        problem = nil
        if integerDigits == 0 {
            problem = .digitAfterMinus
            return
        }
        if integerDigits > 1, bytes[firstDigit] == UInt8(ascii: "0") {
            end = firstDigit + 1
            problem = .leadingZero
            return
        }
        guard position < count else {
            setInteger(magnitude, digits: integerDigits, isNegative: isNegative)
            return
        }
        var byte = bytes[position]
        if byte == UInt8(ascii: ".") {
            position += 1
            let firstFractionDigit = position
            NumberScan.readDigits(bytes, at: &position, into: &magnitude)
            end = position
            let fractionDigits = position - firstFractionDigit
            if fractionDigits == 0 {
                problem = .digitAfterPoint
                return
            }
            byte = position < count ? bytes[position] : 0
            if byte | 0x20 != UInt8(ascii: "e") {
                if integerDigits + fractionDigits <= 19 {
                    setDecimal(magnitude, scale: fractionDigits, isNegative: isNegative)
                } else {
                    setLongDecimal(bytes, from: firstDigit, scale: fractionDigits, isNegative: isNegative)
                }
                return
            }
        }
        if byte | 0x20 == UInt8(ascii: "e") {
            skipExponent(bytes)
        } else {
            setInteger(magnitude, digits: integerDigits, isNegative: isNegative)
        }
    }

    /// Reads digits, eight at a time if possible, and appends them to `magnitude`.
    @inline(__always)
    private static func readDigits(
        _ bytes: UnsafeBufferPointer<UInt8>, at position: inout Int, into magnitude: inout UInt64
    ) {
        let count = bytes.count
        let raw = UnsafeRawBufferPointer(bytes)
        while position + 8 <= count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            // The high half of each byte must be 3, even after adding 6 to the low half.
            let highs: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
            guard word & highs | ((word &+ 0x0606_0606_0606_0606) & highs) >> 4 == 0x3333_3333_3333_3333 else { break }
            // Combine pairs of digits, then pairs of pairs, then groups of four, each with one multiplication.
            let digits = word &- 0x3030_3030_3030_3030
            let pairs = digits &* 10 &+ (digits >> 8)
            let mask: UInt64 = 0x0000_00FF_0000_00FF
            let low = (pairs & mask) &* 0x000F_4240_0000_0064
            let high = ((pairs >> 16) & mask) &* 0x0000_2710_0000_0001
            magnitude = magnitude &* 100_000_000 &+ ((low &+ high) >> 32)
            position += 8
        }
        while position < count {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            magnitude = magnitude &* 10 &+ UInt64(digit)
            position += 1
        }
    }

    @inline(__always)
    private mutating func setInteger(_ magnitude: UInt64, digits: Int, isNegative: Bool) {
        guard digits <= 19 else { return }
        if isNegative {
            // Negative zero is not the integer 0: its sign would be lost.
            guard magnitude != 0, magnitude <= 1 << 63 else { return }
            value = Int64(bitPattern: 0 &- magnitude)
        } else {
            guard magnitude < 1 << 63 else { return }
            value = Int64(bitPattern: magnitude)
        }
        form = .integer
    }

    @inline(__always)
    private mutating func setDecimal(_ magnitude: UInt64, scale: Int, isNegative: Bool) {
        guard magnitude < 1 << 63, !(isNegative && magnitude == 0) else { return }
        let value = Int64(bitPattern: magnitude)
        self.value = isNegative ? 0 &- value : value
        self.scale = UInt8(truncatingIfNeeded: scale)
        form = .decimal
    }

    /// Handles literals that are long only because of leading zeros, as in `0.000…`.
    private mutating func setLongDecimal(
        _ bytes: UnsafeBufferPointer<UInt8>, from firstDigit: Int, scale: Int, isNegative: Bool
    ) {
        guard scale <= ScaledInteger.maximumScale, bytes[firstDigit] == UInt8(ascii: "0") else { return }
        var first = firstDigit + 2
        while first < end, bytes[first] == UInt8(ascii: "0") { first += 1 }
        guard end - first <= 19 else { return }
        var magnitude: UInt64 = 0
        NumberScan.readDigits(bytes, at: &first, into: &magnitude)
        setDecimal(magnitude, scale: scale, isNegative: isNegative)
    }

    private mutating func skipExponent(_ bytes: UnsafeBufferPointer<UInt8>) {
        end += 1
        if end < bytes.count, bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") { end += 1 }
        let firstDigit = end
        while end < bytes.count, bytes[end] &- UInt8(ascii: "0") <= 9 { end += 1 }
        if end == firstDigit { problem = .digitInExponent }
    }
}
