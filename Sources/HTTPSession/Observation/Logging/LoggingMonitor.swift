public import Logging
import Synchronization

/// Writes what happens to a log (swift-log): a line for each request, or for each event.
///
/// ```swift
/// configuration.monitors.append(LoggingMonitor(Logger(label: "api"), detail: .requests))
/// ```
///
/// A line tells method, URL, status, time, bytes and attempts in its message, and the same apart in its metadata. What
/// ``Redaction`` names is never written, nor is a field that an adapter has named in ``Request/credentialFields``.
public final class LoggingMonitor: EventMonitor {
    /// How much is written.
    public enum Detail: Sendable, Hashable {
        /// A line when a request is done.
        case requests
        /// A line for each event, and that line at the end.
        case events
    }

    /// The level of each kind of line.
    public struct Levels: Sendable, Hashable {
        /// A request whose response has a status under 400.
        public var success: Logger.Level
        /// A request whose response has a status of 400 or more.
        public var refusal: Logger.Level
        /// A request that has failed.
        public var failure: Logger.Level
        /// A request that was cancelled, or whose session was closed.
        public var cancellation: Logger.Level
        /// An attempt that is made again.
        public var retry: Logger.Level
        /// An event on the way.
        public var event: Logger.Level
        /// A server that was not verified.
        public var unverified: Logger.Level

        /// Creates levels.
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

    /// Where the lines go.
    public let logger: Logger
    /// How much is written.
    public let detail: Detail
    /// The level of each kind of line.
    public let levels: Levels
    /// Whether headers are written with the events that have them.
    public let logsHeaders: Bool
    /// What is hidden.
    public let redaction: Redaction

    /// The credential fields of requests under way that have any.
    private let credentials = Mutex<[RequestID: Set<String>]>([:])

    /// Creates a monitor.
    /// - Parameters:
    ///   - logger: Where the lines go; its level is asked before a line is made.
    ///   - detail: How much is written.
    ///   - levels: The level of each kind of line.
    ///   - logsHeaders: Whether headers are written with the events that have them.
    ///   - redaction: What is hidden.
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

    /// Writes the event, if its level is one that the logger writes.
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

    /// The level of an event's line; nil if it has none.
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
