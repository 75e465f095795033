/// An absolute `http` or `https` URL, in the form that is put on the wire (RFC 3986, RFC 9110 section 4.2).
///
/// What a URL cannot hold (spaces, quotes, other than ASCII) is percent-encoded; escapes that are there stay as they
/// are. Scheme and host are lower case, and an empty path is "/"; dot segments are removed where a reference is resolved.
public struct HTTPURL: Sendable, Hashable {
    /// Whether the scheme is `https`.
    public let isSecure: Bool
    /// The user name and password as written, without the "@".
    public let userInfo: String?
    /// The host: a name, an IPv4 address, or an IPv6 address without brackets.
    public let host: String
    /// The port, the scheme's default if the URL has none.
    public let port: Int
    /// The path and the query, as in a request line.
    public let target: String
    /// The part after "#", which is not sent.
    public let fragment: String?

    /// The scheme, `http` or `https`.
    public var scheme: String { isSecure ? "https" : "http" }

    /// The path, never empty.
    public var path: String {
        guard let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return target }
        return String(target[..<end])
    }

    /// The part between "?" and "#".
    public var query: String? {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return String(target[target.utf8.index(after: mark)...])
    }

    /// Host and port as in a `Host` field: the port is left out if it is the scheme's default.
    ///
    /// An IPv6 address is without its zone, which means something on this machine only (RFC 6874 section 4).
    public var authority: String {
        guard host.utf8.contains(UInt8(ascii: ":")) else { return authority(of: host) }
        let end = host.utf8.firstIndex(of: UInt8(ascii: "%")) ?? host.endIndex
        return authority(of: "[" + host[..<end] + "]")
    }

    private func authority(of name: String) -> String {
        port == (isSecure ? 443 : 80) ? name : name + ":" + String(port)
    }

    /// Whether scheme, host and port are the same (RFC 6454 section 4).
    public func hasSameOrigin(as other: HTTPURL) -> Bool {
        isSecure == other.isSecure && port == other.port && host == other.host
    }

    /// Parses an absolute URL.
    /// - Parameters:
    ///   - text: The URL.
    ///   - verbatim: Whether path and query are kept byte for byte.
    /// - Throws: ``HTTPURLError`` if it is relative, of another scheme, or not a URL.
    public init(_ text: String, verbatim: Bool = false) throws(HTTPURLError) {
        self = try Self.make(text, base: nil, verbatim: verbatim)
    }

    /// Resolves a reference against this URL (RFC 3986 section 5.2).
    /// - Parameters:
    ///   - reference: An absolute URL or a relative reference.
    ///   - verbatim: Whether path and query of the reference are kept byte for byte.
    /// - Throws: ``HTTPURLError`` if the result is not an `http` or `https` URL.
    public func resolving(_ reference: String, verbatim: Bool = false) throws(HTTPURLError) -> HTTPURL {
        try Self.make(reference, base: self, verbatim: verbatim)
    }

    /// This URL with a "/" at the end of its path, so that references resolve below it and not beside it.
    public var asDirectory: HTTPURL {
        let path = path
        guard path.utf8.last != UInt8(ascii: "/") else { return self }
        let query = query.map { "?" + $0 } ?? ""
        return HTTPURL(
            isSecure: isSecure, userInfo: userInfo, host: host, port: port, target: path + "/" + query,
            fragment: fragment)
    }

    /// This URL with another fragment.
    func withFragment(_ fragment: String?) -> HTTPURL {
        HTTPURL(
            isSecure: isSecure, userInfo: userInfo, host: host, port: port, target: target, fragment: fragment)
    }

    /// This URL with another path and query.
    func withTarget(_ target: String) -> HTTPURL {
        HTTPURL(
            isSecure: isSecure, userInfo: userInfo, host: host, port: port, target: target, fragment: fragment)
    }

    init(isSecure: Bool, userInfo: String?, host: String, port: Int, target: String, fragment: String?) {
        self.isSecure = isSecure
        self.userInfo = userInfo
        self.host = host
        self.port = port
        self.target = target
        self.fragment = fragment
    }
}

extension HTTPURL: CustomStringConvertible {
    /// The whole URL.
    public var description: String {
        // Made for each exchange that is kept, at once: with all signs, and a port of five digits.
        let most =
            18 + (userInfo?.utf8.count ?? 0) + host.utf8.count + target.utf8.count + (fragment?.utf8.count ?? 0)
        return String(unsafeUninitializedCapacity: most) { buffer in
            var writer = Writer(buffer: buffer)
            writer.write((isSecure ? "https://" : "http://") as StaticString)
            if let userInfo {
                writer.write(userInfo)
                writer.write("@" as StaticString)
            }
            // With the zone of an IPv6 address, which `authority` leaves out.
            writer.writeHost(host)
            if port != (isSecure ? 443 : 80) { writer.write(port: port) }
            writer.write(target)
            if let fragment {
                writer.write("#" as StaticString)
                writer.write(fragment)
            }
            return writer.count
        }
    }

    /// Writes the parts of a URL one behind the other; what does not fit is left out.
    private struct Writer {
        let buffer: UnsafeMutableBufferPointer<UInt8>
        var count = 0

        private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
            guard let source = bytes.baseAddress, let start = buffer.baseAddress, buffer.count - count >= bytes.count
            else { return }
            (start + count).initialize(from: source, count: bytes.count)
            count += bytes.count
        }

        mutating func write(_ text: String) {
            var text = text
            text.withUTF8 { write($0) }
        }

        mutating func write(_ word: StaticString) {
            write(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        }

        /// Writes a host, an IPv6 address in brackets.
        mutating func writeHost(_ host: String) {
            var host = host
            host.withUTF8 { bytes in
                let isIPv6 = bytes.contains(UInt8(ascii: ":"))
                if isIPv6 { write("[" as StaticString) }
                write(bytes)
                if isIPv6 { write("]" as StaticString) }
            }
        }

        /// Writes a port, which has five digits at most, with the colon before it.
        mutating func write(port: Int) {
            write(":" as StaticString)
            var unit = port < 10 ? 1 : port < 100 ? 10 : port < 1_000 ? 100 : port < 10_000 ? 1_000 : 10_000
            while unit > 0, count < buffer.count {
                buffer[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: port / unit % 10)
                count += 1
                unit /= 10
            }
        }
    }
}

/// Why a text is not a URL that can be requested.
public struct HTTPURLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason in plain words.
    public let message: String

    /// The reason in plain words.
    public var description: String { message }
}
