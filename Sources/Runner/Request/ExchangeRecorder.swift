import Basics
import HTTPSession
import RunModel
import SuiteModel

/// The conversion of the session's responses and errors to the values that expectations and reports use.
enum ExchangeRecorder {
    /// Returns the record of an exchange with a response.
    ///
    /// - Parameter expected: The rarely used expectations of the step. Only the details that they need are recorded.
    static func exchange(_ response: Response, expected: ExpectationExtras? = nil) -> Exchange {
        let sent = response.request
        var exchange = Exchange(
            deferredRequest: { request(sent) },
            response: Exchange.Response(
                status: response.status, reason: response.reason, version: version(response.version),
                headers: fields(response.headers), body: response.body),
            timings: timings(response.metrics))
        if !response.history.isEmpty { add(response.history, to: &exchange, last: response.request.url) }
        collectCookies(response.headers, in: &exchange)
        if expected != nil || !response.trailers.isEmpty {
            var details = ExchangeDetails()
            details.trailers = fields(response.trailers)
            if expected?.certificate != nil { details.certificate = response.tls?.certificate.map(facts) }
            if expected?.image != nil { details.image = image(response.body) }
            exchange.details = details.isEmpty ? nil : details
        }
        return exchange
    }

    /// Returns the record of an exchange without a complete response.
    static func exchange(_ error: SessionError, sent: Request) -> Exchange {
        // Fields added by the session are known only once the request was created.
        let made = error.request.map(request)
        // The only adapters and retriers of requests are authenticators.
        let isOfAuthentication =
            error.reason == .adapterFailed || error.reason == .retrierFailed || error.underlying is TokenRequestFailure
        var exchange = Exchange(
            request: made
                ?? Exchange.Request(
                    method: error.method.rawValue, url: error.url.isEmpty ? sent.url : error.url,
                    headers: fields(sent.headers), body: bytes(sent.body), streamedSize: streamedSize(sent.body)),
            failure: Exchange.Failure(
                phase: .init(rawValue: error.phase.rawValue), kind: kind(error.reason),
                message: message(error), isOfAuthentication: isOfAuthentication),
            timings: timings(error.metrics))
        if let head = error.head {
            exchange.response = Exchange.Response(
                status: head.status, reason: head.reason, version: version(head.version),
                headers: fields(head.headers), body: error.partialBody)
        }
        if !error.history.isEmpty { add(error.history, to: &exchange, last: nil) }
        return exchange
    }

    private static func facts(_ certificate: CertificateSummary) -> CertificateInfo {
        CertificateInfo(
            subject: certificate.subject, issuer: certificate.issuer, names: certificate.names,
            notAfter: certificate.notAfter)
    }

    /// Returns the format and size of an image: without a size if it is damaged, nil if the data is not an image.
    private static func image(_ bytes: [UInt8]) -> ImageMetadata? {
        if let image = ImageInfo(bytes) {
            return ImageMetadata(format: image.format.rawValue.lowercased(), width: image.width, height: image.height)
        }
        return ImageInfo.Format(signatureOf: bytes).map { ImageMetadata(format: $0.rawValue.lowercased()) }
    }

    private static func request(_ sent: SentRequest) -> Exchange.Request {
        Exchange.Request(
            method: sent.method.rawValue, url: sent.url.description, headers: fields(sent.headers),
            body: bytes(sent.body), streamedSize: streamedSize(sent.body))
    }

    /// Returns the error message with the remedy that a suite or an option offers. For a failed adapter, this is the
    /// message of the underlying error.
    private static func message(_ error: SessionError) -> MessageText {
        if let rejected = error.originalError?.response ?? (error.reason == .retrierFailed ? error.response : nil) {
            // A refresh of the token failed after the server had rejected it.
            let reason = (error.underlying as? any MessageError)?.wording ?? error.wording
            let request = rejected.request
            return
                "\(request.method.rawValue) \(request.url.description) was rejected with status \(rejected.status), and \(reason)"
        }
        return switch error.reason {
        case .adapterFailed:
            (error.underlying as? any MessageError)?.wording ?? error.underlying.map { "\($0)" } ?? error.wording
        case .certificate(.selfSigned), .certificate(.unknownAuthority):
            error.wording + "; trust its authority with \"tls: { ca: FILE }\" or --cacert FILE"
        case .versionNotAvailable where error.phase == .receive:
            error.wording + "; write \"http: 2\" in the request"
        default: error.wording
        }
    }

    private static func bytes(_ body: RequestBody) -> [UInt8] {
        switch body {
        case .bytes(let bytes): bytes
        case .empty, .file, .stream: []
        }
    }

    private static func streamedSize(_ body: RequestBody) -> Int? {
        if case .stream(let source) = body { source.length ?? 0 } else { nil }
    }

    /// Returns the fields of a header in the form that exchanges use.
    static func fields(_ headers: HTTPHeaders) -> [HeaderField] {
        headers.fields.map { HeaderField(name: $0.name, value: $0.value) }
    }

    private static func add(_ history: [Response], to exchange: inout Exchange, last: HTTPURL?) {
        for (index, response) in history.enumerated() {
            let next = index + 1 < history.count ? history[index + 1].request.url : last
            exchange.hops.append(
                Exchange.Hop(
                    status: response.status, url: response.request.url.description,
                    location: next?.description ?? response.headers["Location"] ?? ""))
            exchange.timings.total += nanoseconds(response.metrics.total)
            collectCookies(response.headers, in: &exchange)
        }
    }

    private static func collectCookies(_ headers: HTTPHeaders, in exchange: inout Exchange) {
        for value in headers.values("Set-Cookie") {
            let pair = value.prefix { $0 != ";" }
            guard let equals = pair.firstIndex(of: "=") else { continue }
            exchange.cookies.append(
                ReceivedCookie(
                    name: trimmed(pair[..<equals]), value: trimmed(pair[pair.index(after: equals)...]), field: value))
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }

    private static func timings(_ metrics: ExchangeMetrics) -> Exchange.Timings {
        Exchange.Timings(
            dns: metrics.dns.map(nanoseconds), connect: metrics.connect.map(nanoseconds),
            tls: metrics.tls.map(nanoseconds), firstByte: nanoseconds(metrics.firstByte),
            transfer: nanoseconds(metrics.receive), total: nanoseconds(metrics.total))
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }

    private static func version(_ version: HTTPVersion) -> String {
        switch (version.major, version.minor) {
        case (1, 1): "1.1"
        case (2, _): "2"
        default: version.major >= 2 ? "\(version.major)" : "\(version.major).\(version.minor)"
        }
    }

    /// Returns the stable identifier of a reason, which reports show as the type of the error.
    static func kind(_ reason: SessionError.Reason) -> Finding.Reason {
        switch reason {
        case .invalidURL: .init("invalidURL")
        case .invalidMethod: .init("invalidMethod")
        case .invalidHeader: .init("invalidHeader")
        case .unreadableBody: .init("unreadableBody")
        case .nameNotResolved: .init("nameNotResolved")
        case .connectionRefused: .init("connectionRefused")
        case .connectionFailed: .connectionFailed
        case .certificate: .init("certificate")
        case .tlsFailed: .init("tlsFailed")
        case .invalidTrust: .init("invalidTrust")
        case .timedOut: .timeout
        case .connectionClosed: .connectionClosed
        case .connectionReset: .connectionReset
        case .invalidResponse: .init("invalidResponse")
        case .protocolViolation: .protocolViolation
        case .limitExceeded: .init("limitExceeded")
        case .tooManyRedirects: .tooManyRedirects
        case .redirectCycle: .redirectCycle
        case .invalidRedirect: .invalidRedirect
        case .invalidContentCoding: .init("invalidContentCoding")
        case .unavailableContentCoding: .init("unavailableContentCoding")
        case .unacceptableResponse: .init("unacceptableResponse")
        case .adapterFailed: .adapterFailed
        case .retrierFailed: .init("retrierFailed")
        case .undecodable: .init("undecodable")
        case .unencodable: .init("unencodable")
        case .bodyNotReplayable: .init("bodyNotReplayable")
        case .proxyFailed: .init("proxyFailed")
        case .versionNotAvailable: .init("versionNotAvailable")
        case .upgradeRefused: .init("upgradeRefused")
        case .notInCache: .init("notInCache")
        case .fileNotWritable: .init("fileNotWritable")
        case .cancelled: .cancelled
        case .sessionClosed: .init("sessionClosed")
        }
    }
}
