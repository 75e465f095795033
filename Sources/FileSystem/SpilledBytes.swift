import Synchronization

/// A growing sequence of bytes that keeps only its last bytes in memory and the others in an unnamed temporary file.
///
/// All bytes stay in memory while they are few, or if no temporary file can be written.
package struct SpilledBytes: Sendable {
    /// The number of bytes in memory that are written to the file together.
    private static let spillLength = 256 << 10
    /// The number of bytes to read at a time if they are read in order.
    fileprivate static let windowLength = 64 << 10

    private var file: SpilledFile?
    /// The number of bytes in the file.
    private var spilledCount = 0
    private var canSpill = true
    /// The bytes after those in the file.
    private var tail: [UInt8] = []

    /// The number of bytes.
    package var count: Int { spilledCount + tail.count }

    /// Whether some of the bytes are in a file.
    package var isSpilled: Bool { spilledCount > 0 }

    /// Creates an empty sequence.
    package init() {}

    /// Appends bytes, which stay in memory until ``spillIfLong()`` is called.
    package mutating func append(_ body: (inout [UInt8]) -> Void) { body(&tail) }

    /// Moves the bytes in memory to the file if there are many.
    ///
    /// A range that is read later must not start before the current end of the sequence and end after it.
    package mutating func spillIfLong() {
        guard tail.count >= Self.spillLength, canSpill else { return }
        do throws(FileHandle.Failure) {
            if file == nil { file = SpilledFile(try FileHandle.temporary()) }
            // A copy of this sequence may have appended other bytes to the file.
            guard isKnownUniquelyReferenced(&file), let file, file.count == spilledCount else { return }
            try file.append(tail)
            spilledCount += tail.count
            tail.removeAll(keepingCapacity: true)
        } catch {
            canSpill = false
        }
    }

    /// Releases the memory that is reserved for further bytes.
    package mutating func finish() {
        tail = tail.withUnsafeBufferPointer { Array($0) }
    }

    /// Calls a closure with the bytes of a range.
    ///
    /// - Returns: The result of the closure; nil if the file cannot be read.
    package func withBytes<Result: Sendable>(
        in range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        if range.lowerBound >= spilledCount {
            let range = range.lowerBound - spilledCount..<range.upperBound - spilledCount
            return tail.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
        }
        return file?.withBytes(in: range, endingAt: spilledCount, body)
    }
}

/// The part of a sequence that is in a file, and the most recently read bytes.
private final class SpilledFile: Sendable {
    private struct State {
        var count = 0
        /// The offset of the bytes in the file.
        var offset = 0
        var bytes: [UInt8] = []

        var end: Int { offset + bytes.count }
    }

    private let handle: FileHandle
    private let state = Mutex(State())

    init(_ handle: consuming FileHandle) {
        self.handle = handle
    }

    var count: Int { state.withLock { $0.count } }

    func append(_ bytes: [UInt8]) throws(FileHandle.Failure) {
        try handle.write(bytes)
        state.withLock { $0.count += bytes.count }
    }

    /// Calls a closure with the bytes of a range, and keeps more bytes if the ranges are read in order.
    func withBytes<Result: Sendable>(
        in range: Range<Int>, endingAt limit: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        state.withLock { state in
            if range.lowerBound < state.offset || range.upperBound > state.end {
                let isNext =
                    range.lowerBound >= state.offset && range.lowerBound - state.end <= SpilledBytes.windowLength
                let wanted = isNext ? min(limit, range.lowerBound + SpilledBytes.windowLength) : range.upperBound
                guard let bytes = try? handle.read(range.lowerBound..<max(wanted, range.upperBound)) else { return nil }
                state.bytes = bytes
                state.offset = range.lowerBound
            }
            let range = range.lowerBound - state.offset..<range.upperBound - state.offset
            return state.bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
        }
    }
}
