/// Reads a short text byte by byte, in place.
struct ByteScanner {
    private let bytes: String.UTF8View
    private var position: String.UTF8View.Index

    init(_ text: String) {
        bytes = text.utf8
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    /// The next byte, which is not taken.
    var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    /// Takes the byte when it is next.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == scalar.value else { return false }
        position = bytes.index(after: position)
        return true
    }

    /// Takes a decimal digit when one is next.
    mutating func digit() -> UInt8? {
        guard let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) else { return nil }
        position = bytes.index(after: position)
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
