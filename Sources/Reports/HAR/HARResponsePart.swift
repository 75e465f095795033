import SuiteModel

/// A response in an HTTP Archive (HAR 1.2, "response"); with status 0 where there was none.
struct HARResponsePart {
    let exchange: Exchange
    /// The size of the body before it was masked; nil when it was not.
    let size: Int?
    let clock: RunClock

    /// The version as HTTP writes it: `HTTP/1.1`, `HTTP/2`.
    static func version(_ response: Exchange.Response) -> String { "HTTP/" + response.version }

    func write(into json: inout JSONText) {
        json.beginObject()
        let response = exchange.response
        json.member("status", response?.status ?? 0)
        json.member("statusText", response?.reason ?? "")
        json.member("httpVersion", response.map(Self.version) ?? "")
        json.beginArray("cookies")
        for field in response?.headers ?? [] where field.isNamed("Set-Cookie") {
            HARSetCookie(field.value).write(clock: clock, start: exchange.start, into: &json)
        }
        json.endArray()
        HARFields.write(response?.headers ?? [], into: &json)
        writeContent(response, into: &json)
        json.member("redirectURL", response?.header("Location") ?? "")
        json.member("headersSize", response.map(headersSize) ?? -1)
        json.member("bodySize", response.map(transferredSize) ?? -1)
        if let failure = exchange.failure { json.member("_error", "\(failure.phase): \(failure.message)") }
        json.endObject()
    }

    private func writeContent(_ response: Exchange.Response?, into json: inout JSONText) {
        json.beginObject("content")
        guard let response else {
            json.member("size", 0)
            json.member("mimeType", "")
            // Readers expect a text, be it empty.
            json.member("text", "")
            json.endObject()
            return
        }
        let count = size ?? response.body.count
        json.member("size", count)
        let transferred = transferredSize(response)
        if transferred >= 0, response.header("Content-Encoding") != nil {
            json.member("compression", count - transferred)
        }
        json.member("mimeType", response.header("Content-Type") ?? "")
        let body = HARBody(response.body, size: size)
        json.member("text", body.text)
        if body.isBase64 { json.member("encoding", "base64") }
        if let comment = body.comment { json.member("comment", comment) }
        json.endObject()
    }

    /// Bytes of the body as it was transferred; -1 when that is not known.
    private func transferredSize(_ response: Exchange.Response) -> Int {
        guard response.header("Content-Encoding") != nil else { return size ?? response.body.count }
        return response.header("Content-Length").flatMap { Int($0) }.map { max(-1, $0) } ?? -1
    }

    /// Bytes of a status line and a header of HTTP/1; -1 for HTTP/2, whose header is compressed.
    private func headersSize(_ response: Exchange.Response) -> Int {
        guard response.version.hasPrefix("1") else { return -1 }
        let line =
            Self.version(response).utf8.count + String(response.status).utf8.count + response.reason.utf8.count + 4
        return response.headers.reduce(line + 2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }
}
