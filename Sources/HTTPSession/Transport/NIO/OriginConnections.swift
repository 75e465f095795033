import NIOCore

/// The connections of one event loop to one origin, and the exchanges that wait for one.
final class OriginConnections {
    let origin: Origin
    let pool: ConnectionPool
    private var idle: [HTTP1Connection] = []
    private var open = 0
    private var waiting: [TransportExchange] = []
    private var waitingStart = 0

    init(origin: Origin, pool: ConnectionPool) {
        self.origin = origin
        self.pool = pool
    }

    /// Whether a request goes to this origin.
    func serves(_ request: TransportRequest) -> Bool {
        let url = request.url
        guard url.port == origin.port, url.host == origin.host else { return false }
        return url.isSecure == origin.isSecure && origin.options == request.connection
    }

    /// Gives an exchange a connection: an idle one, a new one, or the next that becomes free.
    func acquire(_ exchange: TransportExchange, fresh: Bool = false) {
        if fresh {
            // Others that have been idle as long are likely to be stale too.
            if open >= pool.settings.connectionsPerOrigin, !idle.isEmpty { idle.removeFirst().close() }
        } else if let connection = idle.popLast() {
            return connection.run(exchange)
        }
        if open < pool.settings.connectionsPerOrigin {
            connect(for: exchange)
        } else {
            waiting.append(exchange)
        }
    }

    private func connect(for exchange: TransportExchange) {
        open += 1
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

    /// Takes back a connection that can carry another exchange.
    func release(_ connection: HTTP1Connection) {
        if let exchange = nextWaiting() { return connection.run(exchange) }
        idle.append(connection)
        pool.ensureTick(by: MonotonicClock.deadline(pool.settings.idleNanoseconds, after: connection.idleSince))
    }

    /// Takes note that a connection was closed, or that an attempt to make one has ended without one.
    func closed(_ connection: HTTP1Connection?) {
        open -= 1
        if let connection, let index = idle.firstIndex(where: { $0 === connection }) { idle.remove(at: index) }
        if let exchange = nextWaiting() {
            connect(for: exchange)
        } else if open == 0 {
            pool.remove(self)
        }
    }

    /// Closes connections that have been idle for too long.
    /// - Returns: When the next will have been, `UInt64.max` if there is none.
    func closeIdle(now: UInt64) -> UInt64 {
        var next = UInt64.max
        var old: [HTTP1Connection] = []
        for connection in idle {
            let end = MonotonicClock.deadline(pool.settings.idleNanoseconds, after: connection.idleSince)
            if end <= now { old.append(connection) } else { next = min(next, end) }
        }
        for connection in old { connection.close() }
        return next
    }

    /// Closes all idle connections and gives their channels.
    func closeAll() -> [any Channel] {
        let connections = idle
        idle = []
        for connection in connections { connection.close() }
        return connections.compactMap(\.channel)
    }
}
