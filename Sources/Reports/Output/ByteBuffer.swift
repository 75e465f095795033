/// Bytes of a text in the making, which grow at the end: a piece costs a look at the room there is, and a copy.
struct ByteBuffer: ~Copyable {
    /// nil until something is appended.
    private var start: UnsafeMutablePointer<UInt8>?
    private var capacity = 0
    /// The number of bytes.
    private(set) var count = 0

    /// Creates a buffer without bytes, which takes no memory yet.
    init() {}

    deinit { start?.deallocate() }

    /// True while nothing was appended.
    var isEmpty: Bool { count == 0 }

    /// The bytes, copied.
    var array: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The bytes from one on, copied.
    func array(from first: Int) -> [UInt8] { withUnsafeBytes { Array($0[min(max(0, first), $0.count)...]) } }

    /// Forgets the bytes and keeps their memory for others.
    mutating func removeAll() { count = 0 }

    /// Forgets the first bytes; those behind them move to the beginning.
    mutating func removeFirst(_ dropped: Int) {
        let rest = max(0, count - max(0, dropped))
        if let start, rest < count, rest > 0 { start.update(from: start + (count - rest), count: rest) }
        count = rest
    }

    /// Calls a closure with the bytes.
    borrowing func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Appends bytes.
    mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { append(contentsOf: $0) } }

    /// Appends the bytes of another buffer.
    mutating func append(_ other: borrowing ByteBuffer) {
        other.withUnsafeBytes { bytes in append(contentsOf: bytes.assumingMemoryBound(to: UInt8.self)) }
    }

    /// Appends the bytes of another buffer from one on.
    mutating func append(_ other: borrowing ByteBuffer, from first: Int) {
        other.withUnsafeBytes { bytes in
            let bytes = bytes.assumingMemoryBound(to: UInt8.self)
            append(contentsOf: UnsafeBufferPointer(rebasing: bytes[min(max(0, first), bytes.count)...]))
        }
    }

    /// Where the next byte goes, with room for some bytes.
    @inline(__always)
    private mutating func end(withRoomFor most: Int) -> UnsafeMutablePointer<UInt8> {
        if let start, capacity &- count >= most { return start + count }
        return grow(by: most)
    }

    @inline(never)
    private mutating func grow(by most: Int) -> UnsafeMutablePointer<UInt8> {
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
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        end(withRoomFor: 1).pointee = byte
        count &+= 1
    }

    @inline(__always)
    mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
        guard let first = bytes.baseAddress else { return }
        end(withRoomFor: bytes.count).initialize(from: first, count: bytes.count)
        count &+= bytes.count
    }

    @inline(__always)
    mutating func append(most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        count &+= write(end(withRoomFor: most))
    }
}

/// Sendable, as a buffer alone has its memory.
extension ByteBuffer: @unchecked Sendable {}

/// What takes the bytes of a text in the making: an array, or a buffer that is made for it.
protocol ByteSink: ~Copyable {
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
    @inline(__always)
    mutating func append(most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        append(addingCapacity: most) { span in
            span.withUnsafeMutableBufferPointer { buffer, count in
                if let start = buffer.baseAddress { count += write(start + count) }
            }
        }
    }
}

extension ByteSink where Self: ~Copyable {
    /// Appends a text that is written in the program.
    @inline(__always)
    mutating func append(_ word: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
}

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

extension String {
    /// Calls a closure with the UTF-8 of the text, where it stands: `withUTF8` wants a variable, which costs two counts of
    /// references.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
