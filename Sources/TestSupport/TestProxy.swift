import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A loopback HTTP or SOCKS 5 proxy that records its requests.
///
/// It resolves every host name to 127.0.0.1, so that tests can verify that the proxy resolved a name.
public final class TestProxy: Sendable {
    /// The protocol and behavior of a proxy.
    public struct Behavior: Sendable {
        /// Whether the proxy uses SOCKS 5 instead of HTTP.
        public var isSOCKS = false
        /// The required user name, or `nil` for no authentication.
        public var username: String?
        /// The required password.
        public var password = ""
        /// The bytes to send in response to every request, instead of serving it.
        public var answer: [UInt8]?
        /// The bytes to send right after accepting a tunnel.
        public var noise: [UInt8] = []
        /// The certificate of the proxy if clients connect to it over TLS.
        public var identity: TestCertificates.Identity?

        /// Creates the behavior of an HTTP proxy without authentication.
        public init() {}
    }

    final class Record: Sendable {
        struct Contents {
            var heads: [String] = []
            var targets: [String] = []
        }

        let contents = Mutex(Contents())
    }

    /// The port on which the proxy listens.
    public let port: Int
    private let channel: any Channel
    private let record = Record()

    /// The headers of the received HTTP requests.
    public var heads: [String] { record.contents.withLock { $0.heads } }
    /// The requested hosts and ports.
    public var targets: [String] { record.contents.withLock { $0.targets } }

    /// Starts a proxy.
    public init(_ change: (inout Behavior) -> Void = { _ in }) async throws {
        var behavior = Behavior()
        change(&behavior)
        let settings = behavior
        var context: NIOSSLContext?
        if let identity = behavior.identity {
            context = try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: try NIOSSLCertificate.fromPEMFile(identity.certificate).map { .certificate($0) },
                    privateKey: .privateKey(try NIOSSLPrivateKey(file: identity.key, format: .pem))))
        }
        let tls = context
        let record = record
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.addHandler(TestProxyConnection(settings, record))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    /// Shuts down the proxy.
    public func shutDown() async {
        try? await channel.close()
    }
}
