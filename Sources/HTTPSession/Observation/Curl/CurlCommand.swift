import Basics

/// A `curl` command that sends a request, for bug reports and shells.
///
/// ```swift
/// let response = try await session.get("https://api.example.org/v1/books?q=1").response()
/// print(response.curlCommand())
/// // curl 'https://api.example.org/v1/books?q=1' -H 'Authorization: Bearer REDACTED' --compressed
/// ```
///
/// Secrets are hidden unless the command is created without a ``Redaction``. Differences between the request and the
/// command are listed in ``notes``.
public struct CurlCommand: Sendable, Hashable {
    /// The maximum size of a body included in the command, in bytes; a larger one must be saved to a file.
    public static let largestBody = 64 << 10

    /// The words of the command without quotes, starting with `curl`.
    public private(set) var words: [String] = ["curl"]
    /// The standard input of the command; nil for none.
    public private(set) var input: [UInt8]?
    /// The differences between the command and the request, in English.
    public private(set) var notes: [String] = []

    /// The indexes of the first word of each option, which keep options and their values on one line.
    private var starts: [Int] = [0]
    private var isForm = false

    /// Creates the command for a request as it was sent.
    /// - Parameters:
    ///   - request: The request.
    ///   - connection: The connection options of the request.
    ///   - redaction: The values to hide; nil hides nothing.
    public init(
        _ request: SentRequest, connection: ConnectionOptions = .init(), redaction: Redaction? = .standard
    ) {
        url(request.url.description, redaction)
        var request = request
        body(&request, redaction)
        header(request, redaction)
        add(CurlConnection(connection, url: request.url, redaction: redaction))
    }

    /// Creates the command for a request as a session would send it, with the session's header, cookies and settings.
    ///
    /// Adapters are not called: the command lacks their changes.
    /// - Parameters:
    ///   - request: The request.
    ///   - configuration: The session's configuration.
    ///   - redaction: The values to hide; nil hides nothing.
    /// - Throws: ``SessionError`` for a request that cannot be sent.
    public init(
        _ request: Request, configuration: SessionConfiguration = .init(), redaction: Redaction? = .standard
    ) throws(SessionError) {
        let prepared = try RequestPreparation(configuration).prepare(request)
        var sent = SentRequest(prepared)
        if let jar = request.cookies.jar(of: configuration.cookies),
            let cookies = jar.header(for: sent.url, own: sent.headers.cookies)
        {
            sent.headers.set(name: "Cookie", value: cookies)
        }
        if prepared.expectContinue != nil { sent.headers.set(name: "Expect", value: "100-continue") }
        let hidden = Set(request.credentialFields.map { $0.lowercased() })
        self.init(sent, connection: prepared.connection, redaction: redaction?.hiding(fields: hidden))
        let redirects = request.redirects.inheriting(from: configuration.redirects)
        if redirects.maximum > 0 { option("--location", "--max-redirs", String(redirects.maximum)) }
        let timeouts = request.timeouts
        if timeouts.fields.contains(.connect), let connect = timeouts.connect {
            option("--connect-timeout", Self.seconds(connect))
        }
        if timeouts.fields.contains(.total), let total = timeouts.total {
            option("--max-time", Self.seconds(total))
        }
        if let limit = request.bytesPerSecond { option("--limit-rate", String(limit)) }
        if !configuration.adapters.isEmpty { note("without what the session's adapters add") }
    }

    // MARK: Text

    /// The command on one line, quoted for a POSIX shell, with its notes as a comment.
    public var text: String { text(separator: " ") }

    /// The command with each option on its own line.
    public var multilineText: String { text(separator: " \\\n  ") }

    private func text(separator: String) -> String {
        var text = ""
        if let input { text += "printf %s \(ShellWord.quoted(Base64.encode(input))) | base64 -d | " }
        let breaks = Set(starts)
        for (index, word) in words.enumerated() {
            if index > 0 { text += breaks.contains(index) ? separator : " " }
            text += ShellWord.quoted(word)
        }
        if !notes.isEmpty { text += "  # " + notes.joined(separator: "; ") }
        return text
    }

    // MARK: Parts

    private mutating func option(_ words: String...) {
        starts.append(self.words.count)
        self.words += words
    }

    /// Adds a note without control characters: it becomes a shell comment, which a line break would end.
    private mutating func note(_ text: String) {
        notes.append(String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 })))
    }

    private mutating func url(_ text: String, _ redaction: Redaction?) {
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let url = String(text[..<end])
        if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { option("--globoff") }
        let path = url.prefix { $0 != "?" }
        if path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) { option("--path-as-is") }
        option(redaction?.url(url) ?? url)
    }

    private mutating func body(_ request: inout SentRequest, _ redaction: Redaction?) {
        let method = request.method
        switch request.body {
        case .empty:
            // curl sends "Content-Length: 0" only with a body, even an empty one.
            if method.anticipatesBody {
                self.method(method, implied: .post)
                option("--data-raw", "")
            } else if method == .head {
                option("--head")
            } else {
                self.method(method, implied: .get)
            }
        case .bytes(let bytes):
            self.method(method, implied: .post)
            if let parts = MultipartParser.parts(of: bytes, contentType: request.headers["Content-Type"]),
                form(parts, &request, redaction)
            {
                return
            }
            guard let shown = redaction?.body(bytes, of: request.headers) else { return data(bytes) }
            data(shown.bytes)
            if shown.isDecoded {
                request.headers.remove("Content-Encoding")
                note("the body was sent compressed")
            }
        case .file(let path):
            self.method(method, implied: .post)
            option("--data-binary", "@" + (path == "-" ? "./-" : path))
        case .stream(let source):
            self.method(method, implied: .post)
            if form(source.form, &request, redaction) { return }
            option("--data-binary", "@-")
            note("the body was made while it was sent; give it as the standard input")
        }
    }

    /// Adds the options of a multipart form; curl sets its `Content-Type`.
    ///
    /// - Returns: Whether curl can express the form.
    private mutating func form(
        _ parts: [MultipartPart], _ request: inout SentRequest, _ redaction: Redaction?
    ) -> Bool {
        guard !parts.isEmpty, !request.headers.contains("Content-Encoding"),
            let options = CurlForm.options(parts, largestBody: Self.largestBody, redaction)
        else { return false }
        for (option, value) in options { self.option(option, value) }
        request.headers.remove("Content-Type")
        isForm = true
        return true
    }

    private mutating func method(_ method: HTTPMethod, implied: HTTPMethod) {
        if method != implied { option("-X", method.rawValue) }
    }

    private mutating func data(_ bytes: [UInt8]) {
        if bytes.count > Self.largestBody {
            option("--data-binary", "@request-body")
            note("request-body is a file with the body of \(bytes.count) bytes")
        } else if !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) {
            option("--data-raw", text)
        } else {
            option("--data-binary", "@-")
            input = bytes
        }
    }

    private mutating func header(_ request: SentRequest, _ redaction: Redaction?) {
        let headers = redaction?.header(request.headers) ?? request.headers
        var isCompressed = false
        for field in headers.fields {
            switch field.name.lowercased() {
            case "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection": continue
            case "host" where field.value == request.url.authority: continue
            case "accept" where field.value == "*/*": continue
            case "accept-encoding" where field.value == "gzip, deflate":
                isCompressed = true
                continue
            default: break
            }
            // To curl, "Name:" means to omit the field, and "Name;" is a field with an empty value.
            option("-H", field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)")
        }
        if isCompressed { option("--compressed") }
        // Suppress the fields that curl adds by default.
        if !headers.contains("Accept") { option("-H", "Accept:") }
        if !headers.contains("User-Agent") { option("-H", "User-Agent:") }
        let hasData = request.body != .empty || request.method.anticipatesBody
        if hasData, !isForm, !headers.contains("Content-Type") { option("-H", "Content-Type:") }
    }

    private mutating func add(_ connection: CurlConnection) {
        for words in connection.options {
            starts.append(self.words.count)
            self.words += words
        }
        connection.notes.forEach { note($0) }
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = MonotonicClock.nanoseconds(duration) / 1_000_000
        return "\(milliseconds / 1000)." + ASCII.padded(Int(milliseconds % 1000), 3)
    }
}

extension CurlCommand: CustomStringConvertible {
    /// The command on one line.
    public var description: String { text }
}

extension SentRequest {
    /// Returns the `curl` command that sends this request.
    /// - Parameters:
    ///   - connection: The connection options of the request.
    ///   - redaction: The values to hide; nil hides nothing.
    public func curlCommand(
        connection: ConnectionOptions = .init(), redaction: Redaction? = .standard
    ) -> CurlCommand {
        CurlCommand(self, connection: connection, redaction: redaction)
    }
}

extension Response {
    /// Returns the `curl` command that repeats the request of this response, the last one after redirects.
    /// - Parameters:
    ///   - connection: The connection options of the request.
    ///   - redaction: The values to hide; nil hides nothing.
    public func curlCommand(
        connection: ConnectionOptions = .init(), redaction: Redaction? = .standard
    ) -> CurlCommand {
        request.curlCommand(connection: connection, redaction: redaction)
    }
}

extension PendingExchange {
    /// Returns the `curl` command that sends this request as the session would, but without calling adapters.
    /// - Parameter redaction: The values to hide; nil hides nothing.
    /// - Throws: ``SessionError`` for a request that cannot be sent.
    public func curlCommand(redaction: Redaction? = .standard) throws(SessionError) -> CurlCommand {
        if let failure { throw failure }
        return try CurlCommand(request, configuration: session.configuration, redaction: redaction)
    }
}

/// The quoting of words in a POSIX shell command.
enum ShellWord {
    private static let plain = ByteClass.Set(alphanumericAnd: "-_./:@%+,=")

    /// Quotes a string for a shell if necessary; the string must not contain NUL.
    ///
    /// Single quotes preserve every character except the single quote, including line breaks (POSIX.1, section 2.2.2).
    static func quoted(_ text: String) -> String {
        let set = plain
        if !text.isEmpty, text.utf8.allSatisfy({ set.contains($0) }) { return text }
        var word = "'"
        // Iterate over scalars: an apostrophe may be part of a grapheme cluster, but a shell reads bytes.
        for scalar in text.unicodeScalars {
            if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
        }
        return word + "'"
    }
}
