import Basics
import FileSystem

/// The settings of the exchange and the connection.
extension CurlRequestBuilder {
    /// Adds the settings of a transfer to a request.
    mutating func connection(of request: inout ImportedRequest, _ context: inout ImportContext) {
        redirects(of: &request)
        timeouts(of: &request, &context)
        if let version = transfer.version, version != "auto" { request.set(.http, .plain(version)) }
        if let size = transfer.maximumSize?.text, let bytes = Self.size(size) {
            request.set(.maxBodySize, .literal("\(bytes)B"))
        }
        tls(of: &request, &context)
        proxy(of: &request, &context)
        addresses(of: &request, &context)
        if let socket = transfer.unixSocket {
            request.set(.unixSocket, .text(socketPath(text(socket, &context), context)))
        }
    }

    /// Returns a duration of curl, in seconds, as a suite writes it; nil if it is not a number or none.
    static func duration(_ text: String) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let seconds = Int(parts[0].isEmpty ? "0" : parts[0]), seconds >= 0, seconds < 1 << 32
        else { return nil }
        guard parts.count == 2, parts[1].utf8.allSatisfy(ASCII.isDigit), !parts[1].isEmpty else {
            return seconds == 0 ? nil : "\(seconds)s"
        }
        let milliseconds = seconds * 1_000 + (Int((parts[1] + "000").prefix(3)) ?? 0)
        if milliseconds == 0 { return nil }
        return DurationText.milliseconds(milliseconds)
    }

    private static func size(_ text: String) -> Int? {
        let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
        guard let last = text.lowercased().last else { return nil }
        guard let unit = units[last] else { return Int(text) }
        return Int(text.dropLast()).flatMap { number in
            let (bytes, overflows) = number.multipliedReportingOverflow(by: unit)
            return overflows ? nil : bytes
        }
    }

    private func redirects(of request: inout ImportedRequest) {
        guard transfer.follows else { return request.set(.redirects, false) }
        let maximum = transfer.maximumRedirects?.text.flatMap { Int($0) }
        guard let maximum else { return request.set(.redirects, true) }
        request.set(.redirects, .integer(maximum < 0 ? 100 : min(maximum, 100)))
    }

    private mutating func timeouts(of request: inout ImportedRequest, _ context: inout ImportContext) {
        let total = transfer.maximumTime.flatMap(\.text).flatMap(Self.duration)
        let connect = transfer.connectTimeout.flatMap(\.text).flatMap(Self.duration)
        switch (connect, total) {
        case (nil, nil): break
        case (nil, let total?): request.set(.timeout, .literal(total))
        case (let connect?, nil): request.set(.timeout, .map([("connect", .literal(connect))]))
        case (let connect?, let total?):
            request.set(.timeout, .map([("connect", .literal(connect)), ("total", .literal(total))]))
        }
    }

    private mutating func tls(of request: inout ImportedRequest, _ context: inout ImportContext) {
        var members: [(String, ImportedValue)] = []
        if let path = transfer.caFile, let file = suitePath(path, &context) { members.append(("ca", .text(file))) }
        if var word = transfer.certificate {
            // The password may follow the path.
            var password: ShellWord?
            if let text = word.text, let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) {
                let path = String(text[..<colon])
                password = ShellWord(Array(text.utf8[text.utf8.index(after: colon)...]), range: word.range)
                word = ShellWord(Array(path.utf8), range: word.range)
            }
            if let file = suitePath(word, &context) {
                members.append(("certificate", .text(file)))
                if let key = transfer.key, let file = suitePath(key, &context) { members.append(("key", .text(file))) }
                if let phrase = transfer.passphrase ?? password {
                    members.append(("passphrase", .text(text(phrase, &context))))
                }
            }
        }
        if let pins = transfer.pinnedKey?.text {
            let hashes = pins.split(separator: ";").map(String.init)
            if hashes.allSatisfy({ $0.hasPrefix("sha256//") }) {
                let values = hashes.map { ImportedValue.literal("sha256/" + $0.dropFirst(8)) }
                members.append(("pins", values.count == 1 ? values[0] : .sequence(values)))
            } else {
                note("--pinnedpubkey with a file", transfer.pinnedKey?.range.lowerBound ?? 0, &context)
            }
        }
        if transfer.isInsecure { members.append(("verify", false)) }
        if let version = transfer.minimumTLS { members.append(("minVersion", .plain(version))) }
        if let version = transfer.maximumTLS?.text, ["1.0", "1.1", "1.2", "1.3"].contains(version) {
            members.append(("maxVersion", .plain(version)))
        }
        if !members.isEmpty { request.set(.tls, .map(members)) }
    }

    private mutating func proxy(of request: inout ImportedRequest, _ context: inout ImportContext) {
        if let hosts = transfer.noProxy {
            if hosts.text == "*" { return request.set(.proxy, false) }
            if transfer.proxy != nil { note("--noproxy", hosts.range.lowerBound, &context) }
        }
        guard let word = transfer.proxy else { return }
        var url = text(word, &context)
        if url.isEmpty { return request.set(.proxy, false) }
        if let scheme = transfer.proxyScheme {
            url = ImportedText(scheme + "://") + url
        } else if case .literal(let first)? = url.parts.first, Self.scheme(of: first) == nil {
            url = "http://" + url
        }
        if let user = transfer.proxyUser, case .literal(let first)? = url.parts.first,
            let origin = Self.scheme(of: first).map({ $0 + "://" }), let rest = url.dropping(prefix: origin)
        {
            url = ImportedText(origin) + text(user, &context) + "@" + rest
        }
        let scheme = url.literal.flatMap(Self.scheme(of:))
        if let scheme, !["http", "https", "socks5", "socks5h"].contains(scheme) {
            return note("\(scheme) proxy", word.range.lowerBound, &context)
        }
        request.set(.proxy, .text(url))
    }

    private mutating func addresses(of request: inout ImportedRequest, _ context: inout ImportContext) {
        var members: [ImportedValue.Member] = []
        for word in transfer.resolves {
            guard var text = word.text else {
                note("--resolve with an expansion", word.range.lowerBound, &context)
                continue
            }
            if text.hasPrefix("+") || text.hasPrefix("-") { text.removeFirst() }
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            // The first of several addresses; a suite has one.
            guard parts.count == 3, let address = parts[2].split(separator: ",").first else { continue }
            let isIPv6 = address.hasPrefix("[") && address.hasSuffix("]")
            members.append(
                .init(
                    ImportedText("\(parts[0]):\(parts[1])"), .literal(isIPv6 ? address.dropFirst().dropLast() : address)
                ))
        }
        for word in transfer.connects {
            guard let text = word.text, let member = Self.connection(text, of: request) else {
                note("--connect-to", word.range.lowerBound, &context)
                continue
            }
            members.append(member)
        }
        if !members.isEmpty { request.set(.resolve, .mapping(members)) }
    }

    /// Returns a member of `resolve` for `HOST1:PORT1:HOST2:PORT2`; nil if the second host is not an IPv4 address.
    private static func connection(_ text: String, of request: ImportedRequest) -> ImportedValue.Member? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let authority = URLParts(request.url).authority else { return nil }
        let host = authority.split(separator: ":").first.map(String.init) ?? authority
        let isSecure = request.url.template.hasPrefix("https:")
        let port = authority.split(separator: ":").dropFirst().first.map(String.init) ?? (isSecure ? "443" : "80")
        let octets = parts[2].split(separator: ".")
        guard octets.count == 4, octets.allSatisfy({ UInt8($0) != nil }) else { return nil }
        let target = parts[3].isEmpty ? parts[2] : "\(parts[2]):\(parts[3])"
        let source = "\(parts[0].isEmpty ? host : parts[0]):\(parts[1].isEmpty ? port : parts[1])"
        return ImportedValue.Member(ImportedText(source), .literal(target))
    }

    /// Returns the path of a socket from the directory of the suite.
    private func socketPath(_ path: ImportedText, _ context: ImportContext) -> ImportedText {
        guard let literal = path.literal, !literal.hasPrefix("/") else { return path }
        let absolute = Path.normalized(Path.absolute(literal, in: context.options.workingDirectory))
        return ImportedText(Path.relative(absolute, to: Path.normalized(context.options.outputDirectory)))
    }
}
