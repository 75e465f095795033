import Basics

/// The negotiation with a SOCKS 5 proxy (RFC 1928), with user name and password if required (RFC 1929).
struct SOCKSNegotiation: TunnelNegotiation {
    private enum State {
        case method
        case authentication
        case reply
        case done
    }

    private let proxy: Proxy
    private let target: String
    private let credentials: [UInt8]?
    private let request: [UInt8]
    private var state = State.method
    private var unread: [UInt8] = []

    init(proxy: Proxy, host: String, port: Int) throws(TunnelFailure) {
        self.proxy = proxy
        target = IPAddress.authority(host, port)
        if let username = proxy.username {
            let (name, password) = (Array(username.utf8), Array((proxy.password ?? "").utf8))
            guard (1...255).contains(name.count), (1...255).contains(password.count) else {
                throw TunnelFailure(
                    message:
                        "the user name and password of the SOCKS proxy \(proxy.target) must have 1 to 255 bytes each")
            }
            credentials = [1, UInt8(name.count)] + name + [UInt8(password.count)] + password
        } else {
            credentials = nil
        }
        var request: [UInt8] = [5, 1, 0]
        if let address = IPAddress.bytes(host) {
            request.append(address.count == 4 ? 1 : 4)
            request.append(contentsOf: address)
        } else {
            let name = Array(host.utf8)
            guard (1...255).contains(name.count) else {
                throw TunnelFailure(message: "the host name for a SOCKS proxy must have 1 to 255 bytes")
            }
            request.append(3)
            request.append(UInt8(name.count))
            request.append(contentsOf: name)
        }
        request.append(UInt8(truncatingIfNeeded: port >> 8))
        request.append(UInt8(truncatingIfNeeded: port))
        self.request = request
    }

    mutating func start() -> [UInt8] { credentials == nil ? [5, 1, 0] : [5, 2, 0, 2] }

    mutating func receive(_ bytes: some Collection<UInt8>) throws(TunnelFailure) -> TunnelStep {
        unread.append(contentsOf: bytes)
        switch state {
        case .method:
            guard let version = unread.first else { return .wait }
            guard version == 5 else { throw notSOCKS }
            guard unread.count >= 2 else { return .wait }
            let method = unread[1]
            unread.removeFirst(2)
            switch method {
            case 0:
                state = .reply
                return .send(request)
            case 2:
                guard let credentials else { throw notSOCKS }
                state = .authentication
                return .send(credentials)
            case 0xFF:
                let what =
                    credentials == nil
                    ? "requires a user name and password or another authentication method"
                    : "supports neither password authentication nor anonymous access"
                throw TunnelFailure(message: "the SOCKS proxy \(proxy.target) \(what)")
            default: throw notSOCKS
            }
        case .authentication:
            guard unread.count >= 2 else { return .wait }
            let status = unread[1]
            unread.removeFirst(2)
            guard status == 0 else {
                throw TunnelFailure(
                    message: "the SOCKS proxy \(proxy.target) rejected the user name and password")
            }
            state = .reply
            return .send(request)
        case .reply: return try readReply()
        case .done: return .established
        }
    }

    private mutating func readReply() throws(TunnelFailure) -> TunnelStep {
        guard let version = unread.first else { return .wait }
        guard version == 5 else { throw notSOCKS }
        guard unread.count >= 2 else { return .wait }
        guard unread[1] == 0 else {
            throw TunnelFailure(
                message: "the SOCKS proxy \(proxy.target) could not connect to \(target): \(Self.words(unread[1]))")
        }
        guard unread.count >= 5 else { return .wait }
        let addressLength: Int
        switch unread[3] {
        case 1: addressLength = 4
        case 3: addressLength = 1 + Int(unread[4])
        case 4: addressLength = 16
        default: throw notSOCKS
        }
        let length = 4 + addressLength + 2
        guard unread.count >= length else { return .wait }
        guard unread.count == length else {
            throw TunnelFailure(
                message: "the SOCKS proxy \(proxy.target) sent data before the connection to \(target) was used")
        }
        state = .done
        return .established
    }

    private var notSOCKS: TunnelFailure {
        TunnelFailure(message: "the proxy \(proxy.target) does not speak SOCKS 5 on this port")
    }

    /// Returns the description of a reply code (RFC 1928, section 6).
    static func words(_ reply: UInt8) -> String {
        switch reply {
        case 1: "general SOCKS server failure"
        case 2: "connection not allowed by ruleset"
        case 3: "network unreachable"
        case 4: "host unreachable"
        case 5: "connection refused"
        case 6: "TTL expired"
        case 7: "command not supported"
        case 8: "address type not supported"
        default: "unknown reply \(reply)"
        }
    }
}
