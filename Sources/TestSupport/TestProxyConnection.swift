import NIOCore
import NIOPosix
import Synchronization

/// A connection to a ``TestProxy``.
final class TestProxyConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case head
        case methods
        case password
        case request
        case connecting
        case tunnel(any Channel)
        case ended
    }

    /// Forwards data from the server to the client of the proxy.
    private final class Backward: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let client: any Channel

        init(_ client: any Channel) { self.client = client }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            client.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            client.close(promise: nil)
        }
    }

    private let behavior: TestProxy.Behavior
    private let record: TestProxy.Record
    private var state: State
    private var unread: [UInt8] = []

    init(_ behavior: TestProxy.Behavior, _ record: TestProxy.Record) {
        self.behavior = behavior
        self.record = record
        state = behavior.isSOCKS ? .methods : .head
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        if case .tunnel(let server) = state { return server.writeAndFlush(buffer, promise: nil) }
        unread.append(contentsOf: buffer.readableBytesView)
        step(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .tunnel(let server) = state { server.close(promise: nil) }
        state = .ended
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    private func step(_ context: ChannelHandlerContext) {
        switch state {
        case .head: readHead(context)
        case .methods:
            guard unread.count >= 2, unread.count >= 2 + Int(unread[1]) else { return }
            let methods = unread[2..<(2 + Int(unread[1]))]
            unread.removeFirst(2 + methods.count)
            let wanted: UInt8 = behavior.username == nil ? 0 : 2
            guard methods.contains(wanted) else { return send([5, 0xFF], context) }
            state = wanted == 2 ? .password : .request
            send([5, wanted], context)
        case .password:
            guard unread.count >= 2, unread.count >= 3 + Int(unread[1]) else { return }
            let nameEnd = 2 + Int(unread[1])
            let end = nameEnd + 1 + Int(unread[nameEnd])
            guard unread.count >= end else { return }
            let isRight =
                unread[2..<nameEnd].elementsEqual((behavior.username ?? "").utf8)
                && unread[(nameEnd + 1)..<end].elementsEqual(behavior.password.utf8)
            unread.removeFirst(end)
            state = .request
            send([1, isRight ? 0 : 1], context)
        case .request: readRequest(context)
        case .connecting, .tunnel, .ended: return
        }
    }

    // MARK: SOCKS

    private func readRequest(_ context: ChannelHandlerContext) {
        guard unread.count >= 5 else { return }
        let type = unread[3]
        let length = type == 3 ? 1 + Int(unread[4]) : type == 4 ? 16 : 4
        let end = 4 + length + 2
        guard unread.count >= end else { return }
        let address = unread[4..<(4 + length)]
        let port = Int(unread[end - 2]) << 8 | Int(unread[end - 1])
        unread.removeFirst(end)
        let host =
            switch type {
            case 3: String(decoding: address.dropFirst(), as: UTF8.self)
            case 4: "::\(address.last ?? 0)"
            default: address.map(String.init).joined(separator: ".")
            }
        if let answer = behavior.answer {
            record.contents.withLock { $0.targets.append("\(host):\(port)") }
            return send(answer, context)
        }
        connect(context, host, port, consent: [5, 0, 0, 1, 127, 0, 0, 1, 0, 80] + behavior.noise, first: [])
    }

    // MARK: HTTP

    private func readHead(_ context: ChannelHandlerContext) {
        let text = String(decoding: unread, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return }
        let head = String(text[..<end.lowerBound])
        let rest = Array(unread.dropFirst(head.utf8.count + 4))
        unread = []
        record.contents.withLock { $0.heads.append(head) }
        var lines = head.split(separator: "\r\n").map(String.init)
        let parts = (lines.first ?? "").split(separator: " ").map(String.init)
        guard parts.count == 3 else { return send(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), context) }
        if let answer = behavior.answer { return send(answer, context) }
        if let username = behavior.username {
            let wanted = "Proxy-Authorization: Basic " + Self.base64("\(username):\(behavior.password)")
            guard lines.contains(wanted) else {
                return send(
                    Array(
                        "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"
                            .utf8), context)
            }
        }
        if parts[0] == "CONNECT" {
            let consent = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8) + behavior.noise
            return connect(context, authority: parts[1], consent: consent, first: rest)
        }
        var target = parts[1][...]
        guard target.hasPrefix("http://") else {
            return send(Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8), context)
        }
        target = target.dropFirst(7)
        let authority = String(target.prefix { $0 != "/" })
        lines[0] = "\(parts[0]) \(target.dropFirst(authority.count)) \(parts[2])"
        lines.removeAll { $0.hasPrefix("Proxy-Authorization:") }
        let forwarded = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + rest
        connect(context, authority: authority, consent: [], first: forwarded)
    }

    private func connect(_ context: ChannelHandlerContext, authority: String, consent: [UInt8], first: [UInt8]) {
        let colon = authority.lastIndex(of: ":")
        let port = colon.flatMap { Int(authority[authority.index(after: $0)...]) } ?? 80
        connect(context, String(authority[..<(colon ?? authority.endIndex)]), port, consent: consent, first: first)
    }

    private func connect(
        _ context: ChannelHandlerContext, _ host: String, _ port: Int, consent: [UInt8], first: [UInt8]
    ) {
        record.contents.withLock { $0.targets.append("\(host):\(port)") }
        state = .connecting
        let client = context.channel
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        ClientBootstrap(group: context.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Backward(client))
                }
            }
            .connect(host: host.contains(":") ? "::1" : "127.0.0.1", port: port)
            .assumeIsolated().whenComplete { result in
                let context = bound.value
                switch result {
                case .success(let server):
                    guard case .connecting = self.state else { return server.close(promise: nil) }
                    self.state = .tunnel(server)
                    if !consent.isEmpty { self.send(consent, context) }
                    // A body may have arrived in the meantime.
                    let first = first + self.unread
                    self.unread = []
                    if !first.isEmpty { server.writeAndFlush(ByteBuffer(bytes: first), promise: nil) }
                case .failure:
                    self.state = .ended
                    self.send(
                        self.behavior.isSOCKS
                            ? [5, 5, 0, 1, 0, 0, 0, 0, 0, 0]
                            : Array("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n".utf8), context)
                }
            }
    }

    private static func base64(_ text: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bytes = Array(text.utf8)
        var result = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let group = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for index in 0..<4 {
                result.append(index <= part.count ? alphabet[group >> (18 - 6 * index) & 63] : "=")
            }
        }
        return result
    }
}
