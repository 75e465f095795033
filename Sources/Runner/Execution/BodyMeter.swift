import Digests
import HTTPSession
import SuiteModel

/// Reads a large body of which nothing but the size and the digest is asked for, and keeps only its beginning.
struct BodyMeter {
    /// Bodies that may have more bytes are worth it.
    private static let limit: Int64 = 1 << 20

    let step: SuiteStep
    let clock: RunClock

    /// Whether a step, which is no WebSocket's and no stream's, asks for nothing else of a body that may be large.
    static func applies(to step: SuiteStep, _ spec: RequestSpec) -> Bool {
        guard let most = spec.maximumBodySize, most > limit else { return false }
        let set = step.expectations
        guard step.captures.isEmpty, !step.isReferenced, step.flow?.value.until == nil, set.json.isEmpty,
            set.body == nil,
            set.assertions.isEmpty
        else { return false }
        var matchers = set.headers.map(\.matcher) + set.cookies.flatMap { $0.attributes.map(\.matcher) }
        matchers += set.cookies.compactMap(\.value) + [set.duration, set.size].compactMap { $0 }
        if case .matcher(let matcher) = set.status?.pattern { matchers.append(matcher) }
        if let extras = set.extras?.value {
            guard extras.measuresOnly else { return false }
            matchers += extras.trailers.map(\.matcher) + extras.timings.map(\.matcher)
            matchers += [extras.http, extras.redirects, extras.sha256].compactMap { $0 }
        }
        return matchers.allSatisfy(\.comparesWithConstants)
    }

    /// Sends the request and reads the body.
    func exchange(_ pending: PendingExchange) async throws(SessionError) -> Exchange {
        let start = clock.now()
        var pending = pending
        // The library does not bound the time of streams by itself.
        let timeouts = pending.request.timeouts.inheriting(from: pending.session.configuration.timeouts)
        pending.request.timeouts.total = timeouts.total
        let streamed = try await pending.stream()
        var exchange = ExchangeRecorder.exchange(streamed.response, expected: step.expectations.extras?.value)
        let (body, measured) = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            await Self.read(streamed.body)
        }.get()
        var details = exchange.details?.value ?? ExchangeDetails()
        details.measuredBody = measured
        if let end = streamed.body.end {
            details.trailers += end.trailers.map { HeaderField(name: $0.name, value: $0.value) }
        }
        exchange.details = Boxed(details)
        exchange.response?.body = body
        exchange.timings.total = clock.now() - start
        exchange.timings.transfer = max(0, exchange.timings.total - (exchange.timings.firstByte ?? 0))
        return exchange
    }

    /// Reads a body, and gives its beginning and what is known of the whole.
    @concurrent private static func read(
        _ stream: ResponseBodyStream
    ) async -> Result<(body: [UInt8], measured: MeasuredBody), SessionError> {
        var hash = SHA256()
        var body: [UInt8] = []
        var size = 0
        do throws(SessionError) {
            while let piece = try await stream.next() {
                piece.withUnsafeBytes { hash.update($0) }
                if body.count < ReportedExchange.keptBytes {
                    body += piece.prefix(ReportedExchange.keptBytes - body.count)
                }
                size += piece.count
            }
        } catch {
            return .failure(error)
        }
        return .success((body, MeasuredBody(size: size, sha256: hash.finalize())))
    }
}

extension ExpectationExtras {
    /// Whether nothing looks into the body.
    fileprivate var measuresOnly: Bool {
        xml.isEmpty && html.isEmpty && schema == nil && hops == nil && certificate == nil && events.isEmpty
            && image == nil
            && snapshot == nil && contract == nil
    }
}

extension Matcher {
    /// Whether no operand is an expression, which might look into the body.
    fileprivate var comparesWithConstants: Bool {
        operations.allSatisfy { operation in
            switch operation.operator {
            case .equals(.constant), .gt(.constant), .gte(.constant), .lt(.constant), .lte(.constant),
                .between(.constant, .constant), .contains(.constant), .exists, .matches(.compiled):
                true
            case .not(let matcher): matcher.comparesWithConstants
            default: false
            }
        }
    }
}
