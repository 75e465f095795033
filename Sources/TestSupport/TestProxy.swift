import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A proxy on loopback, for HTTP or SOCKS 5, that keeps a record of what it is asked.
///
/// Every host name stands for 127.0.0.1 with it, so that tests can tell that it was the proxy that resolved a name.
public final class TestProxy: Sendable {
    /// What a proxy speaks, and how it behaves.
    public struct Behavior: Sendable {
        /// Whether it speaks SOCKS 5 and not HTTP.
        public var isSOCKS = false
        /// The user name that it wants; nil lets everybody in.
        public var username: String?
        /// The password that it wants.
        public var password = ""
        /// What it answers to every request instead of serving it.
        public var answer: [UInt8]?
        /// What it sends right after its consent to a tunnel.
        public var noise: [UInt8] = []
        /// Its certificate, to be spoken to over TLS.
        public var identity: TestCertificates.Identity?

        /// Creates a behavior: HTTP, for everybody.
        public init() {}
    }

    final class Record: Sendable {
        struct Contents {
            var heads: [String] = []
            var targets: [String] = []
        }

        let contents = Mutex(Contents())
    }

    /// The port it listens at.
    public let port: Int
    private let channel: any Channel
    private let record = Record()

    /// The headers of the HTTP requests made to it.
    public var heads: [String] { record.contents.withLock { $0.heads } }
    /// The hosts and ports that it was to connect to.
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

    /// Ends the proxy.
    public func shutDown() async {
        try? await channel.close()
    }
}
