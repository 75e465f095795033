import Basics
import CEL
import Expectations
import HTTPSession
import JSON
import RunModel
import SuiteModel

/// A reader of streamed responses, until all expected events have arrived, the stream ends, or the time limit expires.
struct StreamReader {
    /// The default time limit for reading a stream, in nanoseconds.
    static let standardTime: Int64 = 30_000_000_000

    /// The factor by which streamed bytes count more than other bytes, because each event is parsed and matched
    /// separately.
    private static let eventWeight = 16

    let kind: RequestExtras.Stream
    let step: SuiteStep
    /// The limits of the request.
    let limits: ExchangeLimits
    let scope: TestScope
    let clock: RunClock

    /// The time limit for reading the stream, in nanoseconds.
    private var time: Int64 { limits.total ?? Self.standardTime }

    /// The maximum number of bytes to read. All of them are kept, both as `body` and in the events.
    private var limit: Int { limits.bodySize.map { Int(clamping: $0) } ?? Limits().bodyBytes }

    /// Sets the timeouts of the request, because the library does not limit those of streams by itself.
    func prepare(_ request: inout Request) {
        request.timeouts.idle = nil
        request.timeouts.total = .nanoseconds(time)
        if limits.bodySize == nil {
            let standard = Limits()
            request.limits.bodyBytes = standard.bodyBytes
            request.limits.decodedBodyBytes = standard.decodedBodyBytes
        }
        if kind == .sse, !request.headers.contains("Accept") {
            request.headers.append(name: "Accept", value: "text/event-stream")
        }
    }

    /// Sends the request and reads the stream.
    nonisolated(nonsending) func exchange(_ pending: PendingExchange) async throws(SessionError) -> Exchange {
        let start = clock.now()
        let streamed = try await pending.stream()
        var exchange = ExchangeRecorder.exchange(streamed.response, expected: step.expectations.extras)
        var details = exchange.details ?? ExchangeDetails()
        let expected = step.expectations.extras?.events ?? []
        var matching = EventMatching(
            expected, content: ResponseContent(exchange), scope: scope.view(.step), context: scope.context)
        var assembler = EventAssembler(isEventStream: kind == .sse)
        var body: [UInt8] = []
        var end = ExchangeDetails.StreamEnd.closed
        do throws(SessionError) {
            reading: while let piece = try await streamed.body.next() {
                // The library does not limit the bodies of streams.
                guard piece.count <= limit - body.count else {
                    streamed.body.abandon()
                    body += piece.prefix(limit - body.count)
                    throw excess(of: streamed.response, body: body, duration: clock.now() - start)
                }
                body += piece
                // A large chunk can contain thousands of events.
                let isComplete = await LargeBodies.off(bytes: piece.count * Self.eventWeight) {
                    for event in assembler.take(piece) {
                        details.events.append(event)
                        if matching.receive(event), !expected.isEmpty { return true }
                    }
                    return false
                }
                if isComplete {
                    end = .complete
                    break reading
                }
            }
        } catch {
            guard case .timedOut(.total, _) = error.reason else { throw error }
            end = .timeout(time)
        }
        if end == .closed, let last = assembler.finish() { details.events.append(last) }
        streamed.body.abandon()
        if let rest = streamed.body.end {
            details.trailers += ExchangeRecorder.fields(rest.trailers)
        }
        details.streamEnd = end
        exchange.details = details
        exchange.response?.body = body
        exchange.timings.total = clock.now() - start
        exchange.timings.transfer = max(0, exchange.timings.total - (exchange.timings.firstByte ?? 0))
        return exchange
    }

    /// Returns the error for a stream that exceeds the limit.
    ///
    /// - Parameters:
    ///   - body: The bytes up to the limit.
    ///   - duration: The elapsed time, in nanoseconds.
    private func excess(of response: Response, body: [UInt8], duration: Int64) -> SessionError {
        var metrics = response.metrics
        metrics.total = .nanoseconds(duration)
        return SessionError(
            phase: .receive, reason: .limitExceeded(.bodyBytes, limit),
            message: "the response's body is larger than the limit of \(limit) bytes", attempt: metrics.attempts,
            method: response.request.method, url: response.request.url.description, head: response.head,
            partialBody: body, history: response.history, metrics: metrics)
    }
}
