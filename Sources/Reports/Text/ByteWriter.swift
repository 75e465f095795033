/// Writes pieces of a text one behind the other into memory that has room for all of them: a piece costs no look at the room
/// there is.
struct ByteWriter {
    /// Where the next byte goes.
    private(set) var next: UnsafeMutablePointer<UInt8>

    /// Creates a writer from an address on.
    @inline(__always)
    init(_ start: UnsafeMutablePointer<UInt8>) {
        next = start
    }

    /// Writes a text that is written in the program.
    @inline(__always)
    mutating func write(_ word: StaticString) {
        next.initialize(from: word.utf8Start, count: word.utf8CodeUnitCount)
        next += word.utf8CodeUnitCount
    }

    /// Writes bytes.
    @inline(__always)
    mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let first = bytes.baseAddress { next.initialize(from: first, count: bytes.count) }
        next += bytes.count
    }

    /// Writes bytes.
    @inline(__always)
    mutating func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { write($0) }
    }

    /// Writes a whole number, which takes at most 20 bytes.
    @inline(__always)
    mutating func write(_ value: Int64) {
        next += DecimalText.write(value, at: next)
    }

    /// Writes a whole number, which takes at most 20 bytes.
    @inline(__always)
    mutating func write(_ value: Int) {
        next += DecimalText.write(Int64(value), at: next)
    }

    /// Writes a number with a fixed number of digits.
    @inline(__always)
    mutating func write(_ value: UInt64, digits: Int) {
        DecimalText.write(value, digits: digits, at: next)
        next += digits
    }

    /// Writes milliseconds with three decimals at most, never negative, which take at most 24 bytes.
    @inline(__always)
    mutating func write(milliseconds nanoseconds: Int64) {
        next += DecimalText.write(milliseconds: nanoseconds, at: next)
    }

    /// Writes seconds with three decimals, rounded, never negative and without an exponent, in at most 24 bytes.
    @inline(__always)
    mutating func write(seconds nanoseconds: Int64) {
        next += DecimalText.write(seconds: nanoseconds, at: next)
    }
}

extension ByteSink where Self: ~Copyable {
    /// Appends at most some bytes, in pieces that a closure writes.
    @inline(__always)
    mutating func append(upTo most: Int, _ write: (inout ByteWriter) -> Void) {
        append(most: most) { start in
            var writer = ByteWriter(start)
            write(&writer)
            // Every caller counts for itself what it writes at most; tests with the largest numbers hold it to that.
            assert(writer.next - start <= most, "more was written than there is room for")
            return writer.next - start
        }
    }
}
