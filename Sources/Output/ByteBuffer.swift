package import FileSystem

/// A growable byte buffer for output text.
///
/// Appending costs a capacity check and a copy.
///
/// The appending methods are inlined into other modules because reports and records consist of many small pieces.
package struct ByteBuffer: ~Copyable {
    /// `nil` until something is appended.
    @usableFromInline var start: UnsafeMutablePointer<UInt8>?
    @usableFromInline var capacity = 0
    @usableFromInline var end = 0

    /// The number of bytes.
    @inlinable package var count: Int { end }

    /// Creates an empty buffer, which allocates no memory until something is appended.
    @inlinable package init() {}

    deinit { start?.deallocate() }

    /// Whether the buffer is empty.
    @inlinable package var isEmpty: Bool { end == 0 }

    /// A copy of the bytes.
    package var array: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Returns a copy of the bytes from an offset to the end.
    package func array(from first: Int) -> [UInt8] { withUnsafeBytes { Array($0[min(max(0, first), $0.count)...]) } }

    /// Removes all bytes and keeps the allocated memory.
    package mutating func removeAll() { end = 0 }

    /// Removes the first bytes and moves the rest to the start.
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

    /// Appends the bytes of another buffer from an offset to its end.
    package mutating func append(_ other: borrowing ByteBuffer, from first: Int) {
        other.withUnsafeBytes { bytes in
            let bytes = bytes.assumingMemoryBound(to: UInt8.self)
            append(contentsOf: UnsafeBufferPointer(rebasing: bytes[min(max(0, first), bytes.count)...]))
        }
    }

    /// Reserves room for a number of bytes and returns the address of the next byte.
    @inlinable @inline(__always)
    mutating func room(for maximum: Int) -> UnsafeMutablePointer<UInt8> {
        if let start, capacity &- end >= maximum { return start + end }
        return grow(by: maximum)
    }

    @inline(never) @usableFromInline
    mutating func grow(by maximum: Int) -> UnsafeMutablePointer<UInt8> {
        let capacity = max(256, capacity * 2, count + maximum)
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
    package mutating func append(maximum: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        end &+= write(room(for: maximum))
    }
}

/// Sendable because a buffer is noncopyable and has exclusive access to its memory.
extension ByteBuffer: @unchecked Sendable {}

/// A destination for the bytes of output text: an array or a ``ByteBuffer``.
package protocol ByteSink: ~Copyable {
    /// Appends a byte.
    mutating func append(_ byte: UInt8)

    /// Appends bytes.
    mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>)

    /// Reserves room for a number of bytes and appends the ones that a closure writes.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of bytes that the closure writes.
    ///   - write: Writes bytes to the given address and returns the number of bytes written.
    mutating func append(maximum: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int)
}

extension [UInt8]: ByteSink {
    @inlinable @inline(__always)
    package mutating func append(maximum: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        append(addingCapacity: maximum) { span in
            span.withUnsafeMutableBufferPointer { buffer, count in
                if let start = buffer.baseAddress { count += write(start + count) }
            }
        }
    }
}

extension ByteSink where Self: ~Copyable {
    /// Appends a string literal.
    @inlinable @inline(__always)
    package mutating func append(_ word: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
}

/// A cursor that writes consecutive pieces of text into memory with room for all of them, without capacity checks.
package struct ByteWriter {
    /// The address of the next byte.
    package var next: UnsafeMutablePointer<UInt8>

    /// Creates a writer that starts at an address.
    @inlinable @inline(__always)
    package init(_ start: UnsafeMutablePointer<UInt8>) {
        next = start
    }

    /// Writes a string literal.
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

    /// Writes an integer in at most 20 bytes.
    @inlinable @inline(__always)
    package mutating func write(_ value: Int64) {
        next += DecimalText.write(value, at: next)
    }

    /// Writes an integer in at most 20 bytes.
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

    /// Writes a duration in milliseconds with up to three decimals, in at most 24 bytes.
    ///
    /// A negative duration is written as zero.
    @inlinable @inline(__always)
    package mutating func write(milliseconds nanoseconds: Int64) {
        next += DecimalText.write(milliseconds: nanoseconds, at: next)
    }

    /// Writes a duration in seconds, rounded to three decimals and without an exponent, in at most 24 bytes.
    ///
    /// A negative duration is written as zero.
    @inlinable @inline(__always)
    package mutating func write(seconds nanoseconds: Int64) {
        next += DecimalText.write(seconds: nanoseconds, at: next)
    }
}

extension ByteSink where Self: ~Copyable {
    /// Reserves room for a number of bytes and appends the pieces that a closure writes.
    @inlinable @inline(__always)
    package mutating func append(upTo maximum: Int, _ write: (inout ByteWriter) -> Void) {
        append(maximum: maximum) { start in
            var writer = ByteWriter(start)
            write(&writer)
            // Every caller computes its own upper bound. Tests with the largest numbers check these bounds.
            assert(writer.next - start <= maximum, "wrote past the end of the reserved space")
            return writer.next - start
        }
    }
}

extension String {
    /// Calls a closure with the string's UTF-8 bytes, in their own storage if they are contiguous.
    ///
    /// `withUTF8` requires a mutable variable, which costs a retain and a release.
    @inlinable @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}

extension FileHandle {
    /// Writes the first bytes of a buffer.
    ///
    /// - Parameter count: The number of bytes to write, or `nil` for all of them.
    package borrowing func write(_ bytes: borrowing ByteBuffer, count: Int? = nil) throws(Failure) {
        let count = max(0, min(bytes.count, count ?? .max))
        let failure = bytes.withUnsafeBytes { failureOfWriting(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        if let failure { throw Failure(number: failure) }
    }
}
