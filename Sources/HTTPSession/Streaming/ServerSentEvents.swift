import Basics

/// The server-sent events of a response (WHATWG HTML, section 9.2); the request is sent when the first is requested.
///
/// After a lost connection or the end of a stream, the client reconnects according to its ``EventReconnection`` policy
/// and sends the ID of the last event in `Last-Event-ID`. Status 204 ends the sequence. Any other status than 200, a
/// content type other than `text/event-stream`, and a failed first connection are errors. Leaving a loop cancels the
/// exchange.
///
/// ```swift
/// for try await event in session.get("feed").serverSentEvents() { print(event.type, event.data) }
/// ```
public struct ServerSentEvents: AsyncSequence, Sendable {
    /// A server-sent event.
    public typealias Element = ServerSentEvent
    /// The error that ends the sequence.
    public typealias Failure = SessionError

    /// The default maximum size of an event: one mebibyte.
    public static let standardMaximumEventBytes = 1 << 20

    let exchange: PendingExchange
    let reconnection: EventReconnection
    let lastEventID: String
    let maximumEventBytes: Int

    /// Returns an iterator; nothing is sent before its first event is requested.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// The iterator over the events of a response.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let events: ServerSentEvents
        private var scanner: LineScanner
        private var parser: ServerSentEventParser
        private var lease: ResponseBytes.Lease?
        private var isOver = false
        private var hasConnected = false
        private var reconnections = 0
        private var failures = 0

        fileprivate init(_ events: ServerSentEvents) {
            self.events = events
            scanner = LineScanner(limit: events.maximumEventBytes)
            parser = ServerSentEventParser(limit: events.maximumEventBytes, lastEventID: events.lastEventID)
        }

        /// The ID of the last event, which another iteration can resume from; empty if there was none.
        public var lastEventID: String { parser.lastEventID }

        /// Returns the next event, or nil at the end.
        public nonisolated(nonsending) mutating func next() async throws(SessionError) -> ServerSentEvent? {
            while !isOver {
                var lost: SessionError?
                do throws(SessionError) {
                    guard let stream = try await connected() else { return end() }
                    if let event = try await read(stream) { return event }
                } catch {
                    guard hasConnected, error.isConnectionLoss else {
                        _ = end()
                        throw error
                    }
                    lost = error
                }
                lease = nil
                guard try await waitToReconnect(after: lost) else { return end() }
            }
            return nil
        }

        /// Returns the next event, or nil at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(SessionError) -> ServerSentEvent? {
            try await next()
        }

        private mutating func end() -> ServerSentEvent? {
            isOver = true
            lease = nil
            return nil
        }

        /// Returns the current stream and connects if necessary; nil if the server has ended the events.
        private nonisolated(nonsending) mutating func connected() async throws(SessionError) -> ResponseBodyStream? {
            if let lease { return lease.stream }
            let response = try await request().stream()
            let fresh = ResponseBytes.Lease(response.body)
            guard response.status != 204 else { return nil }
            try Self.check(response)
            hasConnected = true
            failures = 0
            scanner = LineScanner(limit: events.maximumEventBytes)
            parser.restart()
            lease = fresh
            return fresh.stream
        }

        private func request() -> PendingExchange {
            events.exchange.with { request in
                if !request.headers.contains("Accept") {
                    request.headers.append(name: "Accept", value: "text/event-stream")
                }
                if !request.headers.contains("Cache-Control") {
                    request.headers.append(name: "Cache-Control", value: "no-store")
                }
                if !parser.lastEventID.isEmpty { request.headers.set(name: "Last-Event-ID", value: parser.lastEventID) }
                if !request.timeouts.fields.contains(.idle) { request.timeouts.idle = nil }
                if !request.timeouts.fields.contains(.total) { request.timeouts.total = nil }
            }
        }

        private static func check(_ response: StreamedResponse) throws(SessionError) {
            let message: MessageText
            if response.status != 200 {
                message = "the server responded with status \(response.status) to a request for events"
            } else {
                let field = response.headers["Content-Type"]
                if let field, let type = MediaRange(field), type.description == "text/event-stream" { return }
                message =
                    field.map { "expected the Content-Type text/event-stream, got \($0)" }
                    ?? "expected the Content-Type text/event-stream, got none"
            }
            throw SessionError(.validate, .unacceptableResponse, message, response: response.response)
        }

        /// Returns the next event of the stream, or nil at its end.
        private nonisolated(nonsending) mutating func read(_ stream: ResponseBodyStream) async throws(SessionError)
            -> ServerSentEvent?
        {
            while true {
                while let event = scanner.next(&parser, { $0.take($1) }) {
                    if parser.isOverLimit { throw tooLarge }
                    if let event { return event }
                }
                if scanner.isOverLimit { throw tooLarge }
                guard let piece = try await stream.next() else { return nil }
                scanner.append(piece)
            }
        }

        private var tooLarge: SessionError {
            SessionError(
                .receive, .limitExceeded(.eventBytes, scanner.limit),
                "an event is larger than the limit of \(scanner.limit) bytes", request: events.exchange.request)
        }

        /// Waits until the next reconnection; returns false if none follows after a regular end.
        private nonisolated(nonsending) mutating func waitToReconnect(after lost: SessionError?)
            async throws(SessionError) -> Bool
        {
            let rule = events.reconnection
            let isAllowed = rule.maximum.map { reconnections < $0 } ?? true
            guard isAllowed, lost != nil || rule.followsEnd else {
                isOver = true
                if let lost { throw lost }
                return false
            }
            let session = events.exchange.session
            await session.lifetime.sleep(
                rule.delay(asked: parser.retry, failures: failures), clock: session.configuration.clock)
            reconnections += 1
            failures += 1
            guard let end = session.lifetime.interruption() else { return true }
            isOver = true
            throw SessionError(.request, end.reason, end.message, request: events.exchange.request)
        }
    }
}

extension SessionError {
    /// Whether there was no connection, or it ended too early; a retry may succeed.
    var isConnectionLoss: Bool {
        switch reason {
        case .nameNotResolved, .connectionRefused, .connectionFailed, .connectionClosed, .connectionReset,
            .protocolViolation:
            true
        case .timedOut(let limit, _): limit != .total
        default: false
        }
    }
}

/// An event of a `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The event type; `message` if the stream names none.
    public var type: String
    /// The data: the values of the event's `data` fields, joined by line feeds.
    public var data: String
    /// The last event ID of the stream, set by this event or a previous one; empty if none.
    public var id: String
    /// The reconnection time, if this event sets it.
    public var retry: Duration?

    /// Creates an event.
    public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.type = type
        self.data = data
        self.id = id
        self.retry = retry
    }
}

/// The policy for reconnecting to a lost event stream.
public struct EventReconnection: Sendable, Hashable {
    /// The maximum number of reconnections; nil for no limit.
    public var maximum: Int?
    /// The delay before the first reconnection, unless the server sets another.
    public var delay: Duration
    /// The maximum delay; the delay doubles with each failed reconnection.
    public var maximumDelay: Duration
    /// Whether to reconnect after the regular end of a stream, as browsers do.
    public var followsEnd: Bool

    /// Creates a policy; by default, the number of reconnections is unlimited and the first follows after 3 seconds.
    public init(
        maximum: Int? = nil, delay: Duration = .seconds(3), maximumDelay: Duration = .seconds(60),
        followsEnd: Bool = true
    ) {
        self.maximum = maximum
        self.delay = delay
        self.maximumDelay = maximumDelay
        self.followsEnd = followsEnd
    }

    /// Unlimited reconnections, the first after 3 seconds.
    public static let standard = EventReconnection()

    /// No reconnections: the events end with the response.
    public static let never = EventReconnection(maximum: 0)

    /// Returns the delay before a reconnection.
    /// - Parameters:
    ///   - asked: The reconnection time set by the server.
    ///   - failures: The number of reconnections that have failed since the last successful one.
    func delay(asked: Duration?, failures: Int) -> Duration {
        let base = max(.zero, asked ?? delay)
        // A time set by the server is respected even if it exceeds the maximum delay.
        let maximum = max(base, maximumDelay)
        guard failures > 0, base > .zero else { return base }
        let factor = 1 << min(failures, 20)
        return base > maximum / factor ? maximum : base * factor
    }
}

/// The parser of a `text/event-stream`, line by line (WHATWG HTML, section 9.2.6).
package struct ServerSentEventParser {
    /// The maximum size of an event in bytes: its data, type and ID together.
    package let limit: Int
    /// The ID of the last dispatched event, sent on reconnection.
    package private(set) var lastEventID: String
    /// The reconnection time that the server has set.
    package private(set) var retry: Duration?
    /// Whether an event was larger than the limit.
    package private(set) var isOverLimit = false

    private var isAtStart = true
    private var idBuffer: String
    private var typeBuffer: [UInt8] = []
    private var dataBuffer: [UInt8] = []
    private var retryOfEvent: Duration?

    package init(limit: Int, lastEventID: String) {
        self.limit = limit
        self.lastEventID = lastEventID
        idBuffer = lastEventID
    }

    /// Discards an incomplete event and prepares for the start of another stream.
    package mutating func restart() {
        isAtStart = true
        idBuffer = lastEventID
        clear()
    }

    private mutating func clear() {
        typeBuffer.removeAll(keepingCapacity: true)
        dataBuffer.removeAll(keepingCapacity: dataBuffer.count <= 64 << 10)
        retryOfEvent = nil
    }

    /// Parses a line without its line break.
    /// - Returns: The event that the line completes.
    package mutating func take(_ line: UnsafeBufferPointer<UInt8>) -> ServerSentEvent? {
        var line = line[...]
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        }
        guard let first = line.first else { return dispatch() }
        // A comment.
        if first == UInt8(ascii: ":") { return nil }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            field(line, line.prefix(0))
            return nil
        }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        field(line[..<colon], value)
        return nil
    }

    private mutating func field(_ name: Slice<UnsafeBufferPointer<UInt8>>, _ value: Slice<UnsafeBufferPointer<UInt8>>) {
        switch name.count {
        case 4 where name.elementsEqual("data".utf8):
            dataBuffer.append(contentsOf: value)
            dataBuffer.append(10)
        case 5 where name.elementsEqual("event".utf8):
            typeBuffer = Array(value)
        case 2 where name.elementsEqual("id".utf8):
            if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
        case 5 where name.elementsEqual("retry".utf8):
            guard !value.isEmpty, value.allSatisfy(ASCII.isDigit) else { return }
            // Times of more than 15 digits are capped: the conversion could overflow.
            let milliseconds = value.count > 15 ? Int64(1) << 50 : value.reduce(0) { $0 * 10 + Int64($1 - 48) }
            retry = .milliseconds(milliseconds)
            retryOfEvent = retry
        default:
            break
        }
        if dataBuffer.count + typeBuffer.count + idBuffer.utf8.count > limit { isOverLimit = true }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = idBuffer
        defer { clear() }
        guard dataBuffer.popLast() != nil else { return nil }
        return ServerSentEvent(
            type: typeBuffer.isEmpty ? "message" : String(decoding: typeBuffer, as: UTF8.self),
            data: String(decoding: dataBuffer, as: UTF8.self), id: lastEventID, retry: retryOfEvent)
    }
}
