public import Logging
import Synchronization

/// A monitor that logs requests with swift-log, with a line per request or per event.
///
/// ```swift
/// configuration.monitors.append(LoggingMonitor(Logger(label: "api"), detail: .requests))
/// ```
///
/// The message contains the method, URL, status, duration, bytes and number of attempts; the metadata has the same
/// values as separate keys. Values that ``Redaction`` covers are never logged, nor are the fields that an adapter lists
/// in ``Request/credentialFields``.
public final class LoggingMonitor: EventMonitor {
    /// The amount of detail in the log.
    public enum Detail: Sendable, Hashable {
        /// One line when a request finishes.
        case requests
        /// A line for each event, and one when the request finishes.
        case events
    }

    /// The log levels of the kinds of lines.
    public struct Levels: Sendable, Hashable {
        /// The level of a request with a response status below 400.
        public var success: Logger.Level
        /// The level of a request with a response status of 400 or more.
        public var refusal: Logger.Level
        /// The level of a failed request.
        public var failure: Logger.Level
        /// The level of a request that was cancelled, or whose session was closed.
        public var cancellation: Logger.Level
        /// The level of a retry.
        public var retry: Logger.Level
        /// The level of any other event.
        public var event: Logger.Level
        /// The level of a connection to an unverified server.
        public var unverified: Logger.Level

        /// Creates a set of levels.
        public init(
            success: Logger.Level = .info, refusal: Logger.Level = .notice, failure: Logger.Level = .error,
            cancellation: Logger.Level = .debug, retry: Logger.Level = .notice, event: Logger.Level = .debug,
            unverified: Logger.Level = .warning
        ) {
            self.success = success
            self.refusal = refusal
            self.failure = failure
            self.cancellation = cancellation
            self.retry = retry
            self.event = event
            self.unverified = unverified
        }
    }

    /// The destination of the lines.
    public let logger: Logger
    /// The amount of detail.
    public let detail: Detail
    /// The log levels of the kinds of lines.
    public let levels: Levels
    /// Whether header fields are logged.
    public let logsHeaders: Bool
    /// The values to hide.
    public let redaction: Redaction

    /// The credential fields of requests in flight.
    private let credentials = Mutex<[RequestID: Set<String>]>([:])

    /// Creates a monitor.
    /// - Parameters:
    ///   - logger: The destination of the lines; its level is checked before a line is created.
    ///   - detail: The amount of detail.
    ///   - levels: The log levels of the kinds of lines.
    ///   - logsHeaders: Whether header fields are logged.
    ///   - redaction: The values to hide.
    public init(
        _ logger: Logger = Logger(label: "HTTPSession"), detail: Detail = .requests, levels: Levels = .init(),
        logsHeaders: Bool = false, redaction: Redaction = .standard
    ) {
        self.logger = logger
        self.detail = detail
        self.levels = levels
        self.logsHeaders = logsHeaders
        self.redaction = redaction
    }

    /// Logs the event if its level is enabled.
    public func receive(_ event: SessionEvent, of request: RequestID) {
        if logsHeaders { noteCredentials(event, request) }
        let level = level(of: event)
        guard let level, logger.logLevel <= level else { return }
        let hidden = logsHeaders ? credentials.withLock { $0[request] ?? [] } : []
        var line = EventLine(event, redaction.hiding(fields: hidden), logsHeaders: logsHeaders)
        line.metadata["http.request"] = .string(request.description)
        logger.log(level: level, "\(line.message)", metadata: line.metadata)
        if case .finished = event, logsHeaders { credentials.withLock { _ = $0.removeValue(forKey: request) } }
    }

    private func noteCredentials(_ event: SessionEvent, _ request: RequestID) {
        switch event {
        case .adapted(let adapted, _):
            guard !adapted.credentialFields.isEmpty else { return }
            credentials.withLock {
                $0[request, default: []].formUnion(adapted.credentialFields.map { $0.lowercased() })
            }
        case .finished where !isWritten(event):
            credentials.withLock { _ = $0.removeValue(forKey: request) }
        default: break
        }
    }

    private func isWritten(_ event: SessionEvent) -> Bool {
        level(of: event).map { logger.logLevel <= $0 } ?? false
    }

    /// Returns the level of an event's line; nil if it is not logged.
    private func level(of event: SessionEvent) -> Logger.Level? {
        switch event {
        case .finished(.success(let response)): response.status < 400 ? levels.success : levels.refusal
        case .finished(.failure(let error)):
            switch error.reason {
            case .cancelled, .sessionClosed: levels.cancellation
            default: levels.failure
            }
        case .retrying: levels.retry
        case .unverified: levels.unverified
        default: detail == .events ? levels.event : nil
        }
    }
}

/// A log line of an event: a message for people, and metadata for machines.
struct EventLine {
    /// The message of the line.
    private(set) var message = ""
    /// The values of the message, as separate keys.
    var metadata: Logger.Metadata = [:]

    private let redaction: Redaction
    private let logsHeaders: Bool

    init(_ event: SessionEvent, _ redaction: Redaction, logsHeaders: Bool) {
        self.redaction = redaction
        self.logsHeaders = logsHeaders
        metadata["http.event"] = .string(event.name)
        describe(event)
    }

    private mutating func describe(_ event: SessionEvent) {
        switch event {
        case .created(let request):
            message = "created \(words(request.method, request.url))"
        case .adapted(let request, let attempt):
            message = "adapted \(words(request.method, request.url)) for attempt \(attempt)"
            metadata["http.attempt"] = .stringConvertible(attempt)
            note(request.headers, "http.request.headers")
        case .servedFromCache(let response):
            message = "served from the cache: \(words(response.request.method, response.url.description))"
            note(response)
        case .coalesced:
            message = "shares the response of an identical request"
        case .resolved(let host, let addresses, let duration):
            message = "resolved \(host) to \(addresses.joined(separator: ", ")) in \(Self.text(duration))"
        case .connected(let address, let isReused, let duration):
            message = isReused ? "reuses the connection to \(address)" : "connected to \(address)"
            if let duration { message += " in \(Self.text(duration))" }
            metadata["http.connection.reused"] = .stringConvertible(isReused)
        case .secured(let details, let duration):
            message = "secured with \(details.version) in \(Self.text(duration))"
            if !details.verified { message += ", server not verified" }
        case .unverified(let host):
            message = "the server \(host) is not verified: the trust policy is \"insecure\""
        case .sent(let request, let bytes):
            message = "sent \(words(request.method, request.url.description)), \(bytes) bytes"
            metadata["http.request.bytes"] = .stringConvertible(bytes)
            note(request.headers, "http.request.headers")
        case .informational(let head):
            message = "informational response \(head.status)"
            note(head)
        case .headReceived(let head):
            message = "status \(head.status)\(head.reason.isEmpty ? "" : " " + head.reason)"
            note(head)
        case .received(let response):
            message = "received \(response.body.count) bytes"
            metadata["http.response.bytes"] = .stringConvertible(response.body.count)
        case .redirected(let response, let url):
            message = "redirected with \(response.status) to \(redaction.url(url.description))"
        case .validated(let findings):
            message = findings.isEmpty ? "validated" : "validation failed: \(findings.joined(separator: "; "))"
        case .retrying(let attempt, let delay, let failure):
            message = "attempt \(attempt) of \(words(failure.request.method, failure.request.url))"
            message += delay > .zero ? " in \(Self.text(delay))" : " immediately"
            if let error = failure.error {
                message += " after \(Self.name(error.reason))"
            } else if let response = failure.response {
                message += " after status \(response.status)"
            }
            metadata["http.attempt"] = .stringConvertible(attempt)
        case .decoded(let type, let error):
            message = error == nil ? "decoded as \(type)" : "not decodable as \(type)"
        case .finished(.success(let response)): finished(response)
        case .finished(.failure(let error)): failed(error)
        }
    }

    private mutating func finished(_ response: Response) {
        let attempts = response.attempts.count + 1
        message = words(response.request.method, response.url.description)
        message += " \(response.status)\(response.reason.isEmpty ? "" : " " + response.reason)"
        message += " in \(Self.text(response.metrics.total)), \(response.body.count) bytes"
        if response.isFromCache { message += " from the cache" }
        if !response.history.isEmpty { message += ", redirected \(response.history.count)×" }
        if attempts > 1 { message += ", attempt \(attempts)" }
        note(response)
        metadata["http.attempts"] = .stringConvertible(attempts)
        metadata["http.redirects"] = .stringConvertible(response.history.count)
    }

    private mutating func failed(_ error: SessionError) {
        // Error messages quote URLs and bodies; only the reason contains no secrets.
        message = "\(words(error.method, error.url)) failed: \(Self.name(error.reason)) (\(error.phase.rawValue))"
        let attempts = error.attempts.count + 1
        if attempts > 1 { message += ", attempt \(attempts)" }
        metadata["http.phase"] = .string(error.phase.rawValue)
        metadata["http.reason"] = .string(Self.name(error.reason))
        metadata["http.attempts"] = .stringConvertible(attempts)
        metadata["http.redirects"] = .stringConvertible(error.history.count)
        if let response = error.response {
            message += ", status \(response.status)"
            note(response)
        } else {
            message += " after \(Self.text(error.metrics.total))"
        }
    }

    // MARK: Parts

    private mutating func words(_ method: HTTPMethod, _ url: String) -> String {
        let url = redaction.url(url)
        metadata["http.method"] = .string(method.rawValue)
        metadata["http.url"] = .string(url)
        return "\(method) \(url)"
    }

    private mutating func note(_ response: Response) {
        metadata["http.status"] = .stringConvertible(response.status)
        metadata["http.response.bytes"] = .stringConvertible(response.body.count)
        metadata["http.seconds"] = .stringConvertible(response.metrics.total.inSeconds)
        note(response.headers, "http.response.headers")
    }

    private mutating func note(_ head: ResponseHead) {
        metadata["http.status"] = .stringConvertible(head.status)
        note(head.headers, "http.response.headers")
    }

    private mutating func note(_ headers: HTTPHeaders, _ key: String) {
        guard logsHeaders else { return }
        metadata[key] = .array(redaction.header(headers).fields.map { .string("\($0.name): \($0.value)") })
    }

    /// Returns the name of a reason with its details, as in `timedOut(connect)`.
    static func name(_ reason: SessionError.Reason) -> String {
        switch reason {
        case .timedOut(let limit, _): "timedOut(\(limit.rawValue))"
        case .certificate(let problem): "certificate(\(problem))"
        case .limitExceeded(let limit, let value): "limitExceeded(\(limit.rawValue), \(value))"
        case .tooManyRedirects(let limit): "tooManyRedirects(\(limit))"
        default: "\(reason)"
        }
    }

    /// Formats a duration: in microseconds below a millisecond, in milliseconds below ten seconds.
    static func text(_ duration: Duration) -> String {
        let nanoseconds = MonotonicClock.nanoseconds(duration)
        switch nanoseconds {
        case ..<1_000_000: return "\(nanoseconds / 1000) µs"
        case ..<10_000_000_000: return "\(nanoseconds / 1_000_000) ms"
        default: return "\(nanoseconds / 1_000_000_000) s"
        }
    }
}
