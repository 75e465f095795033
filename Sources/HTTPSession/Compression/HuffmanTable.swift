/// A table that maps the next bits of deflate data to a symbol and its code's length (RFC 1951 section 3.2.2).
struct HuffmanTable: Sendable {
    /// The length of the longest code, in bits.
    static let maximumLength = 15

    /// Symbol and length of the code that begins with the bits of the index; length 0 where there is none.
    private var entries: [UInt16]
    private let mask: UInt64

    /// Makes the table of canonical codes from each symbol's code length; nil if more codes are asked for than exist.
    init?(lengths: ArraySlice<UInt8>) {
        let width = Int(lengths.max() ?? 0)
        guard width <= Self.maximumLength else { return nil }
        mask = 1 << UInt64(width) - 1
        entries = Array(repeating: 0, count: 1 << width)
        var counts = [Int](repeating: 0, count: Self.maximumLength + 2)
        for length in lengths where length > 0 { counts[Int(length)] += 1 }
        var next = [Int](repeating: 0, count: Self.maximumLength + 2)
        var code = 0
        for length in 1...Self.maximumLength {
            code = (code + (length == 1 ? 0 : counts[length - 1])) << 1
            next[length] = code
            if counts[length] > 0, code + counts[length] > 1 << length { return nil }
        }
        for (symbol, length) in lengths.enumerated() where length > 0 {
            let length = Int(length)
            let entry = UInt16(symbol << 4 | length)
            var reversed = 0
            for bit in 0..<length where next[length] & (1 << bit) != 0 { reversed |= 1 << (length - 1 - bit) }
            next[length] += 1
            var index = reversed
            while index < entries.count {
                entries[index] = entry
                index += 1 << length
            }
        }
    }

    /// The entry for the lowest bits.
    @inline(__always)
    func lookUp(_ bits: UInt64) -> UInt16 { entries[Int(bits & mask)] }

    /// The codes of literals and lengths in blocks without tables of their own (RFC 1951 section 3.2.6).
    static let fixedLiterals = fixed(
        Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
            + Array(repeating: 8, count: 8))

    /// The codes of distances in blocks without tables of their own.
    static let fixedDistances = fixed(Array(repeating: 5, count: 32))

    /// The table of lengths known to be valid; a table without codes, which refuses all data, could stand for no other.
    private static func fixed(_ lengths: [UInt8]) -> HuffmanTable {
        HuffmanTable(lengths: lengths[...]) ?? HuffmanTable()
    }

    private init() {
        entries = [0]
        mask = 0
    }
}
