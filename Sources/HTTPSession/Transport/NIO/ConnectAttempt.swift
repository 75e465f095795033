import NIOCore
import NIOPosix
import NIOSSL

/// Makes a connection for one exchange: name resolution, TCP to the first address that answers, TLS.
///
/// Addresses are tried in order; the next is begun when one fails or has not answered in 250 ms (after RFC 8305).
final class ConnectAttempt {
    private static let delay = TimeAmount.milliseconds(250)

    private let exchange: TransportExchange
    private let connections: OriginConnections
    private var addresses: [SocketAddress] = []
    private var next = 0
    private var pending: [ConnectingChannel] = []
    private var timer: Scheduled<Void>?
    private var failures: [(SocketAddress, any Error)] = []
    private var tcpStarted: UInt64 = 0
    private var tlsStarted: UInt64 = 0
    private var remoteAddress: String?
    private var isConnected = false
    /// Whether the attempt has made a connection, failed, or is no longer wanted.
    private(set) var isOver = false

    init(exchange: TransportExchange, connections: OriginConnections) {
        self.exchange = exchange
        self.connections = connections
    }

    private var eventLoop: any EventLoop { connections.pool.eventLoop }

    /// The channels that are being connected.
    var channels: [any Channel] { pending.compactMap(\.channel) }

    /// Begins with the name.
    func start() {
        let now = MonotonicClock.now()
        exchange.metrics.queued += MonotonicClock.duration(exchange.stepStarted, now)
        exchange.connectStarted = now
        exchange.step = .resolving
        connections.pool.ensureTick(by: exchange.nextDeadline().time)
        let url = exchange.request.url
        let resolver = connections.pool.resolver
        if let addresses = resolver.immediate(url.host, port: url.port) {
            exchange.metrics.dns = nil
            return connect(addresses, at: now)
        }
        resolver.lookUp(url.host, port: url.port).assumeIsolated().whenComplete { result in
            guard !self.isOver else { return }
            let end = MonotonicClock.now()
            self.exchange.metrics.dns = MonotonicClock.duration(now, end)
            switch result {
            case .success(let addresses): self.connect(addresses, at: end)
            case .failure(let error):
                let detail = (error as? HostResolver.Failure)?.message ?? "\(error)"
                self.fail(.nameNotResolved, "the name \(url.host) cannot be resolved: \(detail)")
            }
        }
    }

    // MARK: TCP

    private func connect(_ addresses: [SocketAddress], at now: UInt64) {
        self.addresses = addresses
        tcpStarted = now
        exchange.step = .connecting
        connectNext()
    }

    private func connectNext() {
        guard !isOver, !isConnected, next < addresses.count else { return }
        timer?.cancel()
        timer = nil
        let address = addresses[next]
        next += 1
        let security: ConnectionSecurity?
        do throws(TLSContexts.Failure) {
            security = try makeSecurity()
        } catch {
            return fail(.invalidTrust, error.message, phase: .tls)
        }
        let connecting = ConnectingChannel(attempt: self, security: security)
        pending.append(connecting)
        let bound = NIOLoopBound(connecting, eventLoop: eventLoop)
        let handler = security.map { NIOLoopBound($0.handler, eventLoop: eventLoop) }
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(.hours(1))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let handler { try pipeline.addHandler(handler.value) }
                    try pipeline.addHandler(bound.value)
                }
            }
        bootstrap.connect(to: address).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel): self.connected(connecting, channel, address)
            case .failure(let error): self.connectFailed(connecting, address, error)
            }
        }
        if next < addresses.count, !isOver, !isConnected {
            let attempt = NIOLoopBound(self, eventLoop: eventLoop)
            timer = eventLoop.scheduleTask(in: Self.delay) { attempt.value.connectNext() }
        }
    }

    private func makeSecurity() throws(TLSContexts.Failure) -> ConnectionSecurity? {
        let origin = connections.origin
        guard origin.isSecure else { return nil }
        return try ConnectionSecurity(
            options: origin.options.tls, version: connections.version, host: origin.host,
            certificates: connections.pool.certificates)
    }

    private func connected(_ connection: ConnectingChannel, _ channel: any Channel, _ address: SocketAddress) {
        guard !isOver, !isConnected else {
            drop(connection)
            return channel.close(promise: nil)
        }
        isConnected = true
        timer?.cancel()
        timer = nil
        for other in pending where other !== connection { drop(other) }
        pending = [connection]
        remoteAddress = address.text
        let now = MonotonicClock.now()
        exchange.metrics.connect = MonotonicClock.duration(tcpStarted, now)
        if connection.security == nil {
            ready(connection, negotiatedProtocol: nil)
        } else {
            tlsStarted = now
            exchange.step = .securing
        }
    }

    private func drop(_ connection: ConnectingChannel) {
        connection.close()
    }

    private func connectFailed(_ connection: ConnectingChannel, _ address: SocketAddress, _ error: any Error) {
        connection.attempt = nil
        pending.removeAll { $0 === connection }
        failures.append((address, error))
        guard !isOver, !isConnected else { return }
        if next < addresses.count {
            connectNext()
        } else if pending.isEmpty {
            connections.pool.resolver.forget(connections.origin.host)
            let (reason, message) = ConnectFailure.describe(failures, target: exchange.target)
            fail(reason, message)
        }
    }

    // MARK: TLS

    /// Takes note that the TLS handshake has succeeded.
    func secured(_ connection: ConnectingChannel, negotiatedProtocol: String?) {
        guard !isOver else { return }
        exchange.metrics.tls = MonotonicClock.duration(tlsStarted, MonotonicClock.now())
        if let security = connection.security,
            let problem = security.finishHandshake(target: exchange.target, negotiatedProtocol: negotiatedProtocol)
        {
            return fail(problem.reason, problem.message, phase: .tls)
        }
        ready(connection, negotiatedProtocol: negotiatedProtocol)
    }

    /// Takes note that a connection was lost before it was ready.
    func handshakeFailed(_ connection: ConnectingChannel, _ error: (any Error)?) {
        guard !isOver, isConnected else { return }
        let problem = connection.security?.failure(error, target: exchange.target)
        fail(
            problem?.reason ?? .connectionClosed,
            problem?.message ?? "\(exchange.target) closed the connection at once", phase: .tls)
    }

    // MARK: End

    /// Puts the handler of the protocol in the place of the connecting one, and sends the request.
    private func ready(_ connecting: ConnectingChannel, negotiatedProtocol: String?) {
        guard let channel = connecting.channel else { return }
        isOver = true
        pending = []
        connecting.attempt = nil
        let tls = connecting.security?.details
        let version = connections.version
        if version == .http2 ? connecting.security == nil || negotiatedProtocol == "h2" : negotiatedProtocol == "h2" {
            let connection = HTTP2Connection(connections: connections, remoteAddress: remoteAddress, tls: tls)
            replace(connecting, on: channel) { try connection.install(in: $0, after: connecting) }
            connections.connected(connection)
            connection.run(exchange)
            connections.hasRoom(connection)
        } else if version == .http2 {
            isOver = false
            fail(
                .versionNotAvailable, "\(exchange.target) does not offer HTTP/2 in the TLS handshake", phase: .tls)
            channel.close(promise: nil)
        } else {
            let connection = HTTP1Connection(connections: connections, remoteAddress: remoteAddress, tls: tls)
            replace(connecting, on: channel) { try $0.addHandler(connection, position: .after(connecting)) }
            connections.connected(connection)
            connection.run(exchange)
        }
    }

    private func replace(
        _ connecting: ConnectingChannel, on channel: any Channel,
        by install: (ChannelPipeline.SynchronousOperations) throws -> Void
    ) {
        do {
            try install(channel.pipeline.syncOperations)
            channel.pipeline.syncOperations.removeHandler(connecting, promise: nil)
        } catch {
            // The channel was closed in the meantime: the connection says so when it is used.
        }
    }

    private func fail(_ reason: SessionError.Reason, _ message: String, phase: SessionError.Phase? = nil) {
        guard !isOver else { return }
        let error = exchange.error(reason, message, phase: phase)
        end()
        connections.pool.fail(exchange, error)
    }

    /// Stops, because the exchange has ended.
    func abandon() {
        guard !isOver else { return }
        end()
    }

    private func end() {
        isOver = true
        timer?.cancel()
        timer = nil
        let unfinished = pending
        pending = []
        for connection in unfinished { drop(connection) }
        connections.attemptFailed()
    }
}

extension SocketAddress {
    /// Address and port as they are written in a URL.
    var text: String? {
        guard let ipAddress, let port else { return nil }
        return ipAddress.utf8.contains(UInt8(ascii: ":")) ? "[\(ipAddress)]:\(port)" : "\(ipAddress):\(port)"
    }
}
