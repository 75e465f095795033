import Basics
import CContentCodings

/// An incremental decoder of one content coding.
protocol DecodingStream: AnyObject {
    /// Decodes from the front of `input` until the input is used up or `output` is full.
    /// - Parameters:
    ///   - input: The encoded bytes. The bytes that were read are removed.
    ///   - output: The buffer for the decoded bytes, of at least one byte.
    /// - Returns: The number of bytes written.
    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> Int

    /// Checks that the data are complete. Call it only after a call of `decode` that did not fill the output buffer.
    func finish() throws(ContentCodingError)
}

extension ContentCoding {
    /// Returns a decoder at the start of encoded data.
    func makeStream() throws(ContentCodingError) -> any DecodingStream {
        switch self {
        case .gzip, .deflate: InflateStream(self)
        case .brotli: try LibraryStream(self, CCC_BROTLI)
        case .zstd: try LibraryStream(self, CCC_ZSTD)
        }
    }

    /// Whether the system can decode the coding; the first access loads its library.
    public var isAvailable: Bool {
        switch self {
        case .gzip, .deflate: true
        case .brotli: ccc_is_available(CCC_BROTLI)
        case .zstd: ccc_is_available(CCC_ZSTD)
        }
    }

    /// The error for a body whose coding needs a library that is not installed.
    var missingLibrary: ContentCodingError {
        let (library, package) = self == .brotli ? ("libbrotli", "libbrotli1") : ("libzstd", "libzstd1")
        return ContentCodingError(
            coding: self, reason: .unavailableContentCoding,
            message: "is encoded with \(rawValue), which needs \(library) (apt-get install \(package))")
    }
}

/// A decoder of a library that is loaded at run time.
final class LibraryStream: DecodingStream {
    private let coding: ContentCoding
    private let decoder: OpaquePointer
    private var isComplete = false
    private var isFirstFrame = true

    init(_ coding: ContentCoding, _ library: ccc_coding) throws(ContentCodingError) {
        guard ccc_is_available(library) else { throw coding.missingLibrary }
        guard let decoder = ccc_decoder_new(library) else {
            throw ContentCodingError(coding: coding, message: "cannot be decoded: out of memory")
        }
        self.coding = coding
        self.decoder = decoder
    }

    deinit { ccc_decoder_free(decoder) }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> Int {
        var written = 0
        while written < output.count {
            // After the end, only another zstd frame may follow.
            if isComplete {
                if input.isEmpty { break }
                guard coding == .zstd else { throw failure("is followed by other data") }
                isFirstFrame = false
            }
            var (read, count) = (input.count, output.count - written)
            let result = ccc_decode(
                decoder, input.baseAddress?.assumingMemoryBound(to: UInt8.self), &read,
                output.baseAddress?.assumingMemoryBound(to: UInt8.self).advanced(by: written), &count)
            input = UnsafeRawBufferPointer(rebasing: input[read...])
            written += count
            isComplete = try isEnd(result)
            // All input was read, and everything that it decodes to was written.
            if !isComplete, written < output.count, input.isEmpty || read + count == 0 { break }
        }
        return written
    }

    func finish() throws(ContentCodingError) {
        guard isComplete else { throw failure("is incomplete") }
    }

    /// Returns whether the data are complete; throws the error for a failure.
    private func isEnd(_ result: ccc_result) throws(ContentCodingError) -> Bool {
        switch result {
        case CCC_OK: return false
        case CCC_COMPLETE: return true
        case CCC_OUT_OF_MEMORY: throw failure("cannot be decoded: out of memory")
        case CCC_OTHER_FORMAT:
            throw failure(isFirstFrame ? "is not \(coding.rawValue) data" : "is followed by other data")
        case CCC_WRONG_CHECKSUM: throw failure("is damaged: its checksum does not match")
        case CCC_NEEDS_DICTIONARY: throw failure("requires a dictionary")
        case CCC_WINDOW_TOO_LARGE: throw failure("requires a window of more than 8 MiB")
        default: throw failure("is damaged: it cannot be read")
        }
    }

    private func failure(_ message: MessageText) -> ContentCodingError {
        ContentCodingError(coding: coding, message: message)
    }
}
