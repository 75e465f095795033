import NIOCore
public import NIOHPACK
public import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

/// An HTTP/2 server on loopback whose answer to each request is written frame by frame.
public final class HTTP2Server: Sendable {
    /// What a script can do with one connection; used on its event loop.
    public struct Peer {
        /// The number of the connection, from 0.
        public let connection: Int
        /// The number of the request on this connection, from 0.
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

        /// Sends trailers, which end the stream.
        public func trailers(_ fields: [(String, String)]) {
            send(.headers(.init(headers: HPACKHeaders(fields), endStream: true)))
        }

        /// Ends what the server sends, and reads on: the client sees an end of stream, never a reset.
        public func closeOutput() {
            context.close(mode: .output, promise: nil)
        }

        /// Closes the connection.
        public func close() {
            context.close(promise: nil)
        }
    }

    /// Answers one request; called when its header, and for one with a body its end, has arrived.
    public typealias Script = @Sendable (Peer, _ body: [UInt8]) -> Void

    /// The port it listens at.
    public let port: Int
    private let channel: any Channel
    private let record: Record

    /// What the server has seen.
    private final class Record: Sendable {
        let connections = Mutex(0)
        let resets = Mutex<[HTTP2ErrorCode]>([])
        let requests = Mutex<[HPACKHeaders]>([])
        let bodyBytes = Mutex(0)
    }

    /// How many connections there were.
    public var connections: Int { record.connections.withLock { $0 } }
    /// The error codes of the streams that the client has reset.
    public var resets: [HTTP2ErrorCode] { record.resets.withLock { $0 } }
    /// How many bytes of bodies have arrived.
    public var bodyBytes: Int { record.bodyBytes.withLock { $0 } }
    /// The header blocks of the requests, in the order of arrival.
    public var requests: [HPACKHeaders] { record.requests.withLock { $0 } }

    /// Starts a server.
    /// - Parameters:
    ///   - identity: Its certificate and key; nil for plain TCP.
    ///   - protocols: What it agrees to by ALPN.
    ///   - maximumStreams: How many streams it allows at a time.
    ///   - answersHeaders: Whether the script is called for the header of a request with a body, too; what it then
    ///     leaves unanswered is answered with status 200 at the end of the body.
    ///   - script: Answers each request.
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
                    // Tests do more than once what a server would soon have enough of.
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

    /// Ends the server.
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
            // SwiftNIO reports each piece of a body that it kept for a stream that the client has reset meanwhile.
            if error is NIOHTTP2Errors.NoSuchStream { return }
            context.close(promise: nil)
        }
    }
}
