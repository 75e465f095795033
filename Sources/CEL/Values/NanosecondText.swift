/// The decimal fraction of a second.
enum NanosecondText {
    /// A point and the digits without trailing zeros, or nothing for zero.
    static func fraction(_ nanoseconds: Int32) -> String {
        guard nanoseconds > 0 else { return "" }
        let digits = String(nanoseconds)
        var text = String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
        while text.hasSuffix("0") { text.removeLast() }
        return "." + text
    }

    /// Reads up to nine digits, and skips more; nil when there is none.
    static func read(_ bytes: inout ArraySlice<UInt8>) -> Int32? {
        var value: Int32 = 0
        var count = 0
        while let byte = bytes.first, (0x30...0x39).contains(byte) {
            if count < 9 { value = value * 10 + Int32(byte - 0x30) }
            count += 1
            bytes = bytes.dropFirst()
        }
        guard count > 0 else { return nil }
        for _ in 0..<max(0, 9 - count) { value *= 10 }
        return value
    }
}
