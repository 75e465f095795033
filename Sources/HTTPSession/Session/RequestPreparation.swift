/// Makes what is sent out of what a caller wants and what the session is set to, and refuses what cannot be sent.
struct RequestPreparation: Sendable {
    private let configuration: SessionConfiguration
    private let base: Result<HTTPURL, HTTPURLError>?
    /// The header of a request that brings no field of its own; one array for all of them.
    private let plainHeaders: HTTPHeaders
    /// Whether the session's own fields may be sent.
    private let areDefaultsValid: Bool

    init(_ configuration: SessionConfiguration) {
        self.configuration = configuration
        plainHeaders = Self.complete(.init(), with: configuration, decompress: true)
        areDefaultsValid = configuration.headers.fields.allSatisfy {
            ByteClass.isToken($0.name) && ByteClass.isFieldValue($0.value)
        }
        base = configuration.baseURL.map { text in
            do throws(HTTPURLError) {
                let url = try HTTPURL(text)
                return .success(url.asDirectory)
            } catch {
                return .failure(HTTPURLError(message: "the base URL \"\(text)\" is not valid: \(error.message)"))
            }
        }
    }

    func prepare(_ request: Request) throws(SessionError) -> TransportRequest {
        if request.compression != nil { return try prepare(RequestCompression.applied(to: request)) }
        let url = try url(of: request)
        if !request.allowMalformed { try check(request) }
        var headers =
            request.headers.isEmpty && request.decompress
            ? plainHeaders : Self.complete(request.headers, with: configuration, decompress: request.decompress)
        if let user = url.userInfo, !headers.contains("Authorization") {
            headers.append("Authorization", "Basic " + Base64.encode(PercentEncoding.decode(user)))
        }
        var prepared = TransportRequest(
            method: request.method, url: url, headers: headers, body: request.body,
            timeouts: request.timeouts ?? configuration.timeouts, limits: request.limits ?? configuration.limits,
            connection: request.connection ?? configuration.connection, allowMalformed: request.allowMalformed)
        prepared.expectContinue = request.expectContinue
        prepared.bytesPerSecond = request.bytesPerSecond
        return prepared
    }

    /// A request's header with the session's and the library's fields where it has none of the name.
    private static func complete(
        _ own: HTTPHeaders, with configuration: SessionConfiguration, decompress: Bool
    ) -> HTTPHeaders {
        var headers = own
        headers.reserve(headers.count + configuration.headers.count + 5)
        headers.merge(defaults: configuration.headers)
        if let agent = configuration.userAgent, !headers.contains("User-Agent") { headers.append("User-Agent", agent) }
        if !headers.contains("Accept") { headers.append("Accept", "*/*") }
        if decompress, !headers.contains("Accept-Encoding") { headers.append("Accept-Encoding", "gzip, deflate") }
        return headers
    }

    /// The absolute URL of a request.
    func url(of request: Request) throws(SessionError) -> HTTPURL {
        do throws(HTTPURLError) {
            guard let base else { return try HTTPURL(request.url, verbatim: request.allowMalformed) }
            return try base.get().resolving(request.url, verbatim: request.allowMalformed)
        } catch {
            throw refusal(request, .invalidURL, error.message)
        }
    }

    private func check(_ request: Request) throws(SessionError) {
        guard request.method.isValid else {
            throw refusal(
                request, .invalidMethod, "the method \(Self.quoted(request.method.rawValue)) is not a valid token")
        }
        try check(request.headers, request)
        if !areDefaultsValid { try check(configuration.headers, request) }
    }

    private func check(_ headers: HTTPHeaders, _ request: Request) throws(SessionError) {
        for field in headers.fields {
            guard ByteClass.isToken(field.name) else {
                throw refusal(
                    request, .invalidHeader, "the header name \(Self.quoted(field.name)) is not a valid token")
            }
            guard ByteClass.isFieldValue(field.value) else {
                throw refusal(
                    request, .invalidHeader,
                    "the value of the header \(field.name) has a line break or NUL: \(Self.quoted(field.value))")
            }
        }
    }

    private func refusal(_ request: Request, _ reason: SessionError.Reason, _ message: String) -> SessionError {
        SessionError(phase: .request, reason: reason, message: message, method: request.method, url: request.url)
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars.prefix(80) { quoted += scalar.escaped(asASCII: false) }
        return quoted + "\""
    }
}
