import SuiteModel

/// A response in an HTTP Archive (HAR 1.2, "response"); with status 0 where there was none.
struct HARResponsePart {
    /// nil where there was none.
    let response: Exchange.Response?
    /// The version as HTTP writes it: `HTTP/1.1`, `HTTP/2`; empty where there was no response.
    let version: String
    /// Why there is no whole response.
    let failure: Exchange.Failure?
    /// The size of the body before it was masked; nil when it was not.
    let size: Int?
    let clock: RunClock
    /// Nanoseconds from the run's start to that of the exchange.
    let start: Int64

    func write(into json: inout JSONText) {
        let header = HARHeader(response?.headers ?? [])
        json.beginObject()
        json.member("status", response?.status ?? 0)
        json.member("statusText", response?.reason ?? "")
        json.member("httpVersion", version)
        json.beginArray("cookies")
        for field in header.cookies { HARSetCookie(field).write(clock: clock, start: start, into: &json) }
        json.endArray()
        HARFields.write(response?.headers ?? [], into: &json)
        let transferred = response.map { transferredSize($0, header) } ?? -1
        writeContent(header, transferred: transferred, into: &json)
        json.member("redirectURL", header.location ?? "")
        json.member("headersSize", response.map { headersSize($0, header) } ?? -1)
        json.member("bodySize", transferred)
        if let failure { json.member("_error", "\(failure.phase): \(failure.message)") }
        json.endObject()
    }

    private func writeContent(_ header: HARHeader, transferred: Int, into json: inout JSONText) {
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
        if transferred >= 0, header.contentEncoding != nil { json.member("compression", count - transferred) }
        json.member("mimeType", header.contentType ?? "")
        if HARBody.isPlain(response.body) {
            json.key("text")
            json.string(utf8: response.body)
            json.endObject()
            return
        }
        let body = HARBody(response.body, size: size)
        json.member("text", body.text)
        if body.isBase64 { json.member("encoding", "base64") }
        if let comment = body.comment { json.member("comment", comment) }
        json.endObject()
    }

    /// Bytes of the body as it was transferred; -1 when that is not known.
    private func transferredSize(_ response: Exchange.Response, _ header: HARHeader) -> Int {
        guard header.contentEncoding != nil else { return size ?? response.body.count }
        return header.contentLength.flatMap { Int($0) }.map { max(-1, $0) } ?? -1
    }

    /// Bytes of a status line and a header of HTTP/1; -1 for HTTP/2, whose header is compressed.
    private func headersSize(_ response: Exchange.Response, _ header: HARHeader) -> Int {
        guard response.version.hasPrefix("1") else { return -1 }
        // A status has three digits; one that has not is told as it came.
        let status = 100...999 ~= response.status ? 3 : String(response.status).utf8.count
        return version.utf8.count + status + response.reason.utf8.count + 4 + header.size
    }
}
