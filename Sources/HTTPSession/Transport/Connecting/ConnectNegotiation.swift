import Basics

/// The client side of the negotiation with a proxy that establishes a tunnel.
protocol TunnelNegotiation {
    /// Returns the first bytes to send.
    mutating func start() -> [UInt8]

    /// Processes bytes received from the proxy.
    /// - Throws: ``TunnelFailure`` if the proxy refuses, or violates its protocol.
    mutating func receive(_ bytes: some Collection<UInt8>) throws(TunnelFailure) -> TunnelStep
}

/// The next step of a negotiation.
enum TunnelStep: Equatable {
    /// More bytes from the proxy are needed.
    case wait
    /// Send these bytes.
    case send([UInt8])
    /// The tunnel is established.
    case established
}

/// The reason why a proxy did not establish a tunnel.
struct TunnelFailure: Error {
    /// The description of the failure.
    var message: MessageText
    /// The response of an HTTP proxy.
    var head: ResponseHead?
}

extension Proxy {
    /// Creates a negotiation for a tunnel through this proxy.
    /// - Parameters:
    ///   - host: The destination host, a name or an address without brackets.
    ///   - port: The destination port.
    /// - Throws: ``TunnelFailure`` if a name or password is too long for the protocol.
    func negotiation(host: String, port: Int) throws(TunnelFailure) -> any TunnelNegotiation {
        switch scheme {
        case .http, .https: ConnectNegotiation(proxy: self, host: host, port: port)
        case .socks5, .socks5h: try SOCKSNegotiation(proxy: self, host: host, port: port)
        }
    }
}

/// A request for a tunnel through an HTTP proxy (CONNECT, RFC 9110, section 9.3.6).
struct ConnectNegotiation: TunnelNegotiation {
    /// The maximum size of a proxy's response header.
    private static let headerLimit = 64 << 10

    private let proxy: Proxy
    private let target: String
    private var parser: HTTP1ResponseParser
    private var unread: [UInt8] = []

    init(proxy: Proxy, host: String, port: Int) {
        self.proxy = proxy
        target = IPAddress.authority(host, port)
        parser = HTTP1ResponseParser(
            method: HTTPMethod(rawValue: "CONNECT"), headerLimit: Self.headerLimit, bodyLimit: .max)
    }

    mutating func start() -> [UInt8] {
        var text = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n"
        if let credentials = proxy.authorization { text += "Proxy-Authorization: \(credentials)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    mutating func receive(_ bytes: some Collection<UInt8>) throws(TunnelFailure) -> TunnelStep {
        unread.append(contentsOf: bytes)
        while let end = Self.endOfHead(unread) {
            let head = Array(unread[..<end])
            unread.removeFirst(end)
            do throws(HTTP1ParseFailure) {
                try consume(head)
            } catch {
                throw TunnelFailure(
                    message: "the proxy \(proxy.target) does not respond as an HTTP proxy: \(error.message)")
            }
            guard let head = parser.head else { continue }
            guard (200..<300).contains(head.status) else { throw refusal(head) }
            guard unread.isEmpty else {
                throw TunnelFailure(
                    message: "the proxy \(proxy.target) sent data before the tunnel to \(target) was used",
                    head: head)
            }
            return .established
        }
        guard unread.count <= Self.headerLimit else {
            throw TunnelFailure(
                message: "the proxy \(proxy.target) sent a header of more than \(Self.headerLimit) bytes")
        }
        let start: StaticString = "HTTP/"
        let isHTTP = start.withUTF8Buffer { zip($0, unread).allSatisfy { $0 == $1 } }
        guard isHTTP else {
            throw TunnelFailure(message: "the proxy \(proxy.target) does not speak HTTP on this port")
        }
        return .wait
    }

    private mutating func consume(_ bytes: [UInt8]) throws(HTTP1ParseFailure) {
        let result: Result<Void, HTTP1ParseFailure> = bytes.withUnsafeBufferPointer { buffer in
            do throws(HTTP1ParseFailure) {
                var position = 0
                _ = try parser.next(buffer, &position)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func refusal(_ head: ResponseHead) -> TunnelFailure {
        let status = head.reason.isEmpty ? "\(head.status)" : "\(head.status) \(head.reason)"
        if head.status == 407 {
            let what =
                proxy.username == nil
                ? "requires a user name and password" : "rejected the user name and password"
            return TunnelFailure(message: "the proxy \(proxy.target) \(what): \(status)", head: head)
        }
        return TunnelFailure(
            message: "the proxy \(proxy.target) refused to connect to \(target): \(status)", head: head)
    }

    /// Returns the end of the first empty line; lines may end in LF alone.
    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        var lineStart = 0
        for (index, byte) in bytes.enumerated() where byte == 10 {
            let length = index - lineStart
            if length == 0 || length == 1 && bytes[lineStart] == 13 { return lineStart == 0 ? nil : index + 1 }
            lineStart = index + 1
        }
        return nil
    }
}
