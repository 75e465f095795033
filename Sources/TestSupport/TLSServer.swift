import NIOCore
import NIOPosix
public import NIOSSL
import Synchronization

/// A server that sends the same bytes in response to each request, over TLS or plain, on loopback or a Unix domain
/// socket.
public final class TLSServer: Sendable {
    /// The port on which the server listens, or 0 for a Unix domain socket.
    public let port: Int
    private let channel: any Channel
    private let received = Received()

    /// The data received on all connections.
    private final class Received: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    /// The decrypted data received on all connections.
    public var text: String { String(decoding: received.bytes.withLock { $0 }, as: UTF8.self) }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - identity: The certificate and key of the server, or `nil` for a server without TLS.
    ///   - response: The bytes to send after each request header.
    ///   - path: The path of a Unix domain socket on which to listen, instead of a port.
    ///   - configure: Modifies the TLS configuration.
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

    /// Shuts down the server.
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
