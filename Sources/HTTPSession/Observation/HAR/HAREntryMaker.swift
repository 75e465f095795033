import Basics
import ExchangeFormats

/// The builder of the parts of a HAR entry.
struct HAREntryMaker {
    private let options: HAROptions
    private var redaction: Redaction? { options.redaction }

    init(_ options: HAROptions) {
        self.options = options
    }

    // MARK: Request

    func request(_ sent: SentRequest, version: HTTPVersion?, metrics: ExchangeMetrics) -> HARRequest {
        let headers = redaction?.header(sent.headers) ?? sent.headers
        let size = sent.body.knownLength
        var headersSize = -1
        // The framing of a body of unknown length cannot be separated from it.
        if let size, let version, version.major < 2, metrics.bytesSent > size { headersSize = metrics.bytesSent - size }
        return HARRequest(
            method: sent.method.rawValue, url: url(sent.url.withFragment(nil).description),
            httpVersion: version?.description ?? "", cookies: cookies(headers), headers: fields(headers),
            queryString: pairs(sent.url.query ?? ""),
            postData: postData(sent.body, type: sent.headers["Content-Type"], headers: sent.headers),
            headersSize: headersSize, bodySize: size ?? -1)
    }

    /// Returns the known parts of a request that was not sent.
    func request(_ error: SessionError) -> HARRequest {
        let text = String(error.url.prefix { $0 != "#" })
        let query = text.firstIndex(of: "?").map { text[text.index(after: $0)...] } ?? ""
        return HARRequest(
            method: error.method.rawValue, url: url(text), httpVersion: "", cookies: [], headers: [],
            queryString: pairs(String(query)), postData: nil, headersSize: -1, bodySize: -1)
    }

    private func url(_ text: String) -> String { redaction?.url(text) ?? text }

    private func fields(_ headers: HTTPHeaders) -> [HARField] {
        headers.fields.map { HARField(name: $0.name, value: $0.value) }
    }

    private func pairs(_ text: String) -> [HARField] {
        FormPairs.parse(text).map { pair in
            let isHidden = redaction?.hides(parameter: pair.name) ?? false
            return HARField(name: pair.name, value: isHidden ? redaction?.replacement ?? "" : pair.value)
        }
    }

    /// Returns the cookies of a `Cookie` field, whose values are redacted already.
    private func cookies(_ headers: HTTPHeaders) -> [HARCookie] {
        var cookies: [HARCookie] = []
        for field in headers.values("Cookie") {
            HARParts.eachCookie(of: field) { cookies.append(HARCookie(name: $0, value: $1)) }
        }
        return cookies
    }

    private func postData(_ body: RequestBody, type: String?, headers: HTTPHeaders) -> HARPostData? {
        let type = type ?? ""
        switch body {
        case .empty: return nil
        case .file(let path): return HARPostData(mimeType: type, text: "", comment: "the contents of the file \(path)")
        case .stream: return HARPostData(mimeType: type, text: "", comment: HARParts.streamedComment)
        case .bytes(let bytes):
            guard bytes.count <= options.maximumBodyBytes else {
                return HARPostData(
                    mimeType: type, text: "", comment: "the body of \(bytes.count) bytes was omitted")
            }
            let shown = redaction?.body(bytes, of: headers) ?? (bytes: bytes, isDecoded: false)
            if headers.contains("Content-Encoding"), !shown.isDecoded {
                return HARPostData(mimeType: type, text: Base64.encode(bytes), comment: HARParts.base64Comment)
            }
            let comment = shown.isDecoded ? HARParts.compressedComment : nil
            if MediaRange(type)?.description == "application/x-www-form-urlencoded" {
                return HARPostData(
                    mimeType: type, params: pairs(String(decoding: shown.bytes, as: UTF8.self)), comment: comment)
            }
            if let text = HARParts.text(shown.bytes) {
                return HARPostData(mimeType: type, text: text, comment: comment)
            }
            return HARPostData(mimeType: type, text: Base64.encode(shown.bytes), comment: HARParts.base64Comment)
        }
    }

    // MARK: Response

    func response(_ response: Response) -> HARResponse {
        let encoded = response.metrics.bodyBytesReceived
        return HARResponse(
            status: response.status, statusText: response.reason, httpVersion: response.version.description,
            cookies: cookies(response.headers, of: response.url),
            headers: fields(redaction?.header(response.headers) ?? response.headers), content: content(response),
            redirectURL: url(response.headers["Location"] ?? ""), headersSize: Self.size(response.head),
            bodySize: response.isFromCache ? 0 : encoded > 0 || response.body.isEmpty ? encoded : response.body.count,
            comment: response.isFromCache ? "from the cache" : nil)
    }

    /// Returns the received part of the response to a failed request.
    func response(_ error: SessionError) -> HARResponse {
        let head = error.head
        let headers = head?.headers ?? HTTPHeaders()
        return HARResponse(
            status: head?.status ?? 0, statusText: head?.reason ?? "", httpVersion: head?.version.description ?? "",
            cookies: (try? HTTPURL(error.url)).map { cookies(headers, of: $0) } ?? [],
            headers: fields(redaction?.header(headers) ?? headers),
            content: partial(error, type: headers["Content-Type"]),
            redirectURL: url(headers["Location"] ?? ""), headersSize: head.map(Self.size) ?? -1,
            bodySize: head == nil ? -1 : error.partialBody.count, comment: nil)
    }

    /// Omits a partial body, because secrets cannot be redacted in incomplete JSON.
    private func partial(_ error: SessionError, type: String?) -> HARContent {
        var content = HARContent(size: error.partialBody.count, mimeType: type ?? "", text: "")
        if content.size > 0 { content.comment = "the received part of the body was omitted" }
        return content
    }

    private func cookies(_ headers: HTTPHeaders, of url: HTTPURL) -> [HARCookie] {
        headers.values("Set-Cookie").compactMap { value in
            let shown = redaction?.value(value, ofField: "Set-Cookie") ?? value
            return Cookie(setCookie: shown, from: url, now: WallClock.secondsSince1970()).map(HARCookie.init)
        }
    }

    private func content(_ response: Response) -> HARContent {
        let type = response.headers["Content-Type"] ?? ""
        var content = HARContent(size: response.body.count, mimeType: type)
        let encoded = response.metrics.bodyBytesReceived
        if encoded > 0, response.headers.contains("Content-Encoding") { content.compression = content.size - encoded }
        guard !response.body.isEmpty else {
            // HAR readers expect a string, even for an empty body.
            content.text = ""
            return content
        }
        guard response.body.count <= options.maximumBodyBytes else {
            content.comment = "the body was omitted"
            return content
        }
        let body = redaction?.body(response.body, contentType: type) ?? response.body
        if let text = HARParts.text(body) {
            content.text = text
        } else if MediaRange(type)?.type == "text", let text = try? response.string() {
            content.text = text
        } else {
            content.text = Base64.encode(body)
            content.encoding = "base64"
        }
        return content
    }

    /// Returns the size of an HTTP/1 status line and header in bytes; -1 for HTTP/2, which compresses headers.
    private static func size(_ head: ResponseHead) -> Int {
        guard head.version.major < 2 else { return -1 }
        let line = HARParts.sizeOfStatusLine(
            version: head.version.description.utf8.count, status: head.status, reason: head.reason)
        return head.headers.fields.reduce(line + 2) {
            $0 + HARParts.sizeOfField($1.name.utf8.count + $1.value.utf8.count)
        }
    }
}
