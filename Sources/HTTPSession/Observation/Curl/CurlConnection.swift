import Basics

/// The `curl` options that correspond to ``ConnectionOptions``.
struct CurlConnection {
    /// The options, each with its value.
    private(set) var options: [[String]] = []
    /// The differences between curl's behavior and the session's.
    private(set) var notes: [String] = []

    private let redaction: Redaction?

    init(_ connection: ConnectionOptions, url: HTTPURL, redaction: Redaction?) {
        self.redaction = redaction
        version(connection.version, url)
        if let path = connection.unixSocket { options.append(["--unix-socket", path]) }
        resolve(connection.resolve, url)
        if let proxy = connection.proxy.proxy(for: url) { self.proxy(proxy) }
        if url.isSecure { tls(connection.tls, url) }
    }

    private mutating func version(_ version: HTTPVersionPolicy, _ url: HTTPURL) {
        switch version {
        case .automatic: break
        case .http10: options.append(["--http1.0"])
        case .http11: options.append(["--http1.1"])
        case .http2: options.append([url.isSecure ? "--http2" : "--http2-prior-knowledge"])
        }
    }

    private mutating func resolve(_ overrides: [ResolveOverride], _ url: HTTPURL) {
        guard let override = overrides.first(where: { $0.matches(host: url.host, port: url.port) }) else { return }
        let host = IPAddress.bracketed(url.host)
        if let address = override.addresses.first, let port = address.port, port != url.port {
            options.append(["--connect-to", "\(host):\(url.port):\(IPAddress.bracketed(address.ip)):\(port)"])
            if override.addresses.count > 1 { notes.append("uses only the first of the given addresses") }
            return
        }
        let addresses = override.addresses.map { IPAddress.bracketed($0.ip) }.joined(separator: ",")
        options.append(["--resolve", "\(host):\(url.port):\(addresses)"])
    }

    private mutating func proxy(_ proxy: Proxy) {
        options.append(["--proxy", proxy.description])
        if proxy.scheme == .https {
            switch proxy.tls.trust.rule.resolved(for: proxy.host) {
            case .anyone: options.append(["--proxy-insecure"])
            case .roots(.only(let sources)):
                if case .file(let path)? = sources.first { options.append(["--proxy-cacert", path]) }
            default: break
            }
        }
        guard let user = proxy.username else { return }
        options.append(["--proxy-user", user + ":" + (redaction?.replacement ?? proxy.password ?? "")])
    }

    private mutating func tls(_ tls: TLSOptions, _ url: HTTPURL) {
        trust(tls.trust.rule.resolved(for: url.host))
        if let identity = tls.identity { self.identity(identity) }
        if let oldest = tls.minimumVersion { options.append(["--tlsv" + oldest.rawValue]) }
        if let newest = tls.maximumVersion { options.append(["--tls-max", newest.rawValue]) }
        if let name = tls.serverName { notes.append("the TLS server name was \(name), which curl cannot send") }
    }

    private mutating func trust(_ rule: TrustRule) {
        switch rule {
        case .roots(.system(let additional)):
            if !additional.isEmpty {
                notes.append("\(Self.names(additional)) was trusted in addition to the system authorities")
            }
        case .roots(.only(let sources)):
            if case .file(let path)? = sources.first {
                options.append(["--cacert", path])
            } else {
                notes.append("the trusted authorities are not in a file: pass them with --cacert")
            }
            if sources.count > 1 { notes.append("also trusted: \(Self.names(Array(sources.dropFirst())))") }
        case .anyone:
            options.append(["--insecure"])
        case .pins(let pins):
            options.append(["--insecure"])
            self.pins(pins)
        case .all(let rules) where rules.count == 2:
            // A policy combined with pins, as created by `pinning(keys:)`.
            if case .pins(let pins) = rules[1] {
                trust(rules[0])
                self.pins(pins)
            } else {
                notes.append(Self.unknown)
            }
        case .all, .any, .perHost:
            notes.append(Self.unknown)
        case .anyName(let inner):
            trust(inner)
            notes.append("a certificate for any name was accepted, which curl does not support")
        }
    }

    private static let unknown = "the trust policy of the session has no equivalent in curl"

    private mutating func pins(_ pins: TrustPins) {
        if !pins.keys.isEmpty {
            let keys = pins.keys.map { "sha256//" + Base64.encode($0.hash) }.joined(separator: ";")
            options.append(["--pinnedpubkey", keys])
            if pins.location == .chain {
                notes.append("the pinned key may belong to an authority, but curl checks only the key of the server")
            }
        }
        if !pins.certificates.isEmpty { notes.append("curl does not support pinned certificates") }
    }

    private mutating func identity(_ identity: ClientIdentity) {
        switch identity.form {
        case .bundle(let source):
            file("--cert", source, "the client's PKCS #12 bundle")
            options.append(["--cert-type", "P12"])
        case .separate(let chain, let key):
            file("--cert", chain, "the client's certificate")
            if key != chain { file("--key", key, "the client's key") }
        }
        if let passphrase = identity.passphrase {
            options.append(["--pass", redaction?.replacement ?? passphrase])
        }
    }

    private mutating func file(_ option: String, _ source: CertificateSource, _ words: String) {
        switch source {
        case .file(let path): options.append([option, path])
        case .bytes: notes.append("\(words) is not in a file: pass it with \(option)")
        }
    }

    private static func names(_ sources: [CertificateSource]) -> String {
        sources.map(\.name).joined(separator: ", ")
    }
}

extension ConnectionOptions {
    /// Returns the `curl` options for connecting to a URL with these options, one word each and unquoted.
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - redaction: The policy that replaces passwords.
    public func curlOptions(for url: HTTPURL, redaction: Redaction = .standard) -> [String] {
        Array(CurlConnection(self, url: url, redaction: redaction).options.joined())
    }
}
