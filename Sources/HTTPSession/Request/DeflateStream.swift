import Basics
import CZlib

/// A zlib compressor that applies one content coding, incrementally.
///
/// This is a class because zlib's state contains a pointer to its stream.
final class DeflateStream {
    private let coding: ContentCoding
    private let stream: UnsafeMutablePointer<z_stream>
    private let isInitialized: Bool

    /// - Parameters:
    ///   - coding: The coding to apply.
    ///   - level: The compression level from 0 to 9; other values are clamped.
    init(_ coding: ContentCoding, level: Int) throws(ContentCodingError) {
        self.coding = coding
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let windowBits: Int32 = coding == .gzip ? 31 : 15
        guard ContentCoding.encodable.contains(coding) else {
            isInitialized = false
            throw ContentCodingError(coding: coding, message: "cannot be encoded; only gzip and deflate can")
        }
        isInitialized = czlib_deflate_init(stream, Int32(min(max(level, 0), 9)), windowBits) == Z_OK
        guard isInitialized else { throw noMemory }
    }

    deinit {
        if isInitialized { deflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    private var noMemory: ContentCodingError {
        ContentCodingError(coding: coding, message: "cannot be encoded: out of memory")
    }

    /// The treatment of data that zlib would rather keep in its internal buffer.
    enum Flush {
        /// Keeps the data in the buffer.
        case none
        /// Writes the data, so that a receiver can decode everything that was encoded so far.
        case sync
        /// Writes the data and the end of the encoded stream.
        case finish

        fileprivate var value: Int32 {
            switch self {
            case .none: Z_NO_FLUSH
            case .sync: Z_SYNC_FLUSH
            case .finish: Z_FINISH
            }
        }
    }

    /// Encodes bytes and emits the output piece by piece through `room`, a scratch buffer that is not empty.
    func encode(
        _ input: UnsafeRawBufferPointer, _ flush: Flush, room: UnsafeMutableRawBufferPointer,
        _ emit: (UnsafeRawBufferPointer) -> Void
    ) throws(ContentCodingError) {
        var input = input
        while true {
            let isLast = input.count <= Int(UInt32.max)
            let written = try run(&input, isLast ? flush.value : Z_NO_FLUSH, room)
            if written > 0 { emit(UnsafeRawBufferPointer(rebasing: room[..<written])) }
            // Unused space in the buffer means that zlib has nothing more to write.
            if written < room.count, isLast, input.isEmpty { return }
        }
    }

    /// Encodes a whole body directly into the array that is returned.
    func encodeWhole(_ bytes: [UInt8]) throws(ContentCodingError) -> [UInt8] {
        guard bytes.count < Int(UInt32.max) / 2 else { return try encodeLong(bytes) }
        let bound = Int(deflateBound(stream, UInt(bytes.count)))
        var caught: ContentCodingError?
        let output = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            bytes.withUnsafeBytes { bytes in
                var rest = bytes
                do throws(ContentCodingError) {
                    count = try run(&rest, Z_FINISH, UnsafeMutableRawBufferPointer(buffer))
                } catch {
                    caught = error
                }
            }
        }
        if let caught { throw caught }
        // The capacity allows for incompressible data. Do not keep that much memory for a body that compresses well.
        return output.count < bound / 2 ? output.withUnsafeBufferPointer { Array($0) } : output
    }

    private func encodeLong(_ bytes: [UInt8]) throws(ContentCodingError) -> [UInt8] {
        var output: [UInt8] = []
        var caught: ContentCodingError?
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { room in
            bytes.withUnsafeBytes { bytes in
                do throws(ContentCodingError) {
                    try encode(bytes, .finish, room: room) { output.append(contentsOf: $0) }
                } catch {
                    caught = error
                }
            }
        }
        if let caught { throw caught }
        return output
    }

    /// Calls zlib once and returns the number of bytes written.
    private func run(
        _ input: inout UnsafeRawBufferPointer, _ flush: Int32, _ output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> Int {
        let given = min(input.count, Int(UInt32.max))
        let room = min(output.count, Int(UInt32.max))
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(given)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room)
        let status = deflate(stream, flush)
        input = UnsafeRawBufferPointer(rebasing: input[(given - Int(stream.pointee.avail_in))...])
        // Z_BUF_ERROR means that there was nothing to do.
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
            throw ContentCodingError(coding: coding, message: "cannot be encoded after its end")
        }
        return room - Int(stream.pointee.avail_out)
    }
}
