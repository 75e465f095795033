import Basics
import CZlib

/// A zlib decompressor that decodes one content coding, incrementally, into a buffer of the caller.
///
/// This is a class because zlib's state contains a pointer to its stream.
final class InflateStream: DecodingStream {
    /// The position in the encoded data.
    private enum State {
        /// Within the first bytes of a gzip member, with the number of bytes seen.
        case identification(Int)
        /// Before the two bytes that distinguish the zlib format from raw deflate data, with the first byte if it was
        /// read.
        case wrapping(UInt8?)
        /// Within data that zlib reads, with the number of bytes that may follow the data.
        case data(trailer: Int)
        /// After the data, with the number of bytes that may still follow.
        case trailer(Int)
    }

    /// The first bytes of every gzip member.
    private static let gzipIdentification: [UInt8] = [0x1F, 0x8B, 8]

    private let coding: ContentCoding
    private let stream: UnsafeMutablePointer<z_stream>
    private var isInitialized = false
    private var state: State
    private var isFirstMember = true

    init(_ coding: ContentCoding) {
        self.coding = coding
        state = coding == .gzip ? .identification(0) : .wrapping(nil)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isInitialized { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> Int {
        var written = 0
        while true {
            switch state {
            case .identification(let seen):
                guard try identify(&input, seen: seen) else { return written }
                try begin(windowBits: 31, with: Self.gzipIdentification, trailer: 0, output, &written)
            case .wrapping(let first):
                guard let (first, second) = findWrapping(&input, first: first) else { return written }
                let isZlib = first & 15 == 8 && (Int(first) << 8 | Int(second)) % 31 == 0
                // A checksum that no specification defines may follow raw data. curl accepts it too.
                try begin(
                    windowBits: isZlib ? 15 : -15, with: [first, second], trailer: isZlib ? 0 : 4, output, &written)
            case .data(let trailer):
                guard try run(&input, output, &written) else {
                    if input.isEmpty || written == output.count { return written }
                    continue
                }
                end(trailer)
            case .trailer(let allowed):
                guard input.count <= allowed else { throw failure("is followed by other data") }
                state = .trailer(allowed - input.count)
                input = UnsafeRawBufferPointer(start: nil, count: 0)
                return written
            }
        }
    }

    func finish() throws(ContentCodingError) {
        switch state {
        case .identification(0) where !isFirstMember: return
        case .trailer: return
        case .identification, .wrapping, .data: throw failure("is incomplete")
        }
    }

    // MARK: Wrappings

    /// Checks the first bytes of a member, to distinguish other data from corrupt gzip data.
    private func identify(_ input: inout UnsafeRawBufferPointer, seen: Int) throws(ContentCodingError) -> Bool {
        let expected = Self.gzipIdentification[seen...]
        guard zip(input, expected).allSatisfy({ $0 == $1 }) else {
            throw failure(isFirstMember ? "is not gzip data" : "is followed by other data")
        }
        let count = min(input.count, expected.count)
        input = UnsafeRawBufferPointer(rebasing: input[count...])
        if count < expected.count { state = .identification(seen + count) }
        return count == expected.count
    }

    /// Reads the two bytes that distinguish the zlib format from the raw data that some servers send as "deflate".
    private func findWrapping(_ input: inout UnsafeRawBufferPointer, first: UInt8?) -> (UInt8, UInt8)? {
        var first = first
        while let byte = input.first {
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
            if let first { return (first, byte) }
            first = byte
        }
        state = .wrapping(first)
        return nil
    }

    /// Starts a member with bytes that were already examined; zlib consumes these few even without output space.
    private func begin(
        windowBits: Int32, with bytes: [UInt8], trailer: Int, _ output: UnsafeMutableRawBufferPointer,
        _ written: inout Int
    ) throws(ContentCodingError) {
        let status = isInitialized ? inflateReset2(stream, windowBits) : czlib_inflate_init(stream, windowBits)
        guard status == Z_OK else { throw failure(status) }
        isInitialized = true
        state = .data(trailer: trailer)
        var isComplete = false
        var caught: ContentCodingError?
        bytes.withUnsafeBytes { bytes in
            var rest = bytes
            do throws(ContentCodingError) { isComplete = try run(&rest, output, &written) } catch { caught = error }
        }
        if let caught { throw caught }
        if isComplete { end(trailer) }
    }

    private func end(_ trailer: Int) {
        isFirstMember = false
        state = coding == .gzip ? .identification(0) : .trailer(trailer)
    }

    // MARK: zlib

    /// Calls zlib once and returns whether the member is complete.
    private func run(
        _ input: inout UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, _ written: inout Int
    ) throws(ContentCodingError) -> Bool {
        let given = min(input.count, Int(UInt32.max))
        let room = min(output.count - written, Int(UInt32.max))
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(given)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self).advanced(by: written)
        stream.pointee.avail_out = UInt32(room)
        let status = inflate(stream, Z_NO_FLUSH)
        input = UnsafeRawBufferPointer(rebasing: input[(given - Int(stream.pointee.avail_in))...])
        written += room - Int(stream.pointee.avail_out)
        switch status {
        case Z_STREAM_END: return true
        case Z_OK, Z_BUF_ERROR: return false
        default: throw failure(status)
        }
    }

    private func failure(_ message: MessageText) -> ContentCodingError {
        ContentCodingError(coding: coding, message: message)
    }

    /// Returns an error with a message for a zlib status.
    private func failure(_ status: Int32) -> ContentCodingError {
        switch status {
        case Z_NEED_DICT: return failure("requires a preset dictionary")
        case Z_MEM_ERROR: return failure("cannot be decoded: out of memory")
        default: break
        }
        let text = stream.pointee.msg.map { String(cString: $0) } ?? ""
        let detail =
            switch text {
            case "incorrect data check", "incorrect length check": "its checksum does not match"
            case "header crc mismatch": "its header's checksum does not match"
            case "unknown header flags set": "its header has unknown flags"
            case "invalid window size": "its header has an invalid window size"
            case "invalid block type": "it has a block of unknown type"
            case "invalid stored block lengths": "a block's length does not match"
            case "too many length or distance symbols": "it has too many code lengths"
            case "invalid code lengths set", "invalid literal/lengths set", "invalid distances set",
                "invalid code -- missing end-of-block":
                "its code table is not valid"
            case "invalid bit length repeat": "it repeats a missing code length"
            case "invalid literal/length code": "it has a code that is not in its table"
            case "invalid distance code": "it has an invalid distance"
            case "invalid distance too far back": "it refers to data before its start"
            case "": "it cannot be read"
            default: text
            }
        return failure("is damaged: \(detail)")
    }
}
