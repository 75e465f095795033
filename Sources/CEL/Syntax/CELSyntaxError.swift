/// An expression that cannot be compiled, and where in it.
public struct CELSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong: one sentence without a final full stop.
    public let message: String
    /// Where it begins in the expression, in Unicode scalars.
    public let offset: Int
    /// How far it reaches, in Unicode scalars; may be zero at the end of the expression.
    public let length: Int

    /// Makes an error.
    public init(message: String, offset: Int, length: Int) {
        self.message = message
        self.offset = offset
        self.length = length
    }

    /// The message and its offset.
    public var description: String { "\(message) (at \(offset))" }
}

/// A syntax error whose place is still in bytes.
struct SourceFault: Error {
    let message: String
    let span: Range<Int>

    init(_ message: String, _ span: Range<Int>) {
        self.message = message
        self.span = span
    }
}

/// A part of an expression, in Unicode scalars.
struct Span: Sendable, Hashable {
    var offset: Int32
    var length: Int32
}

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
