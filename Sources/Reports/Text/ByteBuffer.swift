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
