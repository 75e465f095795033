import Synchronization

/// An observer of the metrics of finished requests.
public protocol RequestMetricsObserver: Sendable {
    /// Receives the summary of a finished request; must return quickly.
    func requestFinished(_ summary: RequestSummary)
}

/// A monitor that collects the metrics of each request and reports them when it finishes.
///
/// ```swift
/// configuration.monitors.append(
///     MetricsMonitor { summary in
///         print(summary.method, summary.status ?? 0, summary.duration)
///     })
/// ```
///
/// It depends on no metrics library. A streamed response is reported when its head has arrived, without the size and
/// timing of its body.
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

    /// Creates a monitor that calls a function for each finished request.
    public init(clock: SessionClock = .system, _ report: @escaping @Sendable (RequestSummary) -> Void) {
        self.clock = clock
        self.report = report
    }

    /// Creates a monitor that notifies an observer of each finished request.
    public convenience init(_ observer: some RequestMetricsObserver, clock: SessionClock = .system) {
        self.init(clock: clock) { observer.requestFinished($0) }
    }

    /// Adds the event to the metrics of its request.
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
            // Modify the entry in place, without a copy.
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

/// The metrics of a finished request, for a metrics system.
public struct RequestSummary: Sendable {
    /// The ID of the request.
    public var id: RequestID
    /// The method of the last request that was sent.
    public var method: HTTPMethod
    /// The URL of the last request that was sent; nil if the request could not be created.
    public var url: HTTPURL?
    /// The status of the response, even if a validator or serializer rejected it.
    public var status: Int?
    /// The error; nil if the request succeeded.
    public var error: SessionError?
    /// The duration from creation to completion, including retries, delays and redirects.
    public var duration: Duration
    /// The metrics of all attempts in order; those of attempts that never started are zero.
    public var attempts: [ExchangeMetrics]
    /// The number of redirects followed in all attempts.
    public var redirects: Int
    /// The total delay between attempts.
    public var delays: Duration
    /// Whether the response was served from the cache.
    public var isFromCache: Bool
    /// Whether the request shared the response of an equal request in flight.
    public var isCoalesced: Bool
    /// The number of bytes sent in all attempts and hops: request lines, headers and bodies, before TLS.
    public var bytesSent: Int
    /// The number of bytes received in all attempts and hops: status lines, headers, bodies and framing, after TLS.
    public var bytesReceived: Int
}
