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
                phase: .receive, reason: .limitExceeded(.eventBytes, scanner.limit),
                message: "an event is larger than the limit of \(scanner.limit) bytes",
                method: events.exchange.request.method, url: events.exchange.request.url)
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
            let reason: SessionError.Reason
            if Task.isCancelled {
                reason = .cancelled
            } else if session.lifetime.isEnded {
                reason = .sessionClosed
            } else {
                return true
            }
            isOver = true
            throw SessionError(
                phase: .request, reason: reason,
                message: reason == .cancelled ? "the request was cancelled" : "the session was closed",
                method: events.exchange.request.method, url: events.exchange.request.url)
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
