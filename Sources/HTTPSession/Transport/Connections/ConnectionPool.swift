import Basics
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The exchanges and connections of a transport on one event loop; used on that loop only, so without locks.
final class ConnectionPool {
    let eventLoop: any EventLoop
    let settings: NIOTransport.Settings
    /// The time for which an idle connection is kept, in nanoseconds.
    private(set) var idleNanoseconds: UInt64
    let certificates: TLSContexts
    let resolver: HostResolver
    /// The observed idle timeouts of servers.
    let idleTimeouts: IdleTimeouts

    private var origins: [Origin: OriginConnections] = [:]
    private var lastOrigin: OriginConnections?
    private var exchanges: [TransportExchange] = []
    private var lastID: UInt64 = 0
    private var lastLimits: (of: Timeouts, limits: TransportExchange.TimeLimits)?
    /// The settings for which the limits were last computed, unless they contain closures that must not be retained.
    private var lastSettings: TransportRequest.SharedSettings?
    /// The channels that have switched to another protocol.
    private var upgraded: [ObjectIdentifier: any Channel] = [:]
    private var isClosed = false
    /// The buffer of the last request on any connection, for reuse.
    var spare: ByteBuffer?
    /// The heuristic for polling for the response to the only request in flight.
    var responseWatch = ResponseWatch()

    private var tick: Scheduled<Void>?
    private var tickTime = UInt64.max

    init(
        eventLoop: any EventLoop, settings: NIOTransport.Settings, certificates: TLSContexts,
        idleTimeouts: IdleTimeouts = IdleTimeouts()
    ) {
        self.eventLoop = eventLoop
        self.idleTimeouts = idleTimeouts
        self.settings = settings
        idleNanoseconds = settings.idleNanoseconds
        self.certificates = certificates
        resolver = HostResolver(eventLoop: eventLoop)
    }

    // MARK: Exchanges

    /// Returns a new ID, by which an exchange can be cancelled.
    func makeID() -> UInt64 {
        lastID &+= 1
        return lastID
    }

    /// Starts an exchange; its continuation is resumed exactly once.
    func start(
        _ request: TransportRequest, id: UInt64, isCancelled: Bool, feed: RequestBodyFeed? = nil,
        upgrade: TransportExchange.Upgrade? = nil, continuation: TransportExchange.Continuation
    ) {
        let exchange = TransportExchange(
            id: id, pool: self, request: request, limits: timeLimits(of: request.settings), feed: feed,
            upgrade: upgrade,
            continuation: continuation)
        if isCancelled {
            return exchange.finish(.failure(exchange.error(.cancelled, "the request was canceled", phase: .request)))
        }
        if isClosed {
            return exchange.finish(.failure(exchange.error(.sessionClosed, "the session is closed", phase: .request)))
        }
        exchange.index = exchanges.count
        exchanges.append(exchange)
        ensureTick(by: exchange.nextDeadline().time)
        if case .file(let path) = request.body {
            openFile(path, for: exchange)
        } else {
            begin(exchange)
        }
    }

    private func openFile(_ path: String, for exchange: TransportExchange) {
        FileBody.open(path: path, eventLoop: eventLoop).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let file):
                exchange.file = file
                guard !exchange.isFinished else { return }
                self.begin(exchange)
            case .failure(let failure):
                self.fail(
                    exchange,
                    exchange.error(
                        .unreadableBody, "the body file \"\(path)\" cannot be read: \(failure)", phase: .request))
            }
        }
    }

    private func begin(_ exchange: TransportExchange) {
        let length: HTTP1RequestEncoder.BodyLength =
            switch exchange.request.body {
            case .empty: .none
            case .bytes(let bytes): .known(bytes.count)
            case .file: .init(exchange.file?.length)
            case .stream(let source): .init(source.length)
            }
        do {
            exchange.framing = try HTTP1RequestEncoder.framing(of: exchange.request, length: length)
        } catch {
            return fail(exchange, exchange.error(.invalidHeader, error.message, phase: .request))
        }
        connections(for: exchange.request).acquire(exchange)
        if exchanges.count == 1 { watch(exchange) }
    }

    /// Returns whether the exchange is the only one in flight.
    func isAlone(_ exchange: TransportExchange) -> Bool {
        exchanges.count == 1 && exchanges[0] === exchange
    }

    private func timeLimits(of settings: TransportRequest.SharedSettings) -> TransportExchange.TimeLimits {
        if let lastLimits, lastSettings === settings { return lastLimits.limits }
        let timeouts = settings.values.timeouts
        lastSettings = settings.values.hasListeners ? nil : settings
        if let lastLimits, lastLimits.of == timeouts { return lastLimits.limits }
        let limits = TransportExchange.TimeLimits(timeouts)
        lastLimits = (timeouts, limits)
        return limits
    }

    private func connections(for request: TransportRequest) -> OriginConnections {
        if let last = lastOrigin, last.serves(request) { return last }
        let origin = Origin(request)
        let connections = origins[origin] ?? OriginConnections(origin: origin, pool: self)
        origins[origin] = connections
        lastOrigin = connections
        return connections
    }

    /// Returns the reason why an exchange has no connection, for the message of a timeout.
    func obstacle(for exchange: TransportExchange) -> MessageText? { origins[Origin(exchange.request)]?.obstacle }

    /// Removes an origin without connections.
    func remove(_ connections: OriginConnections) {
        if origins[connections.origin] === connections { origins[connections.origin] = nil }
        if lastOrigin === connections { lastOrigin = nil }
    }

    /// Completes an exchange with its response.
    func succeed(_ exchange: TransportExchange, _ response: TransportResponse) {
        forget(exchange)
        exchange.finish(.success(response))
    }

    /// Handles the completion of an exchange's response.
    func complete(_ exchange: TransportExchange, trailers: HTTPHeaders, at end: UInt64) {
        forget(exchange)
        exchange.complete(trailers: trailers, at: end)
    }

    /// Fails an exchange and closes its connection.
    func fail(_ exchange: TransportExchange, _ error: SessionError) {
        guard !exchange.isFinished else { return }
        forget(exchange)
        let connection = exchange.connection
        let attempt = exchange.attempt
        exchange.finish(.failure(error))
        attempt?.abandon()
        connection?.abandon(exchange)
    }

    /// Returns whether an exchange is sent again after the server has closed a kept connection.
    ///
    /// - Parameter nothingSent: Whether no part of the request was sent.
    func repeats(_ exchange: TransportExchange, nothingSent: Bool) -> Bool {
        exchange.metrics.staleRetries == 0 && exchange.canBeSentAgain
            && (nothingSent || exchange.request.method.isIdempotent || settings.repeatsAllMethods)
    }

    /// Resends an exchange on a new connection, after the server had closed the previous one.
    func retryStale(_ exchange: TransportExchange) {
        exchange.metrics.staleRetries += 1
        exchange.reset()
        connections(for: exchange.request).acquire(exchange, fresh: true)
    }

    /// Cancels the exchange with the given ID if its response is still awaited.
    func cancel(_ id: UInt64) {
        guard let exchange = exchanges.first(where: { $0.id == id }), exchange.isAwaited else { return }
        fail(exchange, exchange.error(.cancelled, "the request was canceled"))
    }

    private func forget(_ exchange: TransportExchange) {
        let index = exchange.index
        guard index < exchanges.count, exchanges[index] === exchange else { return }
        guard let last = exchanges.popLast() else { return }
        if last !== exchange {
            exchanges[index] = last
            last.index = index
        }
    }

    /// Tracks a channel that has switched protocols, so that it is closed with the others.
    func adopt(_ channel: any Channel) {
        let key = ObjectIdentifier(channel)
        upgraded[key] = channel
        channel.closeFuture.assumeIsolated().whenComplete { _ in self.upgraded[key] = nil }
    }

    // MARK: Time limits

    /// Schedules a check of the time limits by `time`; a single scheduled tick serves all exchanges of the loop.
    func ensureTick(by time: UInt64) {
        guard time < tickTime else { return }
        tick?.cancel()
        tickTime = time
        let pool = NIOLoopBound(self, eventLoop: eventLoop)
        tick = eventLoop.scheduleTask(deadline: .uptimeNanoseconds(time)) { pool.value.checkLimits() }
    }

    private func checkLimits() {
        tick = nil
        tickTime = .max
        let now = MonotonicClock.now()
        var next = UInt64.max
        var expired: [(TransportExchange, SessionError.TimeLimit)] = []
        for exchange in exchanges {
            let deadline = exchange.nextDeadline()
            if deadline.time <= now {
                expired.append((exchange, deadline.limit))
            } else {
                next = min(next, deadline.time)
            }
        }
        for (exchange, limit) in expired { fail(exchange, exchange.timeoutError(limit)) }
        for connections in Array(origins.values) { next = min(next, connections.closeIdle(now: now)) }
        if next != .max { ensureTick(by: next) }
    }

    // MARK: Closing

    /// Closes idle connections now, and others when they become idle.
    func abandon() {
        idleNanoseconds = 0
        checkLimits()
    }

    /// Fails all exchanges and closes all connections; the future succeeds when they are closed.
    func close() -> EventLoopFuture<Void> {
        isClosed = true
        var channels: [any Channel] = []
        for exchange in exchanges {
            if let channel = exchange.connection?.channel { channels.append(channel) }
            if let attempt = exchange.attempt { channels.append(contentsOf: attempt.channels) }
        }
        while let exchange = exchanges.last {
            fail(exchange, exchange.error(.sessionClosed, "the session was closed"))
        }
        for connections in Array(origins.values) { channels.append(contentsOf: connections.closeAll()) }
        for channel in upgraded.values {
            channels.append(channel)
            channel.close(promise: nil)
        }
        tick?.cancel()
        tick = nil
        tickTime = .max
        lastSettings = nil
        spare = nil
        return EventLoopFuture.andAllComplete(channels.map(\.closeFuture), on: eventLoop)
    }
}

extension ConnectionPool {
    /// Whether polling is possible: with a single processor, it would prevent a local server from responding.
    static let hasProcessorsToSpare = System.coreCount > 1

    /// Polls for the response to the only request, which was just sent, when the loop has nothing else to do.
    func watch(_ exchange: TransportExchange) {
        guard Self.hasProcessorsToSpare, settings.pollsForResponse, exchange.isRequestSent, isAlone(exchange),
            responseWatch.isWorthwhile()
        else { return }
        let waiting = NIOLoopBound((self, exchange), eventLoop: eventLoop)
        eventLoop.execute {
            let (pool, exchange) = waiting.value
            guard pool.isAlone(exchange), exchange.step == .waiting, let connection = exchange.connection,
                connection.channel?.isActive == true, let socket = connection.socket
            else { return }
            let hasCome = Self.waitForInput(from: socket, nanoseconds: ResponseWatch.maximumLength)
            pool.responseWatch.note(hasCome: hasCome)
        }
    }

    /// Polls a socket until it is readable or the time is over.
    private static func waitForInput(from socket: CInt, nanoseconds: UInt64) -> Bool {
        let end = MonotonicClock.now() + nanoseconds
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        repeat {
            if poll(&descriptor, 1, 0) != 0 { return true }
        } while MonotonicClock.now() < end
        return false
    }
}
