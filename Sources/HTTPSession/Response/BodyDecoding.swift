import Basics
import Synchronization

/// The decoding of a streamed body's content codings, performed in the reader's task and only as far as it reads.
final class BodyDecoding: Sendable {
    /// The number of encoded bytes to decode at a time.
    ///
    /// The output, up to about a thousand times as long, is held in memory.
    private static let stride = 8 << 10

    private struct State {
        var decoder: ContentDecoder?
        var encoded: [UInt8] = []
        var offset = 0
        var isOver = false
    }

    private enum Step {
        case piece([UInt8])
        case needsMore
        case failed(ContentCodingError)
    }

    let upstream: ResponseBodyStream
    private let codings: [ContentCoding]
    private let limits: Limits
    private let describe: @Sendable (ContentCodingError) -> SessionError
    private let state = Mutex(State())

    /// - Parameters:
    ///   - upstream: The encoded body.
    ///   - codings: The codings in the order in which they were applied.
    ///   - limits: The limits on the decoded length.
    ///   - describe: A closure that converts a decoding error to the error that the reader receives.
    init(
        _ upstream: ResponseBodyStream, _ codings: [ContentCoding], limits: Limits,
        describe: @escaping @Sendable (ContentCodingError) -> SessionError
    ) {
        self.upstream = upstream
        self.codings = codings
        self.limits = limits
        self.describe = describe
    }

    /// The trailer fields and metrics, available once everything is decoded.
    var end: ResponseBodyStream.End? {
        state.withLock { $0.isOver } ? upstream.end : nil
    }

    /// Returns the next decoded piece, or nil at the end.
    func next() async throws(SessionError) -> [UInt8]? {
        while true {
            switch step() {
            case .piece(let piece): return piece
            case .failed(let error): throw fail(error)
            case .needsMore: break
            }
            guard let encoded = try await upstream.next() else {
                if let error = finish() { throw fail(error) }
                return nil
            }
            state.withLock { state in
                state.encoded = encoded
                state.offset = 0
            }
        }
    }

    private func fail(_ error: ContentCodingError) -> SessionError {
        upstream.abandon()
        return describe(error)
    }

    private func step() -> Step {
        state.withLock { state in
            while state.offset < state.encoded.count {
                let end = min(state.offset + Self.stride, state.encoded.count)
                do throws(ContentCodingError) {
                    let piece = try decode(&state, end)
                    if !piece.isEmpty { return .piece(piece) }
                } catch {
                    return .failed(error)
                }
            }
            state.encoded = []
            state.offset = 0
            return .needsMore
        }
    }

    private func decode(_ state: inout State, _ end: Int) throws(ContentCodingError) -> [UInt8] {
        let decoder: ContentDecoder
        if let present = state.decoder {
            decoder = present
        } else {
            decoder = try ContentDecoder(codings, limits: limits)
            state.decoder = decoder
        }
        var output: [UInt8] = []
        var caught: ContentCodingError?
        state.encoded.withUnsafeBytes { bytes in
            do throws(ContentCodingError) {
                try decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[state.offset..<end])) {
                    output.append(contentsOf: $0)
                }
            } catch {
                caught = error
            }
        }
        if let caught { throw caught }
        state.offset = end
        return output
    }

    private func finish() -> ContentCodingError? {
        state.withLock { state in
            do throws(ContentCodingError) {
                // A body without a single byte is not incomplete, for example after a HEAD request.
                try state.decoder?.finish()
                state.isOver = true
                return nil
            } catch {
                return error
            }
        }
    }
}

/// The decoding of a response's content codings (RFC 9110, section 8.4).
enum ContentDecoding {
    /// Replaces the body with the decoded one, or leaves it unchanged if a coding is unknown.
    static func decode(_ response: inout Response, limits: Limits, history: [Response]) throws(SessionError) {
        guard let codings = ContentCoding.applied(in: response.headers), !codings.isEmpty else { return }
        do {
            response.body = try ContentDecoder.decode(response.body, codings, limits: limits)
        } catch {
            throw SessionError(
                phase: .decode, reason: error.reason, message: error.sentence,
                attempt: response.metrics.attempts, method: response.request.method,
                url: response.url.description, head: response.head, partialBody: response.body,
                history: history, metrics: response.metrics)
        }
    }

    /// Returns a stream that decodes the content codings as it is read, or the same stream if a coding is unknown.
    static func decoded(
        _ stream: ResponseBodyStream, of response: Response, limits: Limits
    ) throws(SessionError) -> ResponseBodyStream {
        guard let codings = ContentCoding.applied(in: response.headers), !codings.isEmpty else { return stream }
        let attempts = response.metrics.attempts
        let (method, url, head) = (response.request.method, response.url.description, response.head)
        return ResponseBodyStream(
            BodyDecoding(stream, codings, limits: limits) { error in
                SessionError(
                    phase: .decode, reason: error.reason, message: error.sentence, attempt: attempts,
                    method: method, url: url, head: head)
            })
    }
}
