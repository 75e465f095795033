/// An option of curl, as its manual describes it.
struct CurlOption: Sendable {
    /// The effect of an option on an import.
    enum Effect: Sendable {
        // The request.
        case request, url, head, get, upload, json
        case data(strips: Bool, readsFiles: Bool)
        case dataURLEncode, urlQuery, form, formString
        case header, userAgent, referer, cookie, cookieJar, range
        case user, digest, basic, bearer, signature
        // The exchange.
        case location, maximumRedirects, maximumTime, connectTimeout, retry, retryDelay, compressed, maximumSize
        case version(String), globOff, pathAsIs, defaultProtocol
        // The connection.
        case insecure, caFile, certificate, key, passphrase, minimumTLS(String), maximumTLS, pinnedKey
        case proxy, socks(String), proxyUser, noProxy, resolve, connectTo, unixSocket
        // The command.
        case next, configuration, parallel
        /// The option concerns the output, or other protocols than HTTP.
        case ignored
        /// The option changes the request in a way that has no translation.
        case untranslated
        /// The user authenticates with a scheme that has no translation.
        case otherScheme

        /// Whether the value must be known, because a suite has no expressions in its place.
        var isLiteral: Bool {
            switch self {
            case .request, .upload, .cookieJar, .signature, .maximumRedirects, .maximumTime,
                .connectTimeout, .retry, .retryDelay, .maximumSize, .defaultProtocol, .caFile, .certificate, .key,
                .maximumTLS, .pinnedKey, .noProxy, .resolve, .connectTo, .configuration:
                true
            case .url, .head, .get, .json, .data, .dataURLEncode, .urlQuery, .form, .formString, .header, .userAgent,
                .referer, .cookie,
                .range, .user, .digest, .basic, .bearer, .location, .compressed, .version, .globOff, .pathAsIs,
                .insecure,
                .passphrase, .minimumTLS, .proxy, .socks, .proxyUser, .unixSocket, .next, .parallel, .ignored,
                .untranslated, .otherScheme:
                false
            }
        }
    }

    /// The long name without hyphens.
    let name: String
    /// The short name.
    let short: UInt8?
    /// Whether a value follows.
    let takesValue: Bool
    /// The effect.
    let effect: Effect

    private init(_ name: String, value takesValue: Bool = false, _ effect: Effect) {
        self.name = name
        short = nil
        self.takesValue = takesValue
        self.effect = effect
    }

    private init(_ name: String, _ short: Character, value takesValue: Bool = false, _ effect: Effect) {
        self.name = name
        self.short = short.asciiValue
        self.takesValue = takesValue
        self.effect = effect
    }

    private static func values(_ names: String, _ effect: Effect) -> [CurlOption] {
        names.split(separator: " ").map { CurlOption(String($0), value: true, effect) }
    }

    private static func flags(_ names: String, _ effect: Effect) -> [CurlOption] {
        names.split(separator: " ").map { CurlOption(String($0), effect) }
    }

    /// All options.
    static let all: [CurlOption] =
        [
            CurlOption("request", "X", value: true, .request), CurlOption("url", value: true, .url),
            CurlOption("head", "I", .head), CurlOption("get", "G", .get),
            CurlOption("upload-file", "T", value: true, .upload), CurlOption("json", value: true, .json),
            CurlOption("data", "d", value: true, .data(strips: true, readsFiles: true)),
            CurlOption("data-ascii", value: true, .data(strips: true, readsFiles: true)),
            CurlOption("data-binary", value: true, .data(strips: false, readsFiles: true)),
            CurlOption("data-raw", value: true, .data(strips: true, readsFiles: false)),
            CurlOption("data-urlencode", value: true, .dataURLEncode),
            CurlOption("url-query", value: true, .urlQuery), CurlOption("form", "F", value: true, .form),
            CurlOption("form-string", value: true, .formString), CurlOption("header", "H", value: true, .header),
            CurlOption("user-agent", "A", value: true, .userAgent), CurlOption("referer", "e", value: true, .referer),
            CurlOption("cookie", "b", value: true, .cookie), CurlOption("cookie-jar", "c", value: true, .cookieJar),
            CurlOption("range", "r", value: true, .range), CurlOption("user", "u", value: true, .user),
            CurlOption("digest", .digest), CurlOption("basic", .basic), CurlOption("ntlm", .otherScheme),
            CurlOption("ntlm-wb", .otherScheme), CurlOption("negotiate", .otherScheme),
            CurlOption("oauth2-bearer", value: true, .bearer), CurlOption("aws-sigv4", value: true, .signature),
            CurlOption("location", "L", .location), CurlOption("max-redirs", value: true, .maximumRedirects),
            CurlOption("max-time", "m", value: true, .maximumTime),
            CurlOption("connect-timeout", value: true, .connectTimeout), CurlOption("retry", value: true, .retry),
            CurlOption("retry-delay", value: true, .retryDelay), CurlOption("compressed", .compressed),
            CurlOption("max-filesize", value: true, .maximumSize), CurlOption("http1.0", "0", .version("1.0")),
            CurlOption("http1.1", .version("1.1")), CurlOption("http2", .version("auto")),
            CurlOption("http2-prior-knowledge", .version("2")), CurlOption("globoff", "g", .globOff),
            CurlOption("path-as-is", .pathAsIs), CurlOption("proto-default", value: true, .defaultProtocol),
            CurlOption("insecure", "k", .insecure), CurlOption("cacert", value: true, .caFile),
            CurlOption("cert", "E", value: true, .certificate), CurlOption("key", value: true, .key),
            CurlOption("pass", value: true, .passphrase), CurlOption("tlsv1", "1", .minimumTLS("1.0")),
            CurlOption("tlsv1.0", .minimumTLS("1.0")), CurlOption("tlsv1.1", .minimumTLS("1.1")),
            CurlOption("tlsv1.2", .minimumTLS("1.2")), CurlOption("tlsv1.3", .minimumTLS("1.3")),
            CurlOption("tls-max", value: true, .maximumTLS), CurlOption("pinnedpubkey", value: true, .pinnedKey),
            CurlOption("proxy", "x", value: true, .proxy), CurlOption("socks5", value: true, .socks("socks5")),
            CurlOption("socks5-hostname", value: true, .socks("socks5h")),
            CurlOption("proxy-user", "U", value: true, .proxyUser), CurlOption("noproxy", value: true, .noProxy),
            CurlOption("resolve", value: true, .resolve), CurlOption("connect-to", value: true, .connectTo),
            CurlOption("unix-socket", value: true, .unixSocket), CurlOption("next", ":", .next),
            CurlOption("config", "K", value: true, .configuration), CurlOption("parallel", "Z", .parallel),
            // Output and behavior of the program.
            CurlOption("output", "o", value: true, .ignored), CurlOption("dump-header", "D", value: true, .ignored),
            CurlOption("write-out", "w", value: true, .ignored),
            CurlOption("continue-at", "C", value: true, .untranslated),
            CurlOption("remote-name", "O", .ignored), CurlOption("silent", "s", .ignored),
            CurlOption("show-error", "S", .ignored), CurlOption("verbose", "v", .ignored),
            CurlOption("include", "i", .ignored), CurlOption("show-headers", .ignored),
            CurlOption("fail", "f", .ignored),
            CurlOption("progress-bar", "#", .ignored), CurlOption("no-buffer", "N", .ignored),
            CurlOption("disable", "q", .ignored), CurlOption("remote-time", "R", .ignored),
            CurlOption("remote-header-name", "J", .ignored), CurlOption("list-only", "l", .ignored),
            CurlOption("append", "a", .ignored), CurlOption("use-ascii", "B", .ignored),
            CurlOption("proxytunnel", "p", .untranslated), CurlOption("help", "h", .ignored),
            CurlOption("manual", "M", .ignored), CurlOption("version", "V", .ignored),
            CurlOption("junk-session-cookies", "j", .ignored), CurlOption("ipv4", "4", .untranslated),
            CurlOption("ipv6", "6", .untranslated), CurlOption("sslv2", "2", .untranslated),
            CurlOption("sslv3", "3", .untranslated), CurlOption("netrc", "n", .untranslated),
            CurlOption("ftp-port", "P", value: true, .ignored), CurlOption("quote", "Q", value: true, .ignored),
            CurlOption("telnet-option", "t", value: true, .ignored),
            CurlOption("speed-limit", "Y", value: true, .ignored), CurlOption("speed-time", "y", value: true, .ignored),
            CurlOption("time-cond", "z", value: true, .untranslated),
        ]
        + values(
            """
            create-file-mode etag-save happy-eyeballs-timeout-ms keepalive-time libcurl limit-rate output-dir \
            parallel-max parallel-max-host rate stderr trace trace-ascii trace-config ftp-account \
            ftp-alternative-to-user ftp-method ftp-ssl-ccc-mode mail-auth mail-from mail-rcpt hostpubmd5 hostpubsha256 \
            pubkey krb tftp-blksize sasl-authzid login-options expect100-timeout vlan-priority ip-tos keepalive-cnt \
            hsts alt-svc upload-flags
            """, .ignored)
        + flags(
            """
            create-dirs crlf disable-eprt disable-epsv fail-early fail-with-body ftp-create-dirs ftp-pasv ftp-pret \
            ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-control mail-rcpt-allowfails no-clobber no-keepalive \
            no-progress-meter parallel-immediate remote-name-all remove-on-error sasl-ir styled-output \
            suppress-connect-headers tcp-nodelay tcp-fastopen tftp-no-options trace-time trace-ids xattr metalink \
            keepalive buffer clobber progress-meter compressed-ssh http0.9 retry-all-errors retry-connrefused \
            skip-existing alpn no-alpn npn no-npn sessionid no-sessionid false-start form-escape
            """, .ignored)
        + values(
            """
            abstract-unix-socket capath cert-type ciphers crlfile curves delegation dns-interface dns-ipv4-addr \
            dns-ipv6-addr dns-servers doh-url ech egd-file engine etag-compare interface key-type local-port \
            netrc-file preproxy proto proto-redir proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers \
            proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name \
            proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy1.0 random-file request-target \
            retry-max-time service-name socks4 socks4a socks5-gssapi-service tls13-ciphers tlsauthtype tlspassword \
            tlsuser haproxy-clientip ipfs-gateway variable sigalgs
            """, .untranslated)
        + flags(
            """
            anyauth cert-status disallow-username-in-url doh-cert-status doh-insecure haproxy-protocol http3 \
            http3-only ignore-content-length location-trusted netrc-optional post301 post302 \
            post303 proxy-anyauth proxy-basic proxy-digest proxy-insecure proxy-negotiate proxy-ntlm \
            proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1 proxy-http2 raw socks5-basic socks5-gssapi \
            socks5-gssapi-nec ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort \
            tr-encoding tls-earlydata mptcp ca-native proxy-ca-native dump-ca-embed
            """, .untranslated)

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    private static let byShort = Dictionary(
        uniqueKeysWithValues: all.compactMap { option in option.short.map { ($0, option) } })

    /// Returns the option with a short name.
    static func short(_ byte: UInt8) -> CurlOption? { byShort[byte] }

    /// Returns the option with a long name, or with a name that begins with the text if there is only one.
    static func long(_ name: String) -> CurlOption? {
        if let option = byName[name] { return option }
        let matches = name.isEmpty ? [] : all.filter { $0.name.hasPrefix(name) }
        return matches.count == 1 ? matches[0] : nil
    }
}

/// An option of a command line with its value, or a URL.
struct CurlArgument: Sendable {
    /// The option.
    var option: CurlOption
    /// The value; empty for an option without one.
    var value: ShellWord
    /// Whether the option is switched off: `--no-location`.
    var isOff = false
    /// The byte offset of the argument in its source.
    var offset: Int
}

/// An error that reports an unknown option, or one without its value.
struct CurlArgumentError: Error {
    /// The option as written.
    var option: String
    /// Whether the option is known, but its value is missing.
    var needsValue: Bool
    /// The byte offsets of the option in its source.
    var range: Range<Int>
}

extension CurlArgument {
    /// Splits the words after `curl` into options with their values, and URLs.
    static func list(_ words: some Collection<ShellWord>) throws(CurlArgumentError) -> [CurlArgument] {
        var arguments: [CurlArgument] = []
        var rest = words[...]
        var areOptions = true
        while let word = rest.popFirst() {
            let leading = word.leadingBytes
            guard areOptions, leading.first == UInt8(ascii: "-"), leading.count > 1 || word.parts.count > 1 else {
                if let url = CurlOption.long("url") {
                    arguments.append(CurlArgument(option: url, value: word, offset: word.range.lowerBound))
                }
                continue
            }
            if leading == Array("--".utf8), word.parts.count == 1 {
                areOptions = false
            } else if leading.starts(with: "--".utf8) {
                arguments.append(try long(word, &rest))
            } else {
                try short(word, &rest, &arguments)
            }
        }
        return arguments
    }

    private static func long<Words: Collection<ShellWord>>(
        _ word: ShellWord, _ rest: inout Words
    ) throws(CurlArgumentError) -> CurlArgument where Words.SubSequence == Words {
        let text = word.text ?? String(decoding: word.leadingBytes, as: UTF8.self)
        var name = String(text.dropFirst(2))
        var isOff = false
        var option = CurlOption.long(name)
        if option == nil, name.hasPrefix("no-"), let positive = CurlOption.long(String(name.dropFirst(3))) {
            option = positive
            isOff = true
            name = String(name.dropFirst(3))
        }
        // With `--expand-`, curl replaces its own variables in the value.
        guard let option else { throw CurlArgumentError(option: text, needsValue: false, range: word.range) }
        var argument = CurlArgument(
            option: option, value: ShellWord(at: word.range.upperBound), isOff: isOff, offset: word.range.lowerBound)
        if option.takesValue, !isOff {
            guard let value = rest.popFirst() else {
                throw CurlArgumentError(option: text, needsValue: true, range: word.range)
            }
            argument.value = value
        }
        return argument
    }

    /// Splits combined short options, such as `-sSXPOST`.
    private static func short<Words: Collection<ShellWord>>(
        _ word: ShellWord, _ rest: inout Words, _ arguments: inout [CurlArgument]
    ) throws(CurlArgumentError) where Words.SubSequence == Words {
        let leading = word.leadingBytes
        var position = 1
        while position < leading.count {
            let name = "-" + String(decoding: [leading[position]], as: UTF8.self)
            guard let option = CurlOption.short(leading[position]) else {
                throw CurlArgumentError(option: name, needsValue: false, range: word.range)
            }
            position += 1
            var argument = CurlArgument(
                option: option, value: ShellWord(at: word.range.upperBound), offset: word.range.lowerBound)
            if option.takesValue {
                if position < leading.count || word.parts.count > 1 {
                    argument.value = word.dropFirst(position)
                } else if let value = rest.popFirst() {
                    argument.value = value
                } else {
                    throw CurlArgumentError(option: name, needsValue: true, range: word.range)
                }
                arguments.append(argument)
                return
            }
            arguments.append(argument)
        }
    }
}
