/// The options of one or more URLs of a curl command, up to `--next`.
struct CurlTransfer: Sendable {
    /// A piece of the data that `-d` and its relatives add.
    struct Piece: Sendable {
        /// The origin of the bytes.
        enum Content: Sendable {
            case word(ShellWord)
            /// A file; with `strips`, without its line breaks and NUL characters.
            case file(ShellWord, strips: Bool)
            /// Text to be percent-encoded, after a name and `=` if there is one.
            case encoded(name: [UInt8], ShellWord)
            /// A file whose bytes are percent-encoded.
            case encodedFile(name: [UInt8], ShellWord)
        }

        /// The origin.
        var content: Content
        /// Whether the piece is joined to the one before without `&`.
        var isJSON = false
    }

    var method: ShellWord?
    var urls: [ShellWord] = []
    var isHead = false
    var isGet = false
    var uploads: [ShellWord] = []
    var data: [Piece] = []
    var queries: [ShellWord] = []
    /// The parts of the form; `isString` for `--form-string`.
    var form: [(value: ShellWord, isString: Bool)] = []
    var headers: [ShellWord] = []
    var userAgent: ShellWord?
    var referer: ShellWord?
    var cookies: [ShellWord] = []
    var cookieJar: ShellWord?
    var range: ShellWord?
    var user: ShellWord?
    var isDigest = false
    /// The schemes without a translation with which the user authenticates.
    var otherSchemes: Set<String> = []
    var bearer: ShellWord?
    var signature: ShellWord?
    var follows = false
    var maximumRedirects: ShellWord?
    var maximumTime: ShellWord?
    var connectTimeout: ShellWord?
    var retries: ShellWord?
    var retryDelay: ShellWord?
    var maximumSize: ShellWord?
    var version: String?
    var isGlobbingOff = false
    var isPathAsIs = false
    var defaultProtocol: ShellWord?
    var isInsecure = false
    var caFile: ShellWord?
    var certificate: ShellWord?
    var key: ShellWord?
    var passphrase: ShellWord?
    var minimumTLS: String?
    var maximumTLS: ShellWord?
    var pinnedKey: ShellWord?
    var proxy: ShellWord?
    var proxyScheme: String?
    var proxyUser: ShellWord?
    var noProxy: ShellWord?
    var resolves: [ShellWord] = []
    var connects: [ShellWord] = []
    var unixSocket: ShellWord?
    /// The options without a translation, with their offsets.
    var untranslated: [(option: String, offset: Int)] = []
    /// The offset of the first option or URL.
    var offset = 0

    /// Whether there is neither an option nor a URL.
    var isEmpty: Bool { urls.isEmpty }

    /// Applies an argument, except for those that concern several transfers.
    mutating func apply(_ argument: CurlArgument) {
        let value = argument.value
        let isOn = !argument.isOff
        switch argument.option.effect {
        case .request: method = value
        case .url: urls.append(value)
        case .head: isHead = isOn
        case .get: isGet = isOn
        case .upload: uploads.append(value)
        case .json: data.append(Self.piece(value, strips: false, readsFiles: true, isJSON: true))
        case .data(let strips, let readsFiles):
            data.append(Self.piece(value, strips: strips, readsFiles: readsFiles, isJSON: false))
        case .dataURLEncode: data.append(Self.encodedPiece(value))
        case .urlQuery: queries.append(value)
        case .form: form.append((value, false))
        case .formString: form.append((value, true))
        case .header: headers.append(value)
        case .userAgent: userAgent = value
        case .referer: referer = value
        case .cookie: cookies.append(value)
        case .cookieJar: cookieJar = value
        case .range: range = value
        case .user: user = value
        case .digest: isDigest = isOn
        case .basic:
            if isOn {
                isDigest = false
                otherSchemes = []
            }
        case .bearer: bearer = value
        case .signature: signature = value
        case .location: follows = isOn
        case .maximumRedirects: maximumRedirects = value
        case .maximumTime: maximumTime = value
        case .connectTimeout: connectTimeout = value
        case .retry: retries = value
        case .retryDelay: retryDelay = value
        case .maximumSize: maximumSize = value
        // apitest offers these codings without being asked.
        case .compressed: break
        case .version(let text): version = isOn ? text : nil
        case .globOff: isGlobbingOff = isOn
        case .pathAsIs: isPathAsIs = isOn
        case .defaultProtocol: defaultProtocol = value
        case .insecure: isInsecure = isOn
        case .caFile: caFile = value
        case .certificate: certificate = value
        case .key: key = value
        case .passphrase: passphrase = value
        case .minimumTLS(let text): minimumTLS = text
        case .maximumTLS: maximumTLS = value
        case .pinnedKey: pinnedKey = value
        case .proxy:
            proxy = value
            proxyScheme = nil
        case .socks(let scheme):
            proxy = value
            proxyScheme = scheme
        case .proxyUser: proxyUser = value
        case .noProxy: noProxy = value
        case .resolve: resolves.append(value)
        case .connectTo: connects.append(value)
        case .unixSocket: unixSocket = value
        case .next, .configuration, .parallel, .ignored: break
        case .otherScheme:
            guard isOn else {
                otherSchemes.remove(argument.option.name)
                return
            }
            otherSchemes.insert(argument.option.name)
            untranslated.append(("--" + argument.option.name, argument.offset))
        case .untranslated:
            if isOn {
                if argument.option.name == "location-trusted" { follows = true }
                untranslated.append(("--" + argument.option.name, argument.offset))
            }
        }
    }

    private static func piece(
        _ value: ShellWord, strips: Bool, readsFiles: Bool, isJSON: Bool
    ) -> Piece {
        if readsFiles, value.leadingBytes.first == UInt8(ascii: "@") {
            return Piece(content: .file(value.dropFirst(1), strips: strips), isJSON: isJSON)
        }
        return Piece(content: .word(value), isJSON: isJSON)
    }

    /// Returns the piece of a value of `--data-urlencode`: `content`, `=content`, `name=content`, `@file` or
    /// `name@file`.
    static func encodedPiece(_ value: ShellWord) -> Piece {
        let leading = value.leadingBytes
        guard let mark = leading.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }) else {
            return Piece(content: .encoded(name: [], value))
        }
        let name = Array(leading[..<mark])
        let rest = value.dropFirst(mark + 1)
        return Piece(
            content: leading[mark] == UInt8(ascii: "=")
                ? .encoded(name: name, rest) : .encodedFile(name: name, rest))
    }
}
