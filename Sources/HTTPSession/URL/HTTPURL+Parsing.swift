import Basics

extension HTTPURL {
    private typealias Bytes = UnsafeBufferPointer<UInt8>

    static func make(_ text: String, base: HTTPURL?, verbatim: Bool) throws(HTTPURLError) -> HTTPURL {
        var text = text
        do {
            return try text.withUTF8 { bytes in try make(bytes, base: base, verbatim: verbatim) }
        } catch let error as HTTPURLError {
            throw error
        } catch {
            throw HTTPURLError(message: "is not a URL")
        }
    }

    private static func make(_ bytes: Bytes, base: HTTPURL?, verbatim: Bool) throws(HTTPURLError) -> HTTPURL {
        if let url = plain(bytes) { return url }
        if !verbatim, let index = bytes.firstIndex(where: { $0 == 13 || $0 == 10 || $0 == 0 }) {
            let name = bytes[index] == 13 ? "a carriage return" : bytes[index] == 10 ? "a line feed" : "a NUL"
            throw HTTPURLError(message: "the URL has \(name) at byte \(index)")
        }
        let reference = URLReference(bytes)
        let secure: Bool
        if let scheme = reference.scheme {
            secure = try isSecure(bytes, scheme, hasAuthority: reference.authority != nil)
        } else if let base {
            secure = base.isSecure
        } else {
            throw HTTPURLError(
                message: "the URL is relative, but there is no base URL: start it with http:// or https://")
        }
        let fragment = reference.fragment.map { encoded(bytes, $0, ByteClass.query, verbatim) }
        if let range = reference.authority {
            let (user, host, port) = try authority(bytes, range)
            return HTTPURL(
                isSecure: secure, userInfo: user, host: host, port: port ?? (secure ? 443 : 80),
                target: target(bytes, reference.path, reference.query, verbatim, removesDots: base != nil),
                fragment: fragment)
        }
        guard reference.scheme == nil, let base else {
            throw HTTPURLError(message: "the URL has no host: expected \"//\" after the scheme")
        }
        let target: String
        if reference.path.isEmpty {
            if let query = reference.query {
                target = base.path + "?" + encoded(bytes, query, ByteClass.query, verbatim)
            } else {
                target = base.target
            }
        } else if bytes[reference.path.lowerBound] == UInt8(ascii: "/") {
            target = Self.target(bytes, reference.path, reference.query, verbatim, removesDots: true)
        } else {
            target = Self.target(base, bytes, reference.path, reference.query, verbatim)
        }
        return HTTPURL(
            isSecure: secure, userInfo: base.userInfo, host: base.host, port: base.port, target: target,
            fragment: fragment)
    }

    /// Parses an absolute URL that needs no changes: lowercase scheme and host, optional port, and a path.
    ///
    /// Returns nil for all other URLs, which may also be valid. Most URLs take this path: a single pass checks the
    /// bytes and finds the parts.
    private static func plain(_ bytes: Bytes) -> HTTPURL? {
        let isSecure: Bool
        if bytes.starts(with: "https://") {
            isSecure = true
        } else if bytes.starts(with: "http://") {
            isSecure = false
        } else {
            return nil
        }
        let hostStart = isSecure ? 8 : 7
        var cursor = hostStart
        let hostSet = ByteClass.host
        while cursor < bytes.count, hostSet.contains(bytes[cursor]),
            bytes[cursor] == ASCII.lowercased(bytes[cursor])
        {
            cursor += 1
        }
        let hostEnd = cursor
        guard hostEnd > hostStart, cursor < bytes.count else { return nil }
        var port = isSecure ? 443 : 80
        if bytes[cursor] == UInt8(ascii: ":") {
            cursor += 1
            port = 0
            let start = cursor
            while cursor < bytes.count, cursor - start < 6, case let digit = bytes[cursor] &- 48, digit < 10 {
                port = port * 10 + Int(digit)
                cursor += 1
            }
            guard cursor > start, port <= 65535 else { return nil }
        }
        guard cursor < bytes.count, bytes[cursor] == UInt8(ascii: "/") else { return nil }
        let targetStart = cursor
        let (pathSet, querySet) = (ByteClass.path, ByteClass.query)
        var previous: UInt8 = 0
        while cursor < bytes.count, pathSet.contains(bytes[cursor]) {
            // The segment may be a dot segment, which has to be removed.
            if bytes[cursor] == UInt8(ascii: "."), previous == UInt8(ascii: "/") { return nil }
            previous = bytes[cursor]
            cursor += 1
        }
        if cursor < bytes.count, bytes[cursor] == UInt8(ascii: "?") {
            while cursor < bytes.count, querySet.contains(bytes[cursor]) { cursor += 1 }
        }
        guard cursor == bytes.count else { return nil }
        return HTTPURL(
            isSecure: isSecure, userInfo: nil, host: String(decoding: bytes[hostStart..<hostEnd], as: UTF8.self),
            port: port, target: String(decoding: bytes[targetStart...], as: UTF8.self), fragment: nil)
    }

    private static func isSecure(
        _ bytes: Bytes, _ range: Range<Int>, hasAuthority: Bool
    ) throws(HTTPURLError) -> Bool {
        // Nearly every request has one of these schemes, so compare without creating a string.
        let scheme = Bytes(rebasing: bytes[range])
        let expected: StaticString = "https"
        if scheme.count == 4 || scheme.count == 5 {
            let isKnown = expected.withUTF8Buffer { expected in
                for index in scheme.indices where ASCII.lowercased(scheme[index]) != expected[index] {
                    return false
                }
                return true
            }
            if isKnown { return scheme.count == 5 }
        }
        do {
            let name = String(decoding: scheme.map(ASCII.lowercased), as: UTF8.self)
            if hasAuthority { throw HTTPURLError(message: "unsupported scheme \"\(name)\": expected http or https") }
            throw HTTPURLError(
                message: "unsupported scheme \"\(name)\": a URL must start with http:// or https://")
        }
    }

    // MARK: Authority

    private static func authority(
        _ bytes: Bytes, _ range: Range<Int>
    ) throws(HTTPURLError) -> (user: String?, host: String, port: Int?) {
        var start = range.lowerBound
        var user: String?
        if let at = bytes[range].lastIndex(of: UInt8(ascii: "@")) {
            user = encoded(bytes, start..<at, ByteClass.userInfo, false)
            start = at + 1
        }
        let rest = start..<range.upperBound
        let hostEnd: Int
        let host: String
        if start < range.upperBound, bytes[start] == UInt8(ascii: "[") {
            guard let bracket = bytes[rest].firstIndex(of: UInt8(ascii: "]")) else {
                throw HTTPURLError(message: "the host has \"[\" without \"]\"")
            }
            let literal = String(decoding: bytes[(start + 1)..<bracket], as: UTF8.self)
            guard let address = IPAddress.version6(literal) else {
                throw HTTPURLError(message: "the host \"[\(literal)]\" is not an IPv6 address")
            }
            host = address
            hostEnd = bracket + 1
            if hostEnd < range.upperBound, bytes[hostEnd] != UInt8(ascii: ":") {
                throw HTTPURLError(message: "only a port can follow the host \"[\(literal)]\"")
            }
        } else {
            hostEnd = bytes[rest].firstIndex(of: UInt8(ascii: ":")) ?? range.upperBound
            host = try name(bytes, start..<hostEnd)
        }
        return (user, host, try port(bytes, hostEnd..<range.upperBound))
    }

    private static func name(_ bytes: Bytes, _ range: Range<Int>) throws(HTTPURLError) -> String {
        guard !range.isEmpty else { throw HTTPURLError(message: "the URL has no host") }
        let allowed = ByteClass.host
        var hasUpperCase = false
        for byte in bytes[range] {
            if byte >= 0x80 {
                let text = String(decoding: bytes[range], as: UTF8.self)
                throw HTTPURLError(
                    message: "the host \"\(text)\" is not ASCII; write an international name in its xn-- form")
            }
            guard allowed.contains(byte) else {
                let text = String(decoding: bytes[range], as: UTF8.self)
                let character = String(decoding: [byte], as: UTF8.self)
                throw HTTPURLError(message: "invalid character \"\(character)\" in the host \"\(text)\"")
            }
            if byte != ASCII.lowercased(byte) { hasUpperCase = true }
        }
        guard hasUpperCase else { return String(decoding: bytes[range], as: UTF8.self) }
        return String(decoding: bytes[range].map(ASCII.lowercased), as: UTF8.self)
    }

    private static func port(_ bytes: Bytes, _ range: Range<Int>) throws(HTTPURLError) -> Int? {
        guard range.count > 1 else { return nil }
        var port = 0
        for byte in bytes[(range.lowerBound + 1)..<range.upperBound] {
            let digit = Int(byte) - 48
            if (0...9).contains(digit) { port = port * 10 + digit }
            guard (0...9).contains(digit), port <= 65535 else {
                let text = String(decoding: bytes[(range.lowerBound + 1)..<range.upperBound], as: UTF8.self)
                throw HTTPURLError(message: "invalid port \"\(text)\": expected a number from 0 to 65535")
            }
        }
        return port
    }

    // MARK: Path and query

    /// Returns the request target for a path that is empty or starts with "/".
    ///
    /// Dot segments are removed if a reference is resolved (RFC 3986, section 5.2.4), but kept in a complete URL. A
    /// caller who writes `/a/../b` may want to test how the server handles it.
    private static func target(
        _ bytes: Bytes, _ path: Range<Int>, _ query: Range<Int>?, _ verbatim: Bool, removesDots: Bool
    ) -> String {
        let end = query?.upperBound ?? path.upperBound
        if path.isEmpty {
            guard let query else { return "/" }
            return "/?" + encoded(bytes, query, ByteClass.query, verbatim)
        }
        // Most targets can be sent unchanged: one pass checks that, and one copy creates the string.
        if verbatim || isPlain(bytes, path, query) {
            return String(decoding: bytes[path.lowerBound..<end], as: UTF8.self)
        }
        var text = encoded(bytes, path, ByteClass.path, verbatim)
        if removesDots { text = String(decoding: removingDotSegments(Array(text.utf8)), as: UTF8.self) }
        guard let query else { return text }
        return text + "?" + encoded(bytes, query, ByteClass.query, verbatim)
    }

    /// Returns the request target for a relative path, merged with the base's path (RFC 3986, section 5.2.3).
    private static func target(
        _ base: HTTPURL, _ bytes: Bytes, _ path: Range<Int>, _ query: Range<Int>?, _ verbatim: Bool
    ) -> String {
        var merged: [UInt8] = []
        merged.reserveCapacity(base.target.utf8.count + path.count)
        var end = 0
        for byte in base.target.utf8 {
            if byte == UInt8(ascii: "?") { break }
            merged.append(byte)
            if byte == UInt8(ascii: "/") { end = merged.count }
        }
        merged.removeSubrange(end...)
        let queryText = query.map { "?" + encoded(bytes, $0, ByteClass.query, verbatim) } ?? ""
        if verbatim || isPlain(bytes, path, nil) {
            merged.append(contentsOf: bytes[path])
            return String(decoding: merged, as: UTF8.self) + queryText
        }
        merged.append(contentsOf: encoded(bytes, path, ByteClass.path, verbatim).utf8)
        return String(decoding: removingDotSegments(merged), as: UTF8.self) + queryText
    }

    /// Returns whether the path and query need no encoding, and no path segment starts with a dot.
    private static func isPlain(_ bytes: Bytes, _ path: Range<Int>, _ query: Range<Int>?) -> Bool {
        let pathSet = ByteClass.path
        var previous = UInt8(ascii: "/")
        for byte in bytes[path] {
            guard pathSet.contains(byte) else { return false }
            if byte == UInt8(ascii: "."), previous == UInt8(ascii: "/") { return false }
            previous = byte
        }
        guard let query else { return true }
        let querySet = ByteClass.query
        return bytes[query].allSatisfy { querySet.contains($0) }
    }

    /// Returns the bytes of a range, percent-encoding those not in `allowed`. Existing escapes are kept.
    private static func encoded(
        _ bytes: Bytes, _ range: Range<Int>, _ allowed: ByteClass.Set, _ verbatim: Bool
    ) -> String {
        if verbatim || bytes[range].allSatisfy({ allowed.contains($0) }) {
            return String(decoding: bytes[range], as: UTF8.self)
        }
        var result: [UInt8] = []
        result.reserveCapacity(range.count + 16)
        for index in range {
            let byte = bytes[index]
            let isEscape =
                byte == UInt8(ascii: "%") && index + 2 < range.upperBound
                && Hexadecimal.isDigit(bytes[index + 1]) && Hexadecimal.isDigit(bytes[index + 2])
            if allowed.contains(byte) || isEscape {
                result.append(byte)
            } else {
                PercentEncoding.append(byte, to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns a path without its "." and ".." segments (RFC 3986, section 5.2.4).
    static func removingDotSegments(_ path: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        let dot = UInt8(ascii: ".")
        var output: [UInt8] = []
        output.reserveCapacity(path.count)
        var start = path.first == slash ? 1 : 0
        while start <= path.count {
            var end = start
            while end < path.count, path[end] != slash { end += 1 }
            let isLast = end == path.count
            let segment = path[start..<end]
            if segment.elementsEqual([dot]) {
                if isLast { output.append(slash) }
            } else if segment.elementsEqual([dot, dot]) {
                while let last = output.popLast(), last != slash {}
                if isLast { output.append(slash) }
            } else {
                output.append(slash)
                output.append(contentsOf: segment)
            }
            start = end + 1
        }
        return output
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether the bytes start with those of `prefix`.
    fileprivate func starts(with prefix: StaticString) -> Bool {
        guard count >= prefix.utf8CodeUnitCount else { return false }
        for index in 0..<prefix.utf8CodeUnitCount where self[index] != prefix.utf8Start[index] { return false }
        return true
    }
}

/// The five components of a URI reference as byte ranges (RFC 3986, appendix B).
struct URLReference {
    var scheme: Range<Int>?
    var authority: Range<Int>?
    var path: Range<Int>
    var query: Range<Int>?
    var fragment: Range<Int>?

    /// Splits a reference. Every byte sequence can be split.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var end = bytes.count
        var start = 0
        if let colon = Self.endOfScheme(bytes) {
            scheme = 0..<colon
            start = colon + 1
        }
        if start + 1 < end, bytes[start] == UInt8(ascii: "/"), bytes[start + 1] == UInt8(ascii: "/") {
            var stop = start + 2
            while stop < end, !Self.endsAuthority(bytes[stop]) { stop += 1 }
            authority = (start + 2)..<stop
            start = stop
        }
        var cursor = start
        var queryMark: Int?
        while cursor < end {
            let byte = bytes[cursor]
            if byte == UInt8(ascii: "#") {
                fragment = (cursor + 1)..<end
                end = cursor
                break
            }
            if byte == UInt8(ascii: "?"), queryMark == nil { queryMark = cursor }
            cursor += 1
        }
        if let queryMark {
            path = start..<queryMark
            query = (queryMark + 1)..<end
        } else {
            path = start..<end
        }
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Returns the position of the colon after the scheme, or nil without a scheme.
    private static func endOfScheme(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        for (index, byte) in bytes.enumerated() {
            switch ASCII.lowercased(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if index == 0 { return nil }
            case UInt8(ascii: ":"): return index == 0 ? nil : index
            default: return nil
            }
        }
        return nil
    }
}
