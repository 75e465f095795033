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
