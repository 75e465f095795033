import Basics
import NIOCore

/// The connections of one event loop to one origin, and the exchanges that wait for a connection.
final class OriginConnections {
    /// The protocol that the server is known to support.
    private enum Knowledge {
        case unknown
        case http1
        case http2
    }

    let origin: Origin
    let pool: ConnectionPool
    /// The cache of the last response header; headers on the other connections are usually similar.
    let headerCache = HeaderCache()
    private var knownAuthority: String?
    private var knownLife = (version: -1, life: UInt64.max)
    private var idle: [HTTP1Connection] = []
    private var look = IdleCheck()
    /// The HTTP/2 connections that accept new exchanges, now or after others have finished.
    private var multiplexed: [HTTP2Connection] = []
    private var open = 0
    private var attempts = 0
    private var waiting: [TransportExchange] = []
    private var waitingStart = 0
    private var knowledge: Knowledge
    /// Whether the server refused to serve the origin over HTTP/2 (RFC 9113, section 7, HTTP_1_1_REQUIRED).
    private(set) var requiresHTTP1 = false

    init(origin: Origin, pool: ConnectionPool) {
        self.origin = origin
        self.pool = pool
        knowledge =
            switch origin.options.version {
            case .http2: .http2
            case .automatic: origin.isSecure ? .unknown : .http1
            case .http10, .http11: .http1
            }
    }

    /// Returns the host and port of this origin as in a `Host` field; `url` must belong to the origin.
    func authority(of url: HTTPURL) -> String {
        if let knownAuthority { return knownAuthority }
        let authority = url.authority
        knownAuthority = authority
        return authority
    }

    /// Returns whether a request is sent to this origin.
    func serves(_ request: TransportRequest) -> Bool {
        let url = request.url
        guard url.port == origin.port, url.host == origin.host else { return false }
        return url.isSecure == origin.isSecure && origin.options == request.connection
    }

    /// The version policy for new connections.
    var version: HTTPVersionPolicy {
        requiresHTTP1 && origin.options.version == .automatic ? .http11 : origin.options.version
    }

    /// Assigns a connection to an exchange: an idle one, a new one, or the next that becomes free.
    func acquire(_ exchange: TransportExchange, fresh: Bool = false) {
        // A connection through a forwarding proxy cannot switch protocols.
        if exchange.request.connectsOnly || exchange.upgrade != nil && origin.options.proxy != .direct {
            return connect(for: exchange)
        }
        let mayBeRepeated = exchange.mayBeRepeated
        if let connection = multiplexedConnection(mayBeRepeated) { return connection.run(exchange) }
        // The probe will soon show whether that connection is usable.
        if multiplexed.contains(where: \.isProbed) {
            waiting.append(exchange)
            return
        }
        // While the server allows no streams, another connection would have the same limit (RFC 9113, section 5.1.2).
        if multiplexed.contains(where: \.forbidsStreams) {
            waiting.append(exchange)
            return
        }
        var unusable: [HTTP1Connection] = []
        defer { for connection in unusable { connection.discard() } }
        if fresh || !mayBeRepeated && idle.last.map(isTooOld) ?? false {
            // Connections that have been idle for as long are likely stale too.
            if open >= pool.settings.connectionsPerOrigin, !idle.isEmpty { idle.removeFirst().close() }
        } else {
            // Opening a file takes a while, so the start time is outdated.
            let time = exchange.file == nil ? exchange.started : MonotonicClock.now()
            while let connection = idle.popLast() {
                if isUsable(connection, at: time, mayBeRepeated) { return connection.run(exchange) }
                wasClosed(connection)
                unusable.append(connection)
            }
        }
        if open < pool.settings.connectionsPerOrigin, mayConnect {
            connect(for: exchange)
        } else {
            waiting.append(exchange)
        }
    }

    /// Returns whether an idle connection can carry a request.
    ///
    /// The event loop closes an idle connection as soon as it sees data on it (RFC 9112, section 9.2). It has not yet
    /// seen data that arrived while it was busy, so a connection that was idle for some time is checked. A connection
    /// that is reused immediately is not: that would cost a system call per exchange and close a window that is as
    /// short as the one after the check. A request that cannot be repeated is worth the call.
    private func isUsable(_ connection: HTTP1Connection, at time: UInt64, _ mayBeRepeated: Bool) -> Bool {
        let quiet = connection.quietSince
        guard !mayBeRepeated || time >= quiet && time - quiet >= pool.settings.lookNanoseconds else {
            look.noteUse()
            return true
        }
        return look.isQuiet(connection, beside: idle, at: time)
    }

    /// Returns an HTTP/2 connection with room for an exchange.
    private func multiplexedConnection(_ mayBeRepeated: Bool) -> HTTP2Connection? {
        guard !mayBeRepeated else { return multiplexed.first(where: \.hasRoom) }
        for connection in multiplexed where connection.hasRoom {
            guard connection.isIdle, connection.idleSince > 0 else { return connection }
            if isTooOld(connection) { continue }
            guard connection.isHungUp else { return connection }
            wasClosed(connection)
        }
        return nil
    }

    /// Whether a new connection may be opened: if one connection may serve all exchanges, the first must be ready.
    private var mayConnect: Bool {
        (knowledge == .http1 || attempts == 0) && !multiplexed.contains(where: \.forbidsStreams)
    }

    /// The reason why the server accepts no exchanges, for the message of a timeout.
    var obstacle: MessageText? { multiplexed.contains(where: \.forbidsStreams) ? HTTP2Connection.noStreams : nil }

    private func connect(for exchange: TransportExchange) {
        open += 1
        attempts += 1
        let attempt = ConnectAttempt(exchange: exchange, connections: self)
        exchange.attempt = attempt
        attempt.start()
    }

    private func nextWaiting() -> TransportExchange? {
        while waitingStart < waiting.count {
            let exchange = waiting[waitingStart]
            waitingStart += 1
            if waitingStart > 64, waitingStart * 2 > waiting.count {
                waiting.removeFirst(waitingStart)
                waitingStart = 0
            }
            if !exchange.isFinished { return exchange }
        }
        waiting.removeAll(keepingCapacity: true)
        waitingStart = 0
        return nil
    }

    /// Returns an exchange to the front of the queue.
    private func putBack(_ exchange: TransportExchange) {
        guard waitingStart > 0 else { return waiting.insert(exchange, at: 0) }
        waitingStart -= 1
        waiting[waitingStart] = exchange
    }

    /// Opens as many connections as the waiting exchanges may have.
    private func connectWaiting() {
        while open < pool.settings.connectionsPerOrigin, mayConnect, let exchange = nextWaiting() {
            connect(for: exchange)
        }
    }

    // MARK: Idle timeouts

    /// Returns whether the server may close an idle connection while a request is in transit.
    private func isTooOld(_ connection: any ServerConnection) -> Bool {
        let idleSince = connection.idleSince
        let version = pool.idleTimeouts.version
        if version != knownLife.version { knownLife = (version, pool.idleTimeouts.life(of: origin)) }
        let life = min(knownLife.life, connection.announcedLife)
        guard life != .max, idleSince > 0 else { return false }
        let now = MonotonicClock.now()
        return !IdleTimeouts.isSafe(idle: now > idleSince ? now - idleSince : 0, life: life)
    }

    /// Records that the server closed an idle connection.
    func wasClosed(_ connection: any ServerConnection, at time: UInt64 = MonotonicClock.now()) {
        let idleSince = connection.idleSince
        guard idleSince > 0 else { return }
        pool.idleTimeouts.note(time > idleSince ? time - idleSince : 0, of: origin)
    }

    // MARK: Results of attempts

    /// Handles an attempt that established an HTTP/1 connection.
    func connected(_ connection: HTTP1Connection) {
        attempts -= 1
        knowledge = .http1
        connectWaiting()
    }

    /// Handles an attempt that established an HTTP/2 connection, which serves the waiting exchanges.
    func connected(_ connection: HTTP2Connection) {
        attempts -= 1
        knowledge = .http2
        multiplexed.append(connection)
    }

    /// Handles an attempt that failed.
    func attemptFailed() {
        attempts -= 1
        open -= 1
        if knowledge == .unknown {
            // The waiting exchanges all try at the same time, instead of failing one after the other.
            let others = takeWaiting()
            for exchange in others { connect(for: exchange) }
        }
        goOn()
    }

    private func takeWaiting() -> [TransportExchange] {
        var all: [TransportExchange] = []
        while open + all.count < pool.settings.connectionsPerOrigin, let exchange = nextWaiting() {
            all.append(exchange)
        }
        return all
    }

    // MARK: Connections

    /// Returns a reusable connection to the pool.
    func release(_ connection: HTTP1Connection) {
        if let exchange = nextWaiting() {
            if exchange.mayBeRepeated { return connection.run(exchange) }
            if !isTooOld(connection), !connection.hasUnasked { return connection.run(exchange) }
            // When the connection has been closed, the exchange gets a new one.
            putBack(exchange)
            return connection.discard()
        }
        idle.append(connection)
        pool.ensureTick(by: MonotonicClock.deadline(pool.idleNanoseconds, after: connection.idleSince))
    }

    /// Assigns waiting exchanges to a connection with room for more streams.
    func hasRoom(_ connection: HTTP2Connection) {
        while connection.hasRoom, let exchange = nextWaiting() { connection.run(exchange) }
        if !connection.hasRoom, !connection.isProbed { connectWaiting() }
        if connection.isIdle {
            pool.ensureTick(by: MonotonicClock.deadline(pool.idleNanoseconds, after: connection.idleSince))
        }
    }

    /// Handles a connection that no longer accepts new exchanges.
    func leaves(_ connection: HTTP2Connection) {
        multiplexed.removeAll { $0 === connection }
        connectWaiting()
    }

    /// Switches the origin to HTTP/1.1, as required by the server.
    func requireHTTP1() {
        guard origin.options.version == .automatic, !requiresHTTP1 else { return }
        requiresHTTP1 = true
        knowledge = .http1
        for connection in multiplexed { connection.drain() }
        multiplexed = []
    }

    /// Handles a closed connection.
    func closed(_ connection: any ServerConnection) {
        open -= 1
        if let index = idle.firstIndex(where: { $0 === connection }) { idle.remove(at: index) }
        multiplexed.removeAll { $0 === connection }
        goOn()
    }

    private func goOn() {
        connectWaiting()
        if open == 0 { pool.remove(self) }
    }

    /// Closes connections that have been idle for too long.
    /// - Returns: The time at which the next connection expires; `UInt64.max` if there is none.
    func closeIdle(now: UInt64) -> UInt64 {
        var next = UInt64.max
        var old: [any ServerConnection] = []
        let all: [any ServerConnection] = idle + multiplexed.filter(\.isIdle)
        for connection in all {
            let end = MonotonicClock.deadline(pool.idleNanoseconds, after: connection.idleSince)
            if end <= now { old.append(connection) } else { next = min(next, end) }
        }
        for connection in old { connection.close() }
        return next
    }

    /// Closes all idle connections and returns their channels.
    func closeAll() -> [any Channel] {
        let connections: [any ServerConnection] = idle + multiplexed
        idle = []
        multiplexed = []
        for connection in connections { connection.close() }
        return connections.compactMap(\.channel)
    }
}

/// The properties that requests must have in common to share connections.
struct Origin: Hashable {
    var host: String
    var port: Int
    /// Whether the connection uses TLS.
    var isSecure: Bool
    /// The connection options.
    var options: ConnectionOptions

    init(_ request: TransportRequest) {
        host = request.url.host
        port = request.url.port
        isSecure = request.url.isSecure
        options = request.connection
    }
}
