import Basics

/// Combines a caller's request with the session's settings, and rejects requests that cannot be sent.
///
/// A class, because each exchange uses it and would copy a structure.
final class RequestPreparation: Sendable {
    private let configuration: SessionConfiguration
    private let base: Result<HTTPURL, HTTPURLError>?
    /// The header of requests without fields of their own, built once and shared.
    private let plainHeaders: HTTPHeaders
    /// The settings of requests without settings of their own, built once and shared.
    private let plainSettings: TransportRequest.SharedSettings
    /// Whether all of the session's default header fields are valid.
    private let areDefaultsValid: Bool

    init(_ configuration: SessionConfiguration) {
        self.configuration = configuration
        plainHeaders = Self.complete(.init(), with: configuration, decompress: true)
        plainSettings = .init(
            .init(
                timeouts: configuration.timeouts, limits: configuration.limits, connection: configuration.connection))
        areDefaultsValid = configuration.headers.fields.allSatisfy {
            ByteClass.isToken($0.name) && ByteClass.isFieldValue($0.value)
        }
        base = configuration.baseURL.map { text in
            do throws(HTTPURLError) {
                let url = try HTTPURL(text)
                return .success(url.asDirectory)
            } catch {
                return .failure(HTTPURLError(message: "invalid base URL \"\(text)\": \(error.wording)"))
            }
        }
    }

    /// Returns the request to pass to the transport.
    /// - Parameters:
    ///   - request: The caller's request.
    ///   - exchange: The attempt that the request belongs to, which may have an observer.
    func prepare(_ request: Request, for exchange: RequestAttempt? = nil) throws(SessionError) -> TransportRequest {
        if request.compression != nil { return try prepare(RequestCompression.applied(to: request), for: exchange) }
        let url = try url(of: request)
        if !request.allowMalformed { try check(request) }
        var headers =
            request.headers.isEmpty && request.decompress
            ? plainHeaders : Self.complete(request.headers, with: configuration, decompress: request.decompress)
        Self.authorize(&headers, by: url)
        return TransportRequest(
            method: request.method, url: url, headers: headers, body: request.body,
            settings: settings(of: request, for: exchange))
    }

    /// Adds the credentials in a URL's userinfo unless the header has others (RFC 7617, section 2).
    static func authorize(_ headers: inout HTTPHeaders, by url: HTTPURL) {
        guard let user = url.userInfo, !headers.contains("Authorization") else { return }
        // The colon is required even with an empty password.
        let text = user.utf8.contains(UInt8(ascii: ":")) ? user : user + ":"
        headers.append(name: "Authorization", value: "Basic " + Base64.encode(PercentEncoding.decode(text.utf8)))
    }

    private func settings(of request: Request, for exchange: RequestAttempt?) -> TransportRequest.SharedSettings {
        if request.isPlain, !request.allowMalformed, exchange?.isPlain ?? true { return plainSettings }
        var settings = TransportRequest.Settings(
            timeouts: request.timeouts.inheriting(from: configuration.timeouts),
            limits: request.limits.inheriting(from: configuration.limits),
            connection: request.connection.inheriting(from: configuration.connection),
            allowMalformed: request.allowMalformed,
            expectContinue: request.expectContinue, bytesPerSecond: request.bytesPerSecond)
        if let exchange {
            settings.delivery = exchange.delivery
            settings.uploadProgress = exchange.uploadProgress
            settings.observer = exchange.observer
            if exchange.delivery == .streamed { Self.unbind(&settings, request) }
        }
        return TransportRequest.SharedSettings(settings)
    }

    /// Removes the default limits of a streamed body, whose reader sets the pace, unless the request sets them itself.
    private static func unbind(_ settings: inout TransportRequest.Settings, _ request: Request) {
        if !request.limits.fields.contains(.bodyBytes) { settings.limits.bodyBytes = .max }
        if !request.limits.fields.contains(.decodedBodyBytes) { settings.limits.decodedBodyBytes = .max }
        if !request.timeouts.fields.contains(.total) { settings.timeouts.total = nil }
    }

    /// Returns a request's header completed with the defaults of the session and the library.
    private static func complete(
        _ own: HTTPHeaders, with configuration: SessionConfiguration, decompress: Bool
    ) -> HTTPHeaders {
        var headers = own
        headers.reserve(headers.count + configuration.headers.count + 5)
        headers.merge(defaults: configuration.headers)
        if let agent = configuration.userAgent, !headers.contains("User-Agent") {
            headers.append(name: "User-Agent", value: agent)
        }
        if !headers.contains("Accept") { headers.append(name: "Accept", value: "*/*") }
        // A part of an encoded body cannot be decoded.
        if decompress, !headers.contains("Accept-Encoding"), !headers.contains("Range") {
            headers.append(name: "Accept-Encoding", value: "gzip, deflate")
        }
        return headers
    }

    /// Returns the absolute URL of a request.
    func url(of request: Request) throws(SessionError) -> HTTPURL {
        do throws(HTTPURLError) {
            guard let base else { return try HTTPURL(request.url, verbatim: request.allowMalformed) }
            return try base.get().resolving(request.url, verbatim: request.allowMalformed)
        } catch {
            throw SessionError(.request, .invalidURL, error.wording, request: request)
        }
    }

    private func check(_ request: Request) throws(SessionError) {
        guard request.method.isValid else {
            throw SessionError(
                .request, .invalidMethod,
                "the method \(Self.quoted(request.method.rawValue)) is not a valid token", request: request)
        }
        try check(request.headers, request)
        if !areDefaultsValid { try check(configuration.headers, request) }
    }

    private func check(_ headers: HTTPHeaders, _ request: Request) throws(SessionError) {
        for field in headers.fields {
            guard ByteClass.isToken(field.name) else {
                throw SessionError(
                    .request, .invalidHeader,
                    "the header name \(Self.quoted(field.name)) is not a valid token", request: request)
            }
            guard ByteClass.isFieldValue(field.value) else {
                let shown = Self.isCredential(field, of: request) ? "" : ": \(Self.quoted(field.value))"
                throw SessionError(
                    .request, .invalidHeader,
                    "the value of the header \(field.name) contains a line break or NUL\(shown)", request: request)
            }
        }
    }

    /// Whether the value of a field is a credential, which must not appear in a message.
    private static func isCredential(_ field: HTTPHeaders.Field, of request: Request) -> Bool {
        (["Authorization", "Cookie", "Proxy-Authorization"] + request.credentialFields).contains {
            ASCII.equalIgnoringCase($0, field.name)
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars.prefix(80) { quoted += scalar.escaped(asASCII: false) }
        // The ellipsis also shows code that masks secrets that the value was truncated.
        return quoted + (text.unicodeScalars.dropFirst(80).isEmpty ? "\"" : "…\"")
    }
}
