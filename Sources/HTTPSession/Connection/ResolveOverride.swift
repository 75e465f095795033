/// Addresses that stand in for a host name, as in `api.example.org:443:127.0.0.1`.
public struct ResolveOverride: Sendable, Hashable {
    /// An IP address, and a port if it is not the URL's.
    public struct Address: Sendable, Hashable {
        /// The IP address, without brackets.
        public var ip: String
        /// The port to connect to; nil for the URL's.
        public var port: Int?

        /// Creates an address.
        public init(_ ip: String, port: Int? = nil) {
            self.ip = ip
            self.port = port
        }
    }

    /// The host as it is in URLs, in lower case; `*` for every host.
    public var host: String
    /// The port of the URL that this is for; nil for every port.
    public var port: Int?
    /// The addresses to connect to; of several the first that answers is taken (RFC 8305).
    public var addresses: [Address]

    /// The first IP address to connect to.
    public var address: String { addresses.first?.ip ?? "" }
    /// The port to connect to there; nil for the URL's.
    public var addressPort: Int? { addresses.first?.port }

    /// Creates an override.
    public init(host: String, port: Int? = nil, address: String, addressPort: Int? = nil) {
        self.init(host: host, port: port, addresses: [Address(address, port: addressPort)])
    }

    /// Creates an override with several addresses.
    public init(host: String, port: Int? = nil, addresses: [Address]) {
        self.host = host.lowercased()
        self.port = port
        self.addresses = addresses
    }

    /// Reads an override as curl's `--resolve` takes it, with a port behind an address where that is another one.
    ///
    /// `HOST:PORT:ADDRESS[,ADDRESS]…`, where HOST and PORT may be `*`, and ADDRESS is `127.0.0.1`, `::1`, `[::1]`,
    /// `127.0.0.1:8443` or `[::1]:8443`.
    /// - Throws: ``ConnectionSettingError`` if it is not that.
    public init(_ text: String) throws(ConnectionSettingError) {
        func problem(_ words: String) -> ConnectionSettingError {
            ConnectionSettingError(message: "\"\(text)\" \(words); what is expected is HOST:PORT:ADDRESS")
        }
        var rest = text[...]
        if rest.first == "+" { rest = rest.dropFirst() }
        let host: Substring
        if rest.first == "[", let end = rest.firstIndex(of: "]") {
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest[host.endIndex...]
        }
        guard !host.isEmpty, rest.first == ":" else { throw problem("has no host and port") }
        rest = rest.dropFirst()
        let portText = rest.prefix { $0 != ":" }
        rest = rest[portText.endIndex...].dropFirst()
        let port = Int(portText)
        guard portText == "*" || port.map({ (1...65535).contains($0) }) == true else {
            throw problem("has no port from 1 to 65535, or \"*\", after the host")
        }
        var addresses: [Address] = []
        for part in rest.split(separator: ",", omittingEmptySubsequences: false) {
            guard let address = Address(parsing: part) else { throw problem("has no IP address in \"\(part)\"") }
            addresses.append(address)
        }
        guard !addresses.isEmpty else { throw problem("has no address") }
        self.init(host: String(host), port: port, addresses: addresses)
    }

    /// Whether this is for a host, in lower case, at a port.
    func matches(host: String, port: Int) -> Bool {
        (self.host == host || self.host == "*") && (self.port == nil || self.port == port)
    }
}

extension ResolveOverride.Address {
    /// Reads an address with an optional port; an IPv6 address with a port is in brackets.
    fileprivate init?(parsing text: Substring) {
        if text.first == "[", let end = text.firstIndex(of: "]") {
            let address = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            self.init(ip: address, port: rest)
        } else if let colon = text.firstIndex(of: ":"), !text[text.index(after: colon)...].contains(":") {
            self.init(ip: text[..<colon], port: text[colon...])
        } else {
            self.init(ip: text, port: "")
        }
    }

    private init?(ip: Substring, port: Substring) {
        guard IPAddress.bytes(String(ip)) != nil else { return nil }
        self.init(String(ip))
        guard !port.isEmpty else { return }
        guard port.first == ":", let number = Int(port.dropFirst()), (1...65535).contains(number) else { return nil }
        self.port = number
    }
}
