public import Basics

/// An error that reports an invalid expression and the location of the invalid part.
public struct CELSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the error: one sentence without a final period.
    public let message: MessageText
    /// The start of the invalid part in the expression, in Unicode scalars.
    public let offset: Int
    /// The length of the invalid part in Unicode scalars; may be zero at the end of the expression.
    public let length: Int

    /// Creates an error.
    public init(message: MessageText, offset: Int, length: Int) {
        self.message = message
        self.offset = offset
        self.length = length
    }

    /// The message and its offset.
    public var description: String { "\(message) (at \(offset))" }
}

/// A syntax error whose location is in bytes.
struct SourceFault: Error {
    let message: MessageText
    let span: Range<Int>

    init(_ message: MessageText, _ span: Range<Int>) {
        self.message = message
        self.span = span
    }
}

/// A range of an expression, in Unicode scalars.
struct Span: Sendable, Hashable {
    var offset: Int32
    var length: Int32
}

/// A converter from byte offsets to offsets in Unicode scalars.
struct ScalarOffsets {
    /// The number of scalars before each byte offset; nil if the source is ASCII and both offsets are equal.
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
        // A byte within a scalar has the offset of that scalar.
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
