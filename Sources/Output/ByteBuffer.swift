/// Bytes of a text in the making, which grow at the end: a piece costs a look at the room there is, and a copy.
///
/// What appends is inlined into other modules, as reports and records are made of many small pieces.
package struct ByteBuffer: ~Copyable {
    /// nil until something is appended.
    @usableFromInline var start: UnsafeMutablePointer<UInt8>?
    @usableFromInline var capacity = 0
    @usableFromInline var end = 0

    /// The number of bytes.
    @inlinable package var count: Int { end }

    /// Creates a buffer without bytes, which takes no memory yet.
    @inlinable package init() {}

    deinit { start?.deallocate() }

    /// True while nothing was appended.
    @inlinable package var isEmpty: Bool { end == 0 }

    /// The bytes, copied.
    package var array: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The bytes from one on, copied.
    package func array(from first: Int) -> [UInt8] { withUnsafeBytes { Array($0[min(max(0, first), $0.count)...]) } }

    /// Forgets the bytes and keeps their memory for others.
    package mutating func removeAll() { end = 0 }

    /// Forgets the first bytes; those behind them move to the beginning.
    package mutating func removeFirst(_ dropped: Int) {
        let rest = max(0, count - max(0, dropped))
        if let start, rest < count, rest > 0 { start.update(from: start + (count - rest), count: rest) }
        end = rest
    }

    /// Calls a closure with the bytes.
    @inlinable package borrowing func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Appends bytes.
    @inlinable package mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Appends the bytes of another buffer.
    package mutating func append(_ other: borrowing ByteBuffer) {
        other.withUnsafeBytes { bytes in append(contentsOf: bytes.assumingMemoryBound(to: UInt8.self)) }
    }

    /// Appends the bytes of another buffer from one on.
    package mutating func append(_ other: borrowing ByteBuffer, from first: Int) {
        other.withUnsafeBytes { bytes in
            let bytes = bytes.assumingMemoryBound(to: UInt8.self)
            append(contentsOf: UnsafeBufferPointer(rebasing: bytes[min(max(0, first), bytes.count)...]))
        }
    }

    /// Where the next byte goes, with room for some bytes.
    @inlinable @inline(__always)
    mutating func room(for most: Int) -> UnsafeMutablePointer<UInt8> {
        if let start, capacity &- end >= most { return start + end }
        return grow(by: most)
    }

    @inline(never) @usableFromInline
    mutating func grow(by most: Int) -> UnsafeMutablePointer<UInt8> {
        let capacity = max(256, capacity * 2, count + most)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        if let start {
            memory.initialize(from: start, count: count)
            start.deallocate()
        }
        start = memory
        self.capacity = capacity
        return memory + count
    }
}

extension ByteBuffer: ByteSink {
    @inlinable @inline(__always)
    package mutating func append(_ byte: UInt8) {
        room(for: 1).pointee = byte
        end &+= 1
    }

    @inlinable @inline(__always)
    package mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
        guard let first = bytes.baseAddress else { return }
        room(for: bytes.count).initialize(from: first, count: bytes.count)
        end &+= bytes.count
    }

    @inlinable @inline(__always)
    package mutating func append(most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        end &+= write(room(for: most))
    }
}

/// Sendable, as a buffer alone has its memory.
extension ByteBuffer: @unchecked Sendable {}

/// What takes the bytes of a text in the making: an array, or a buffer that is made for it.
package protocol ByteSink: ~Copyable {
    /// Appends a byte.
    mutating func append(_ byte: UInt8)

    /// Appends bytes.
    mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>)

    /// Appends at most some bytes that a closure writes.
    ///
    /// - Parameters:
    ///   - most: The bytes that there is room for.
    ///   - write: Writes from an address on, and says how many bytes it has written.
    mutating func append(most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int)
}

extension [UInt8]: ByteSink {
    @inlinable @inline(__always)
    package mutating func append(most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        append(addingCapacity: most) { span in
            span.withUnsafeMutableBufferPointer { buffer, count in
                if let start = buffer.baseAddress { count += write(start + count) }
            }
        }
    }
}

extension ByteSink where Self: ~Copyable {
    /// Appends a text that is written in the program.
    @inlinable @inline(__always)
    package mutating func append(_ word: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
}

/// Writes pieces of a text one behind the other into memory that has room for all of them: a piece costs no look at the room
/// there is.
package struct ByteWriter {
    /// Where the next byte goes.
    package var next: UnsafeMutablePointer<UInt8>

    /// Creates a writer from an address on.
    @inlinable @inline(__always)
    package init(_ start: UnsafeMutablePointer<UInt8>) {
        next = start
    }

    /// Writes a text that is written in the program.
    @inlinable @inline(__always)
    package mutating func write(_ word: StaticString) {
        next.initialize(from: word.utf8Start, count: word.utf8CodeUnitCount)
        next += word.utf8CodeUnitCount
    }

    /// Writes bytes.
    @inlinable @inline(__always)
    package mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let first = bytes.baseAddress { next.initialize(from: first, count: bytes.count) }
        next += bytes.count
    }

    /// Writes bytes.
    @inlinable @inline(__always)
    package mutating func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { write($0) }
    }

    /// Writes a whole number, which takes at most 20 bytes.
    @inlinable @inline(__always)
    package mutating func write(_ value: Int64) {
        next += DecimalText.write(value, at: next)
    }

    /// Writes a whole number, which takes at most 20 bytes.
    @inlinable @inline(__always)
    package mutating func write(_ value: Int) {
        next += DecimalText.write(Int64(value), at: next)
    }

    /// Writes a number with a fixed number of digits.
    @inlinable @inline(__always)
    package mutating func write(_ value: UInt64, digits: Int) {
        DecimalText.write(value, digits: digits, at: next)
        next += digits
    }

    /// Writes milliseconds with three decimals at most, never negative, which take at most 24 bytes.
    @inlinable @inline(__always)
    package mutating func write(milliseconds nanoseconds: Int64) {
        next += DecimalText.write(milliseconds: nanoseconds, at: next)
    }

    /// Writes seconds with three decimals, rounded, never negative and without an exponent, in at most 24 bytes.
    @inlinable @inline(__always)
    package mutating func write(seconds nanoseconds: Int64) {
        next += DecimalText.write(seconds: nanoseconds, at: next)
    }
}

extension ByteSink where Self: ~Copyable {
    /// Appends at most some bytes, in pieces that a closure writes.
    @inlinable @inline(__always)
    package mutating func append(upTo most: Int, _ write: (inout ByteWriter) -> Void) {
        append(most: most) { start in
            var writer = ByteWriter(start)
            write(&writer)
            // Every caller counts for itself what it writes at most; tests with the largest numbers hold it to that.
            assert(writer.next - start <= most, "more was written than there is room for")
            return writer.next - start
        }
    }
}

extension String {
    /// Calls a closure with the UTF-8 of the text, where it stands: `withUTF8` wants a variable, which costs two counts of
    /// references.
    @inlinable @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
