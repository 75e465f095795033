/// Hosts that are connected to without a proxy: an entry of `no_proxy`.
struct ProxyException: Sendable, Hashable {
    private enum Hosts: Hashable {
        case all
        /// The name and all below it, in lower case, without dots at its ends.
        case name(String)
        case network(address: [UInt8], bits: Int)
    }

    private let hosts: Hosts
    private let port: Int?

    /// Reads an entry; nil if it is empty.
    init?(_ text: String) {
        var rest = text.lowercased()[...]
        var port: Int?
        if let colon = rest.lastIndex(of: ":"), let number = Int(rest[rest.index(after: colon)...]),
            rest[..<colon].last == "]" || !rest[..<colon].contains(":")
        {
            port = number
            rest = rest[..<colon]
        }
        self.port = port
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            rest = rest[rest.index(after: rest.startIndex)..<end] + rest[rest.index(after: end)...]
        }
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        if let address = IPAddress.bytes(String(parts.first ?? "")) {
            let most = address.count * 8
            let bits = parts.count > 1 ? Int(parts[1]) ?? most : most
            hosts = .network(address: address, bits: max(0, min(bits, most)))
            return
        }
        while rest.first == "." { rest = rest.dropFirst() }
        while rest.last == "." { rest = rest.dropLast() }
        if rest.hasPrefix("*.") { rest = rest.dropFirst(2) }
        guard !rest.isEmpty else { return nil }
        hosts = rest == "*" ? .all : .name(String(rest))
    }

    /// Whether a host is meant.
    /// - Parameters:
    ///   - host: The host in lower case.
    ///   - address: Its bytes, if it is an IP address.
    ///   - port: The port of the URL.
    func matches(_ host: String, address: [UInt8]?, port: Int) -> Bool {
        if let own = self.port, own != port { return false }
        switch hosts {
        case .all: return true
        case .network(let network, let bits):
            guard let address, address.count == network.count else { return false }
            for index in 0..<network.count {
                let rest = bits - index * 8
                guard rest > 0 else { break }
                let mask: UInt8 = rest >= 8 ? 0xFF : ~(0xFF >> UInt8(rest))
                if address[index] & mask != network[index] & mask { return false }
            }
            return true
        case .name(let name):
            guard address == nil else { return false }
            let host = host.utf8.last == UInt8(ascii: ".") ? host.dropLast() : host[...]
            return host == name || host.hasSuffix("." + name)
        }
    }
}
