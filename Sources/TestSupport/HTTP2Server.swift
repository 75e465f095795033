import NIOCore
public import NIOHPACK
public import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

/// A loopback HTTP/2 server whose responses are scripted frame by frame.
public final class HTTP2Server: Sendable {
    /// A request with the actions that a script can perform on its connection.
    ///
    /// Use it on its event loop only.
    public struct Peer {
        /// The index of the connection, starting at 0.
        public let connection: Int
        /// The index of the request on this connection, starting at 0.
        public let number: Int
        /// The stream of the request.
        public let stream: HTTP2StreamID
        /// The header block of the request.
        public let headers: HPACKHeaders
        let context: ChannelHandlerContext

        /// Sends a frame.
        public func send(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID? = nil) {
            context.writeAndFlush(
                NIOAny(HTTP2Frame(streamID: stream ?? self.stream, payload: payload)), promise: nil)
        }

        /// Sends a header block.
        public func head(_ status: Int, _ fields: [(String, String)] = [], end: Bool = false) {
            send(.headers(.init(headers: HPACKHeaders([(":status", "\(status)")] + fields), endStream: end)))
        }

        /// Sends a part of the body.
        public func body(_ text: String, end: Bool = true) {
            send(.data(.init(data: .byteBuffer(ByteBuffer(string: text)), endStream: end)))
        }

        /// Sends trailer fields, which end the stream.
        public func trailers(_ fields: [(String, String)]) {
            send(.headers(.init(headers: HPACKHeaders(fields), endStream: true)))
        }

        /// Closes the sending direction but continues to read.
        ///
        /// The client sees the end of the stream instead of a reset.
        public func closeOutput() {
            context.close(mode: .output, promise: nil)
        }

        /// Closes the connection.
        public func close() {
            context.close(promise: nil)
        }
    }

    /// A closure that responds to one request.
    ///
    /// It is called when the header of a request without a body, or the end of a body, has arrived.
    public typealias Script = @Sendable (Peer, _ body: [UInt8]) -> Void

    /// The port on which the server listens.
    public let port: Int
    private let channel: any Channel
    private let record: Record

    /// The data received by the server.
    private final class Record: Sendable {
        let connections = Mutex(0)
        let resets = Mutex<[HTTP2ErrorCode]>([])
        let requests = Mutex<[HPACKHeaders]>([])
        let bodyBytes = Mutex(0)
    }

    /// The number of connections.
    public var connections: Int { record.connections.withLock { $0 } }
    /// The error codes of the streams that the client has reset.
    public var resets: [HTTP2ErrorCode] { record.resets.withLock { $0 } }
    /// The number of received body bytes.
    public var bodyBytes: Int { record.bodyBytes.withLock { $0 } }
    /// The header blocks of the requests, in order of arrival.
    public var requests: [HPACKHeaders] { record.requests.withLock { $0 } }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - identity: The certificate and key of the server, or `nil` for plain TCP.
    ///   - protocols: The protocols supported in ALPN.
    ///   - maximumStreams: The maximum number of concurrent streams.
    ///   - answersHeaders: Whether to call the script when the header of a request with a body arrives. The server then
    ///     responds with status 200 at the end of the body.
    ///   - script: The closure that responds to each request.
    public init(
        _ identity: TestCertificates.Identity? = nil, protocols: [String] = ["h2"], maximumStreams: Int = 100,
        answersHeaders: Bool = false, script: @escaping Script
    ) async throws {
        var context: NIOSSLContext?
        if let identity {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(identity.certificate).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: identity.key, format: .pem)))
            configuration.applicationProtocols = protocols
            context = try NIOSSLContext(configuration: configuration)
        }
        let tls = context
        let record = Record()
        self.record = record
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                let number = record.connections.withLock { count in
                    defer { count += 1 }
                    return count
                }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    var configuration = NIOHTTP2Handler.ConnectionConfiguration()
                    configuration.initialSettings = [
                        HTTP2Setting(parameter: .maxConcurrentStreams, value: maximumStreams),
                        HTTP2Setting(parameter: .maxHeaderListSize, value: 1 << 20),
                    ]
                    configuration.headerBlockValidation = .disabled
                    configuration.contentLengthValidation = .disabled
                    // Tests repeat actions that a server would normally limit.
                    configuration.controlFrameRateLimit.maximumCount = 10_000
                    var streams = NIOHTTP2Handler.StreamConfiguration()
                    streams.streamResetFrameRateLimit.maximumCount = 10_000
                    try pipeline.addHandler(
                        NIOHTTP2Handler(
                            mode: .server, connectionConfiguration: configuration, streamConfiguration: streams))
                    try pipeline.addHandler(
                        Responder(
                            connection: number, answersHeaders: answersHeaders, script: script, record: record))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    /// Shuts down the server.
    public func shutDown() async {
        try? await channel.close()
    }

    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        typealias OutboundOut = HTTP2Frame

        private let connection: Int
        private let answersHeaders: Bool
        private let script: Script
        private let record: Record
        private var open: [HTTP2StreamID: (Peer, [UInt8])] = [:]
        private var count = 0

        init(connection: Int, answersHeaders: Bool, script: @escaping Script, record: Record) {
            self.connection = connection
            self.answersHeaders = answersHeaders
            self.script = script
            self.record = record
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            switch frame.payload {
            case .headers(let headers):
                record.requests.withLock { $0.append(headers.headers) }
                let peer = Peer(
                    connection: connection, number: count, stream: frame.streamID, headers: headers.headers,
                    context: context)
                count += 1
                if !headers.endStream { open[frame.streamID] = (peer, []) }
                if headers.endStream || answersHeaders { script(peer, []) }
            case .data(let data):
                guard case .byteBuffer(let buffer) = data.data, case (let peer, var body)? = open[frame.streamID] else {
                    return
                }
                body += buffer.readableBytesView
                record.bodyBytes.withLock { $0 += buffer.readableBytes }
                open[frame.streamID] = (peer, body)
                if buffer.readableBytes > 0 {
                    for id in [HTTP2StreamID.rootStream] + (data.endStream ? [] : [frame.streamID]) {
                        peer.send(.windowUpdate(windowSizeIncrement: buffer.readableBytes), on: id)
                    }
                }
                if data.endStream {
                    open[frame.streamID] = nil
                    if answersHeaders { peer.head(200, end: true) } else { script(peer, body) }
                }
            case .rstStream(let code):
                record.resets.withLock { $0.append(code) }
                open[frame.streamID] = nil
            default: break
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // SwiftNIO reports this error for each body chunk buffered for a stream that the client has reset.
            if error is NIOHTTP2Errors.NoSuchStream { return }
            context.close(promise: nil)
        }
    }
}
