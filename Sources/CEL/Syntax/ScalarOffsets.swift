/// Translates byte offsets of a source text into offsets in Unicode scalars.
struct ScalarOffsets {
    /// For each byte offset the number of scalars before it; nil when all is ASCII and both are the same.
    private let table: [Int32]?

    init(_ bytes: [UInt8]) {
        guard bytes.contains(where: { $0 >= 0x80 }) else {
            table = nil
            return
        }
        var table: [Int32] = []
        table.reserveCapacity(bytes.count + 1)
        var count: Int32 = 0
        for byte in bytes {
            table.append(count)
            if byte & 0xC0 != 0x80 { count += 1 }
        }
        table.append(count)
        // A byte within a scalar has the scalar's own offset.
        for index in bytes.indices where bytes[index] & 0xC0 == 0x80 { table[index] = table[index] - 1 }
        self.table = table
    }

    func span(_ bytes: Range<Int>) -> Span {
        let start = scalar(bytes.lowerBound)
        return Span(offset: start, length: scalar(bytes.upperBound) - start)
    }

    private func scalar(_ offset: Int) -> Int32 {
        guard let table else { return Int32(clamping: offset) }
        return table.indices.contains(offset) ? table[offset] : table.last ?? 0
    }
}
