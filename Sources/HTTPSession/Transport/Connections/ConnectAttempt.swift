import Basics
import NIOCore
import NIOPosix
import NIOSSL

/// An attempt to establish a connection for one exchange: name resolution, TCP, an optional proxy tunnel, and TLS.
///
/// Addresses of both families are tried alternately; the next attempt starts when the current one fails or has not
/// succeeded in time (Happy Eyeballs, RFC 8305).
final class ConnectAttempt {
    private let exchange: TransportExchange
    private let connections: OriginConnections
    private let route: ConnectRoute
    private var addresses: [SocketAddress] = []
    private var next = 0
    private var pending: [ConnectingChannel] = []
    private var timer: Scheduled<Void>?
    private var failures: [(SocketAddress, any Error)] = []
    private var tcpStarted: UInt64 = 0
    private var tlsStarted: UInt64 = 0
    private var remoteAddress: String?
    private var isConnected = false
    private var proxySecurity: ConnectionSecurity?
    private var security: ConnectionSecurity?
    /// The destination requested from a proxy: the origin's name, or one of its addresses.
    private var destination: (host: String, port: Int)
    private var negotiation: (any TunnelNegotiation)?
    private var stage = Stage.reaching
    /// Whether the attempt has succeeded, failed, or been abandoned.
    private(set) var isOver = false

    /// The stages of establishing a connection.
    private enum Stage: Equatable {
        /// Resolving the addresses of the server or the proxy.
        case resolving(String)
        /// Opening a TCP connection to the server or the proxy.
        case reaching
        /// Performing the TLS handshake with the proxy.
        case securingProxy
        /// Requesting a tunnel from the proxy.
        case negotiating
        /// Performing the TLS handshake with the server.
        case securing
    }

    init(exchange: TransportExchange, connections: OriginConnections) {
        self.exchange = exchange
        self.connections = connections
        let options = connections.origin.options
        route = ConnectRoute(
            to: exchange.request.url, options: options,
            isExclusive: connections.version == .http2 || exchange.request.connectsOnly || exchange.upgrade != nil)
        destination = (connections.origin.host, connections.origin.port)
    }

    private var eventLoop: any EventLoop { connections.pool.eventLoop }
    private var options: ConnectionOptions { connections.origin.options }
    private var observer: (@Sendable (SessionEvent) -> Void)? { exchange.request.observer }

    /// The channels that are currently connecting.
    var channels: [any Channel] { pending.compactMap(\.channel) }

    /// The peer of the TCP connection, for messages.
    private var hopName: String {
        switch route {
        case .direct: exchange.target
        case .unixSocket(let path): "the socket \(path)"
        case .forwarding(let proxy), .tunnel(let proxy): "the proxy \(proxy.target)"
        }
    }

    /// A description of the current wait.
    var activity: String {
        switch stage {
        case .resolving(let host): "resolving the host name \(host)"
        case .reaching: "connecting to \(hopName)"
        case .securingProxy: "during the TLS handshake with \(hopName)"
        case .negotiating: "asking \(hopName) to connect to \(exchange.target)"
        case .securing: "during the TLS handshake with \(exchange.target)"
        }
    }

    /// Starts with validating the options, which may be unusable, and resolving the name.
    func start() {
        let now = MonotonicClock.now()
        exchange.metrics.queued += MonotonicClock.duration(exchange.stepStarted, now)
        exchange.metrics.dns = nil
        exchange.connectStarted = now
        exchange.step = .resolving
        connections.pool.ensureTick(by: exchange.nextDeadline().time)
        do throws(TLSContexts.Failure) {
            try prepareSecurity()
        } catch {
            return fail(.invalidTrust, error.message, phase: .tls)
        }
        let url = exchange.request.url
        switch route {
        case .direct: resolve(url.host, url.port) { self.connect($0) }
        case .unixSocket(let path):
            guard let address = try? SocketAddress(unixDomainSocketPath: path) else {
                return fail(
                    .connectionFailed, "the socket path is empty or too long: \"\(path)\"", phase: .connect)
            }
            connect([address])
        case .forwarding(let proxy): resolve(proxy.host, proxy.port) { self.connect($0) }
        case .tunnel(let proxy):
            guard proxy.scheme == .socks5, !IPAddress.isLiteral(url.host) else {
                return resolve(proxy.host, proxy.port) { self.connect($0) }
            }
            resolve(url.host, url.port) { addresses in
                // An address override for the name may include its own port.
                if let address = addresses.first, let host = address.ipAddress {
                    self.destination = (host, address.port ?? url.port)
                }
                self.resolve(proxy.host, proxy.port) { self.connect($0) }
            }
        }
    }

    private func prepareSecurity() throws(TLSContexts.Failure) {
        let certificates = connections.pool.certificates
        if let proxy = route.proxy, proxy.scheme == .https {
            proxySecurity = try ConnectionSecurity(
                options: proxy.tls, version: .http11, host: proxy.host, certificates: certificates)
        }
        guard connections.origin.isSecure else { return }
        security = try ConnectionSecurity(
            options: options.tls, version: connections.version, host: connections.origin.host,
            certificates: certificates)
    }

    // MARK: Name resolution

    /// Resolves a host: from address overrides, from the cache, or with the resolver.
    private func resolve(_ host: String, _ port: Int, then body: @escaping ([SocketAddress]) -> Void) {
        let resolver = connections.pool.resolver
        if let override = options.resolve.first(where: { $0.matches(host: host, port: port) }) {
            let addresses = override.addresses.compactMap { HostResolver.address($0.ip, port: $0.port ?? port) }
            guard addresses.count == override.addresses.count, !addresses.isEmpty else {
                let wrong = override.addresses.map(\.ip).joined(separator: ", ")
                return fail(.nameNotResolved, "the address for \(host) is not an IP address: \(wrong)")
            }
            return resolved(host, addresses, duration: .zero, then: body)
        }
        if let addresses = resolver.immediate(host, port: port) { return body(addresses) }
        stage = .resolving(host)
        let started = MonotonicClock.now()
        resolver.lookUp(host, port: port).assumeIsolated().whenComplete { result in
            guard !self.isOver else { return }
            let duration = MonotonicClock.duration(started, MonotonicClock.now())
            self.exchange.metrics.dns = (self.exchange.metrics.dns ?? .zero) + duration
            switch result {
            case .success(let addresses): self.resolved(host, addresses, duration: duration, then: body)
            case .failure(let error):
                let detail = (error as? HostResolver.Failure)?.message ?? "\(error)"
                let whose = host == self.route.proxy?.host ? " of the proxy" : ""
                self.fail(.nameNotResolved, "the host name\(whose) \(host) cannot be resolved: \(detail)")
            }
        }
    }

    private func resolved(
        _ host: String, _ addresses: [SocketAddress], duration: Duration, then body: ([SocketAddress]) -> Void
    ) {
        let addresses = AddressOrder.interleaved(addresses)
        observer?(.resolved(host: host, addresses: addresses.compactMap(\.ipAddress), duration: duration))
        guard !isOver else { return }
        body(addresses)
    }

    // MARK: TCP

    /// Starts connecting to the addresses.
    private func connect(_ addresses: [SocketAddress]) {
        self.addresses = addresses
        stage = .reaching
        tcpStarted = MonotonicClock.now()
        exchange.step = .connecting
        connectNext()
    }

    /// Connects to the next address, and schedules the attempt after it.
    private func connectNext() {
        guard !isOver, !isConnected, next < addresses.count else { return }
        timer?.cancel()
        timer = nil
        let address = addresses[next]
        next += 1
        let connecting = ConnectingChannel(attempt: self)
        pending.append(connecting)
        let bound = NIOLoopBound(connecting, eventLoop: eventLoop)
        var bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(.hours(1))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(bound.value)
                }
            }
        if case .unixSocket = route {
        } else {
            bootstrap = bootstrap.channelOption(.tcpOption(.tcp_nodelay), value: 1)
        }
        bootstrap.connect(to: address).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel): self.connected(connecting, channel, address)
            case .failure(let error): self.connectFailed(connecting, address, error)
            }
        }
        if next < addresses.count, !isOver, !isConnected {
            let attempt = NIOLoopBound(self, eventLoop: eventLoop)
            let delay = Int64(clamping: MonotonicClock.nanoseconds(connections.pool.settings.connectionAttemptDelay))
            timer = eventLoop.scheduleTask(in: .nanoseconds(delay)) { attempt.value.connectNext() }
        }
    }

    /// Handles the first TCP connection; later ones are closed.
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
        if let proxySecurity {
            stage = .securingProxy
            connection.add(proxySecurity.handler)
        } else {
            negotiate(connection)
        }
    }

    private func drop(_ connection: ConnectingChannel) {
        connection.close()
    }

    /// Handles a failed TCP connection: continues with the next address, or fails after the last.
    private func connectFailed(_ connection: ConnectingChannel, _ address: SocketAddress, _ error: any Error) {
        connection.attempt = nil
        pending.removeAll { $0 === connection }
        failures.append((address, error))
        guard !isOver, !isConnected else { return }
        if next < addresses.count {
            connectNext()
        } else if pending.isEmpty {
            connections.pool.resolver.forget(route.proxy?.host ?? connections.origin.host)
            let (reason, message) = ConnectFailure.describe(failures, target: hopName)
            fail(reason, message)
        }
    }

    // MARK: Proxies

    /// Requests a tunnel from the proxy, if there is one.
    private func negotiate(_ connection: ConnectingChannel) {
        guard case .tunnel(let proxy) = route else { return secure(connection) }
        stage = .negotiating
        do throws(TunnelFailure) {
            var negotiation = try proxy.negotiation(host: destination.host, port: destination.port)
            let first = negotiation.start()
            self.negotiation = negotiation
            connection.send(first)
        } catch {
            fail(error)
        }
    }

    /// Handles bytes that arrive before the connection is ready.
    func received(_ connection: ConnectingChannel, _ bytes: ByteBuffer) {
        guard !isOver else { return }
        guard stage == .negotiating else {
            // On plain TCP, a server must not send anything before a request; such bytes cannot be a response.
            return fail(.invalidResponse, "\(exchange.target) sent data before the request", phase: .connect)
        }
        var bytes = bytes.readableBytesView[...]
        do throws(TunnelFailure) {
            while true {
                guard let step = try negotiation?.receive(bytes) else { return }
                bytes = bytes[bytes.endIndex...]
                switch step {
                case .wait: return
                case .send(let more): connection.send(more)
                case .established:
                    negotiation = nil
                    return secure(connection)
                }
            }
        } catch {
            fail(error)
        }
    }

    private func fail(_ failure: TunnelFailure) {
        guard !isOver else { return }
        var error = exchange.error(.proxyFailed, failure.message, phase: .connect)
        error.head = failure.head
        end()
        connections.pool.fail(exchange, error)
    }

    // MARK: TLS

    /// Continues after the connection to the server has been established.
    private func secure(_ connection: ConnectingChannel) {
        let now = MonotonicClock.now()
        let duration = MonotonicClock.duration(tcpStarted, now)
        exchange.metrics.connect = duration
        observer?(.connected(address: remoteAddress ?? hopName, isReused: false, duration: duration))
        guard !isOver else { return }
        guard let security else { return finish(connection, negotiatedProtocol: nil) }
        stage = .securing
        tlsStarted = now
        exchange.step = .securing
        connection.add(security.handler)
    }

    /// Handles the success of a TLS handshake.
    func secured(_ connection: ConnectingChannel, negotiatedProtocol: String?) {
        guard !isOver else { return }
        if stage == .securingProxy {
            if let problem = proxySecurity?.finishHandshake(target: hopName, negotiatedProtocol: nil) {
                return fail(problem.reason, problem.message, phase: .connect)
            }
            return negotiate(connection)
        }
        let duration = MonotonicClock.duration(tlsStarted, MonotonicClock.now())
        exchange.metrics.tls = duration
        guard let security else { return }
        if let problem = security.finishHandshake(target: exchange.target, negotiatedProtocol: negotiatedProtocol) {
            return fail(problem.reason, problem.message, phase: .tls)
        }
        if let observer, let details = security.details {
            observer(.secured(details, duration: duration))
            if security.isFirstUnverified { observer(.unverified(host: connections.origin.host)) }
            guard !isOver else { return }
        }
        finish(connection, negotiatedProtocol: negotiatedProtocol)
    }

    /// Handles the loss of a connection before it was ready.
    func lost(_ connection: ConnectingChannel, _ error: (any Error)?) {
        guard !isOver, isConnected else { return }
        switch stage {
        case .resolving, .reaching:
            fail(.connectionClosed, "\(hopName) closed the connection immediately", phase: .connect)
        case .securingProxy:
            let problem = proxySecurity?.failure(error, target: hopName)
            fail(problem?.reason ?? .tlsFailed, problem?.message ?? "TLS with \(hopName) failed", phase: .connect)
        case .negotiating:
            let detail = error.map { ": \($0)" } ?? ""
            fail(
                .proxyFailed, "\(hopName) closed the connection when asked to connect to \(exchange.target)\(detail)",
                phase: .connect)
        case .securing:
            let problem = security?.failure(error, target: exchange.target)
            fail(problem?.reason ?? .tlsFailed, problem?.message ?? "TLS failed", phase: .tls)
        }
    }

    /// Hands the connection over, or closes it if nothing is to be sent.
    private func finish(_ connection: ConnectingChannel, negotiatedProtocol: String?) {
        guard exchange.request.connectsOnly else { return ready(connection, negotiatedProtocol: negotiatedProtocol) }
        isOver = true
        pending = []
        connection.close()
        connections.attemptFailed()
        exchange.finishMetrics(at: MonotonicClock.now())
        let response = TransportResponse(
            head: ResponseHead(status: 200), metrics: exchange.metrics, remoteAddress: remoteAddress,
            tls: security?.details)
        connections.pool.succeed(exchange, response)
    }

    // MARK: Completion

    /// Replaces the connecting handler with the handler of the protocol and sends the request.
    private func ready(_ connecting: ConnectingChannel, negotiatedProtocol: String?) {
        guard let channel = connecting.channel else { return }
        isOver = true
        pending = []
        connecting.attempt = nil
        let tls = security?.details
        let version = connections.version
        if version == .http2 ? security == nil || negotiatedProtocol == "h2" : negotiatedProtocol == "h2" {
            let connection = HTTP2Connection(connections: connections, remoteAddress: remoteAddress, tls: tls)
            replace(connecting, on: channel) { try connection.install(in: $0, after: connecting) }
            connections.connected(connection)
            connection.run(exchange)
            connections.hasRoom(connection)
        } else if version == .http2 {
            isOver = false
            fail(
                .versionNotAvailable, "\(exchange.target) does not offer HTTP/2 during the TLS handshake", phase: .tls)
            channel.close(promise: nil)
        } else {
            let isForwarded = route.usesAbsoluteForm
            let connection = HTTP1Connection(
                connections: connections, remoteAddress: remoteAddress, tls: tls, usesAbsoluteForm: isForwarded,
                proxyAuthorization: isForwarded ? route.proxy?.authorization : nil)
            replace(connecting, on: channel) { try $0.addHandler(connection, position: .after(connecting)) }
            connections.connected(connection)
            connection.run(exchange)
        }
    }

    /// Installs the handlers of the protocol and removes the connecting handler.
    private func replace(
        _ connecting: ConnectingChannel, on channel: any Channel,
        by install: (ChannelPipeline.SynchronousOperations) throws -> Void
    ) {
        do {
            try install(channel.pipeline.syncOperations)
            channel.pipeline.syncOperations.removeHandler(connecting, promise: nil)
        } catch {
            // The channel was closed in the meantime; the connection reports that when it is used.
        }
    }

    private func fail(_ reason: SessionError.Reason, _ message: MessageText, phase: SessionError.Phase? = nil) {
        guard !isOver else { return }
        let error = exchange.error(reason, message, phase: phase)
        end()
        connections.pool.fail(exchange, error)
    }

    /// Abandons the attempt, because the exchange has ended.
    func abandon() {
        guard !isOver else { return }
        end()
    }

    /// Ends the attempt without a connection.
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
    /// The address and port as in a URL, or the path of a socket after "unix:".
    var text: String? {
        if let pathname { return "unix:" + pathname }
        guard let ipAddress, let port else { return nil }
        return IPAddress.authority(ipAddress, port)
    }
}
