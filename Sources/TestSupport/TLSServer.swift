import NIOCore
import NIOPosix
import NIOSSL

/// A server on loopback that answers each request over TLS with the same bytes.
public final class TLSServer: Sendable {
    /// The port it listens at.
    public let port: Int
    private let channel: any Channel

    /// Starts a server.
    /// - Parameters:
    ///   - identity: Its certificate and key.
    ///   - response: What it sends after each request header.
    public init(
        _ identity: TestCertificates.Identity, response: String
    ) async throws {
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(identity.certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: identity.key, format: .pem)))
        let context = try NIOSSLContext(configuration: configuration)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.addHandler(Responder(response: response))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
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
        private var tail: [UInt8] = []

        init(response: String) {
            self.response = response
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            tail.append(contentsOf: unwrapInboundIn(data).readableBytesView)
            guard tail.suffix(4).elementsEqual([13, 10, 13, 10]) else { return }
            tail = []
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
