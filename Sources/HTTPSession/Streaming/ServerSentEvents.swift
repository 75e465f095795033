import Basics

/// The events of a server as they arrive (WHATWG HTML section 9.2); the request is sent when the first is asked for.
///
/// A connection that is lost, and a stream that ends, is connected to again as ``EventReconnection`` says, with the last
/// event's ID in `Last-Event-ID`. Status 204 ends the events. Another status than 200, or another content type than
/// `text/event-stream`, is an error, and so is a first connection that cannot be made. Leaving a loop ends the exchange.
public struct ServerSentEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// Why there is no more.
    public typealias Failure = SessionError

    /// The largest event in bytes, if not given otherwise: one mebibyte.
    public static let standardMaximumEventBytes = 1 << 20

    let exchange: PendingExchange
    let reconnection: EventReconnection
    let lastEventID: String
    let maximumEventBytes: Int

    /// An iterator, which has sent nothing yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Reads events.
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

        /// The ID of the last event, with which another iteration could go on; empty if there was none.
        public var lastEventID: String { parser.lastEventID }

        /// The next event, or nil at the end.
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

        /// The next event, or nil at the end.
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

        /// The stream to read from, connected to if need be; nil if the server has nothing more to say.
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
            let message: String
            if response.status != 200 {
                message = "the server answers with status \(response.status) where events were asked for"
            } else {
                let field = response.headers["Content-Type"]
                if let field, let type = MediaRange(field), type.description == "text/event-stream" { return }
                message =
                    field.map { "the Content-Type is \($0), not text/event-stream" }
                    ?? "the response has no Content-Type; it should be text/event-stream"
            }
            throw SessionError(.validate, .unacceptableResponse, message, response: response.response)
        }

        /// The next event of the stream; nil at the stream's end.
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

        /// Waits for the time of the next reconnection; false if there is to be none after a regular end.
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
    /// Whether there was no connection, or it ended too early; the same request may succeed at another time.
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

/// An event of a `text/event-stream` (WHATWG HTML section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The type; `message` where the stream names none.
    public var type: String
    /// The data: the values of the event's data lines, joined by line feeds.
    public var data: String
    /// The last event ID the stream has given, with this event or an earlier one; empty if none.
    public var id: String
    /// The time to wait before a reconnection, if this event has set it.
    public var retry: Duration?

    /// Creates an event.
    public init(type: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.type = type
        self.data = data
        self.id = id
        self.retry = retry
    }
}

/// Whether and when a lost stream of events is connected to again.
public struct EventReconnection: Sendable, Hashable {
    /// How many times in all; nil for any number.
    public var maximum: Int?
    /// The time before the first reconnection, until the server asks for another.
    public var delay: Duration
    /// The most that the delay grows to; it doubles with each reconnection that fails.
    public var maximumDelay: Duration
    /// Whether the regular end of a stream is followed by a reconnection, as browsers do.
    public var followsEnd: Bool

    /// Creates a rule; without arguments any number of reconnections, the first after 3 seconds.
    public init(
        maximum: Int? = nil, delay: Duration = .seconds(3), maximumDelay: Duration = .seconds(60),
        followsEnd: Bool = true
    ) {
        self.maximum = maximum
        self.delay = delay
        self.maximumDelay = maximumDelay
        self.followsEnd = followsEnd
    }

    /// Any number of reconnections, the first after 3 seconds.
    public static let standard = EventReconnection()

    /// No reconnection: the events end with the response.
    public static let never = EventReconnection(maximum: 0)

    /// The time before a reconnection.
    /// - Parameters:
    ///   - asked: What the server has asked for.
    ///   - failures: How many reconnections have failed since the last one that succeeded.
    func delay(asked: Duration?, failures: Int) -> Duration {
        let base = max(.zero, asked ?? delay)
        // What a server asks for is waited for, even if it is longer than the delay may grow.
        let most = max(base, maximumDelay)
        guard failures > 0, base > .zero else { return base }
        let factor = 1 << min(failures, 20)
        return base > most / factor ? most : base * factor
    }
}

/// Makes events of the lines of a `text/event-stream` (WHATWG HTML section 9.2.6).
package struct ServerSentEventParser {
    /// The largest event: its data, type and ID together, in bytes.
    package let limit: Int
    /// The ID of the last event that was dispatched; a reconnection sends it.
    package private(set) var lastEventID: String
    /// The time to wait before a reconnection that the server has asked for.
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

    /// Forgets an event that the end of a stream has cut short, and expects the start of another stream.
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

    /// Takes a line without its end.
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
            // A time of more than 15 digits is none that anybody waits for.
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
