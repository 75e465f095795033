import Basics
import ExchangeFormats

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
    public static let maximumBodySize = 64 << 10

    /// The words of the command without quotes, starting with `curl`.
    public var words: [String] { line.words }
    /// The standard input of the command; nil for none.
    public var input: [UInt8]? { line.input }
    /// The differences between the command and the request, in English.
    public var notes: [String] { line.notes }

    private var line = CurlLine()
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
            let cookies = jar.header(
                for: sent.url, own: sent.headers.cookies, selection: request.cookies.selection)
        {
            sent.headers.set(name: "Cookie", value: cookies)
        }
        if prepared.expectContinue != nil { sent.headers.set(name: "Expect", value: "100-continue") }
        let hidden = Set(request.credentialFields.map { $0.lowercased() })
        self.init(sent, connection: prepared.connection, redaction: redaction?.hiding(fields: hidden))
        let redirects = request.redirects.inheriting(from: configuration.redirects)
        if redirects.maximum > 0 { line.option("--location", "--max-redirs", String(redirects.maximum)) }
        let timeouts = request.timeouts
        if timeouts.fields.contains(.connect), let connect = timeouts.connect {
            line.option("--connect-timeout", Self.seconds(connect))
        }
        if timeouts.fields.contains(.total), let total = timeouts.total {
            line.option("--max-time", Self.seconds(total))
        }
        if let limit = request.bytesPerSecond { line.option("--limit-rate", String(limit)) }
        if !configuration.adapters.isEmpty { line.note("without the changes of the session's adapters") }
    }

    // MARK: Text

    /// The command on one line, quoted for a POSIX shell, with its notes as a comment.
    public var text: String { line.text(.posix) }

    /// The command with each option on its own line.
    public var multilineText: String { line.text(.posix, separator: " \\\n  ") }

    // MARK: Parts

    private mutating func url(_ text: String, _ redaction: Redaction?) {
        let end = text.firstIndex(of: "#") ?? text.endIndex
        let url = String(text[..<end])
        line.keep(url: url)
        line.option(redaction?.url(url) ?? url)
    }

    private mutating func body(_ request: inout SentRequest, _ redaction: Redaction?) {
        let method = request.method
        switch request.body {
        case .empty:
            // curl sends "Content-Length: 0" only with a body, even an empty one.
            if method.anticipatesBody {
                self.method(method, implied: .post)
                line.option("--data-raw", "")
            } else if method == .head {
                line.option("--head")
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
                line.note("the body was sent compressed")
            }
        case .file(let path):
            self.method(method, implied: .post)
            line.option("--data-binary", "@" + (path == "-" ? "./-" : path))
        case .stream(let source):
            self.method(method, implied: .post)
            if form(source.form, &request, redaction) { return }
            line.option("--data-binary", "@-")
            line.note("the body was generated while it was sent; pass it on standard input")
        }
    }

    /// Adds the options of a multipart form; curl sets its `Content-Type`.
    ///
    /// - Returns: Whether curl can express the form.
    private mutating func form(
        _ parts: [MultipartPart], _ request: inout SentRequest, _ redaction: Redaction?
    ) -> Bool {
        guard !parts.isEmpty, !request.headers.contains("Content-Encoding"),
            let options = CurlForm.options(parts, maximumBodySize: Self.maximumBodySize, redaction)
        else { return false }
        for option in options { line.option(option) }
        request.headers.remove("Content-Type")
        isForm = true
        return true
    }

    private mutating func method(_ method: HTTPMethod, implied: HTTPMethod) {
        if method != implied { line.option("-X", method.rawValue) }
    }

    private mutating func data(_ bytes: [UInt8]) {
        line.data(
            bytes, option: "--data-raw", limit: Self.maximumBodySize, isText: true,
            note: "request-body is a file with the body of \(bytes.count) bytes")
    }

    private mutating func header(_ request: SentRequest, _ redaction: Redaction?) {
        let headers = redaction?.header(request.headers) ?? request.headers
        var isCompressed = false
        for field in headers.fields {
            if CurlLine.makes(field: field.name, field.value, authority: request.url.authority) { continue }
            if field.value == "gzip, deflate", field.name.lowercased() == "accept-encoding" {
                isCompressed = true
            } else {
                line.field(field.name, field.value)
            }
        }
        if isCompressed { line.option("--compressed") }
        // Suppress the fields that curl adds by default.
        if !headers.contains("Accept") { line.option("-H", "Accept:") }
        if !headers.contains("User-Agent") { line.option("-H", "User-Agent:") }
        let hasData = request.body != .empty || request.method.anticipatesBody
        if hasData, !isForm, !headers.contains("Content-Type") { line.option("-H", "Content-Type:") }
    }

    private mutating func add(_ connection: CurlConnection) {
        for option in connection.options { line.option(option) }
        for note in connection.notes { line.note(note) }
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
