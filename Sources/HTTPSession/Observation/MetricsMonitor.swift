import Synchronization

/// Takes the numbers of finished requests to wherever they are counted.
public protocol RequestMetricsObserver: Sendable {
    /// Takes the numbers of a request that is done; it must be quick.
    func requestFinished(_ summary: RequestSummary)
}

/// Adds up what happens to each request, and hands it on when the request is done.
///
/// ```swift
/// configuration.monitors.append(
///     MetricsMonitor { summary in
///         print(summary.method, summary.status ?? 0, summary.duration)
///     })
/// ```
///
/// It depends on no metrics library. A streamed response is done when its head is there: bytes and times of its body are
/// not among the numbers.
public final class MetricsMonitor: EventMonitor {
    fileprivate struct Tally {
        var started: Duration
        var redirects = 0
        var delays = Duration.zero
        var bytesSent = 0
        var bytesReceived = 0
        var isFromCache = false
        var isCoalesced = false
        var sent: (method: HTTPMethod, url: HTTPURL)?
    }

    private let tallies = Mutex<[RequestID: Tally]>([:])
    private let clock: SessionClock
    private let report: @Sendable (RequestSummary) -> Void

    /// Creates a monitor that calls a function for each request that is done.
    public init(clock: SessionClock = .system, _ report: @escaping @Sendable (RequestSummary) -> Void) {
        self.clock = clock
        self.report = report
    }

    /// Creates a monitor that tells an observer of each request that is done.
    public convenience init(_ observer: some RequestMetricsObserver, clock: SessionClock = .system) {
        self.init(clock: clock) { observer.requestFinished($0) }
    }

    /// Adds the event to what is known of its request.
    public func receive(_ event: SessionEvent, of request: RequestID) {
        switch event {
        case .created:
            let now = clock.now()
            tallies.withLock { $0[request] = Tally(started: now) }
        case .sent(let sent, _):
            change(request) { $0.sent = (sent.method, sent.url) }
        case .redirected(let response, _):
            change(request) {
                $0.redirects += 1
                $0.add(response.metrics)
            }
        case .servedFromCache:
            change(request) { $0.isFromCache = true }
        case .coalesced:
            change(request) { $0.isCoalesced = true }
        case .retrying(_, let delay, let failure):
            change(request) {
                $0.delays += delay
                if let metrics = failure.response?.metrics ?? failure.error?.metrics { $0.add(metrics) }
            }
        case .finished(let result):
            finish(request, result)
        case .adapted, .resolved, .connected, .secured, .unverified, .informational, .headReceived, .received,
            .validated, .decoded:
            break
        }
    }

    private func change(_ request: RequestID, _ body: (inout Tally) -> Void) {
        tallies.withLock { tallies in
            // In place, without a copy of the entry.
            if let index = tallies.index(forKey: request) { body(&tallies.values[index]) }
        }
    }

    private func finish(_ request: RequestID, _ result: Result<Response, SessionError>) {
        let now = clock.now()
        guard var tally = tallies.withLock({ $0.removeValue(forKey: request) }) else { return }
        var summary = RequestSummary(
            id: request, method: .get, url: tally.sent?.url, status: nil, error: nil, duration: now - tally.started,
            attempts: [], redirects: tally.redirects, delays: tally.delays, isFromCache: tally.isFromCache,
            isCoalesced: tally.isCoalesced, bytesSent: 0, bytesReceived: 0)
        switch result {
        case .success(let response):
            summary.note(response)
            tally.add(response.metrics)
            summary.attempts = response.attempts + [response.metrics]
        case .failure(let error):
            summary.method = tally.sent?.method ?? error.method
            if summary.url == nil { summary.url = try? HTTPURL(error.url) }
            if let response = error.response { summary.note(response) }
            summary.error = error
            tally.add(error.metrics)
            summary.attempts = error.attempts + [error.metrics]
        }
        summary.bytesSent = tally.bytesSent
        summary.bytesReceived = tally.bytesReceived
        report(summary)
    }
}

extension MetricsMonitor.Tally {
    fileprivate mutating func add(_ metrics: ExchangeMetrics) {
        bytesSent += metrics.bytesSent
        bytesReceived += metrics.bytesReceived
    }
}

extension RequestSummary {
    fileprivate mutating func note(_ response: Response) {
        method = response.request.method
        url = response.url
        status = response.status
    }
}

/// What a request has come to, in numbers: what a metrics system is fed with.
public struct RequestSummary: Sendable {
    /// The request's number.
    public var id: RequestID
    /// The method of what was sent last.
    public var method: HTTPMethod
    /// The URL of what was sent last; nil if the request could not be made.
    public var url: HTTPURL?
    /// The status of the response, also where a validator or serializer has refused it.
    public var status: Int?
    /// Why it failed; nil if it did not.
    public var error: SessionError?
    /// From its creation to its end, with retries, delays and redirects.
    public var duration: Duration
    /// The measurements of every attempt, the last one at the end; those of attempts that never began are zero.
    public var attempts: [ExchangeMetrics]
    /// How many redirects were followed in all attempts.
    public var redirects: Int
    /// How long was waited between attempts.
    public var delays: Duration
    /// Whether the response is the cache's.
    public var isFromCache: Bool
    /// Whether the response was that of an equal request under way.
    public var isCoalesced: Bool
    /// Bytes sent in all attempts and hops: request lines, headers and bodies, before TLS.
    public var bytesSent: Int
    /// Bytes received in all attempts and hops: status lines, headers, bodies and framing, after TLS.
    public var bytesReceived: Int
}
