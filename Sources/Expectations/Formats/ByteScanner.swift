/// Reads a short text byte by byte.
struct ByteScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// The next byte, which is not taken.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Takes the byte when it is next.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == scalar.value else { return false }
        position += 1
        return true
    }

    /// Takes a decimal digit when one is next.
    mutating func digit() -> UInt8? {
        guard let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) else { return nil }
        position += 1
        return next - UInt8(ascii: "0")
    }

    /// Takes a number of exactly so many digits.
    mutating func number(digits: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }
}
