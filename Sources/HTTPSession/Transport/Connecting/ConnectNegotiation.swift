/// The client's side of what is said to a proxy before a connection through it is as good as a direct one.
protocol TunnelNegotiation {
    /// What to send first.
    mutating func start() -> [UInt8]

    /// Takes in what the proxy has sent.
    /// - Throws: ``TunnelFailure`` if the proxy refuses, or does not speak its protocol.
    mutating func receive(_ bytes: some Collection<UInt8>) throws(TunnelFailure) -> TunnelStep
}

/// What follows after a part of a negotiation.
enum TunnelStep: Equatable {
    /// More must come from the proxy.
    case wait
    /// These bytes are to be sent.
    case send([UInt8])
    /// The connection is there.
    case established
}

/// Why a proxy gives no connection.
struct TunnelFailure: Error {
    /// The reason in words.
    var message: String
    /// The response of an HTTP proxy.
    var head: ResponseHead?
}

extension Proxy {
    /// Prepares to ask this proxy for a connection.
    /// - Parameters:
    ///   - host: The host to connect to, a name or an address without brackets.
    ///   - port: The port.
    /// - Throws: ``TunnelFailure`` if the protocol cannot carry names or passwords that long.
    func negotiation(host: String, port: Int) throws(TunnelFailure) -> any TunnelNegotiation {
        switch scheme {
        case .http, .https: ConnectNegotiation(proxy: self, host: host, port: port)
        case .socks5, .socks5h: try SOCKSNegotiation(proxy: self, host: host, port: port)
        }
    }
}

/// Asks an HTTP proxy for a tunnel (CONNECT, RFC 9110 section 9.3.6).
struct ConnectNegotiation: TunnelNegotiation {
    /// The largest header of a proxy's response.
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
                    message: "the proxy \(proxy.target) does not answer as an HTTP proxy: \(error.message)")
            }
            guard let head = parser.head else { continue }
            guard (200..<300).contains(head.status) else { throw refusal(head) }
            guard unread.isEmpty else {
                throw TunnelFailure(
                    message: "the proxy \(proxy.target) sent something before the tunnel to \(target) was used",
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
            throw TunnelFailure(message: "the proxy \(proxy.target) does not speak HTTP at this port")
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
                ? "asks for a user name and password" : "does not accept the user name and password"
            return TunnelFailure(message: "the proxy \(proxy.target) \(what): \(status)", head: head)
        }
        return TunnelFailure(
            message: "the proxy \(proxy.target) refused to connect to \(target): \(status)", head: head)
    }

    /// The end of the first empty line; lines may end in LF alone.
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
