import NIOCore
import NIOPosix
public import NIOSSL
import Synchronization

/// A server on loopback, or at a unix domain socket, that answers each request with the same bytes, over TLS or not.
public final class TLSServer: Sendable {
    /// The port it listens at; 0 at a unix domain socket.
    public let port: Int
    private let channel: any Channel
    private let received = Received()

    /// What has arrived on all connections.
    private final class Received: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    /// What has arrived on all connections, after TLS.
    public var text: String { String(decoding: received.bytes.withLock { $0 }, as: UTF8.self) }

    /// Starts a server.
    /// - Parameters:
    ///   - identity: Its certificate and key; nil for a server without TLS.
    ///   - response: What it sends after each request header.
    ///   - path: The path of a unix domain socket to listen at instead of a port.
    ///   - configure: Changes its TLS configuration.
    public init(
        _ identity: TestCertificates.Identity?, response: String, path: String? = nil,
        configure: (inout TLSConfiguration) throws -> Void = { _ in }
    ) async throws {
        var context: NIOSSLContext?
        if let identity {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(identity.certificate).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: identity.key, format: .pem)))
            try configure(&configuration)
            context = try NIOSSLContext(configuration: configuration)
        }
        let tls = context
        let received = received
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.addHandler(Responder(response: response, received: received))
                }
            }
        if let path {
            channel = try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        } else {
            channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        }
        port = channel.localAddress?.port ?? 0
    }

    /// Ends the server.
    public func shutDown() async {
        try? await channel.close()
    }

    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let response: String
        private let received: Received
        private var tail: [UInt8] = []

        init(response: String, received: Received) {
            self.response = response
            self.received = received
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data).readableBytesView
            received.bytes.withLock { $0.append(contentsOf: bytes) }
            tail.append(contentsOf: bytes)
            guard tail.suffix(4).elementsEqual([13, 10, 13, 10]) else { return }
            tail = []
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
