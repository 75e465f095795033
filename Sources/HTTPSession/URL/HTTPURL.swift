public import Basics

/// An absolute `http` or `https` URL, in the form that is sent (RFC 3986; RFC 9110, section 4.2).
///
/// Characters that are not allowed in a URL, such as spaces, quotation marks and non-ASCII characters, are
/// percent-encoded. Existing escapes are kept. The scheme and the host are lowercased, and an empty path becomes "/".
/// Dot segments are removed when a reference is resolved.
///
/// ```swift
/// let base = try HTTPURL("https://example.org/books/")
/// print(try base.resolving("7?full=1"))  // https://example.org/books/7?full=1
/// ```
public struct HTTPURL: Sendable, Hashable {
    /// Whether the scheme is `https`.
    public let isSecure: Bool
    /// The user name and password as written, without "@".
    public let userInfo: String?
    /// The host: a name, an IPv4 address, or an IPv6 address without brackets.
    public let host: String
    /// The port, or the default port of the scheme if the URL has none.
    public let port: Int
    /// The path and the query, as in a request line.
    public let target: String
    /// The part after "#", which is not sent.
    public let fragment: String?

    /// The scheme, `http` or `https`.
    public var scheme: String { isSecure ? "https" : "http" }

    /// The path, which is never empty.
    public var path: String {
        guard let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return target }
        return String(target[..<end])
    }

    /// The query, without "?".
    public var query: String? {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return String(target[target.utf8.index(after: mark)...])
    }

    /// The host and port as in a `Host` field, without the port if it is the scheme's default.
    ///
    /// The zone of an IPv6 address is omitted because it has a meaning only on this machine (RFC 6874, section 4).
    public var authority: String {
        guard host.utf8.contains(UInt8(ascii: ":")) else { return authority(of: host) }
        let end = host.utf8.firstIndex(of: UInt8(ascii: "%")) ?? host.endIndex
        return authority(of: "[" + host[..<end] + "]")
    }

    private func authority(of name: String) -> String {
        port == (isSecure ? 443 : 80) ? name : name + ":" + String(port)
    }

    /// Returns whether the scheme, host and port are the same (RFC 6454, section 4).
    public func hasSameOrigin(as other: HTTPURL) -> Bool {
        isSecure == other.isSecure && port == other.port && host == other.host
    }

    /// Parses an absolute URL.
    /// - Parameters:
    ///   - text: The URL as a string.
    ///   - verbatim: Whether the path and query are kept byte for byte.
    /// - Throws: ``HTTPURLError`` if the URL is relative, has another scheme or is malformed.
    public init(_ text: String, verbatim: Bool = false) throws(HTTPURLError) {
        self = try Self.make(text, base: nil, verbatim: verbatim)
    }

    /// Returns the URL that results from resolving a reference against this URL (RFC 3986, section 5.2).
    /// - Parameters:
    ///   - reference: An absolute URL or a relative reference.
    ///   - verbatim: Whether the path and query of the reference are kept byte for byte.
    /// - Throws: ``HTTPURLError`` if the result is not an `http` or `https` URL.
    public func resolving(_ reference: String, verbatim: Bool = false) throws(HTTPURLError) -> HTTPURL {
        try Self.make(reference, base: self, verbatim: verbatim)
    }

    /// The URL with "/" at the end of its path, so that relative references resolve below it.
    public var asDirectory: HTTPURL {
        let path = path
        guard path.utf8.last != UInt8(ascii: "/") else { return self }
        let query = query.map { "?" + $0 } ?? ""
        return HTTPURL(
            isSecure: isSecure, userInfo: userInfo, host: host, port: port, target: path + "/" + query,
            fragment: fragment)
    }

    /// Returns this URL with another fragment.
    func withFragment(_ fragment: String?) -> HTTPURL {
        HTTPURL(
            isSecure: isSecure, userInfo: userInfo, host: host, port: port, target: target, fragment: fragment)
    }

    /// Returns this URL with another path and query.
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
    /// The complete URL.
    public var description: String {
        // Created for every exchange that is recorded, so it is written in one pass. The capacity allows for all
        // separators and a port of five digits.
        let maximum =
            18 + (userInfo?.utf8.count ?? 0) + host.utf8.count + target.utf8.count + (fragment?.utf8.count ?? 0)
        return String(unsafeUninitializedCapacity: maximum) { buffer in
            var writer = Writer(buffer: buffer)
            writer.write((isSecure ? "https://" : "http://") as StaticString)
            if let userInfo {
                writer.write(userInfo)
                writer.write("@" as StaticString)
            }
            // Includes the zone of an IPv6 address, which `authority` omits.
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

    /// A writer that appends the parts of a URL to a buffer; a part that does not fit is omitted.
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

        /// Writes a host; an IPv6 address is put in brackets.
        mutating func writeHost(_ host: String) {
            var host = host
            host.withUTF8 { bytes in
                let isIPv6 = bytes.contains(UInt8(ascii: ":"))
                if isIPv6 { write("[" as StaticString) }
                write(bytes)
                if isIPv6 { write("]" as StaticString) }
            }
        }

        /// Writes a colon and a port of up to five digits.
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

/// An error for a string that is not a valid `http` or `https` URL.
public struct HTTPURLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the problem.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public let wording: MessageText

    init(message: MessageText) {
        wording = message
    }

    /// A description of the problem.
    public var description: String { message }
}
