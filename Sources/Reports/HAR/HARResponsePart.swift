import SuiteModel

/// A response in an HTTP Archive (HAR 1.2, "response"); with status 0 where there was none.
struct HARResponsePart {
    /// nil where there was none.
    let response: Exchange.Response?
    let version: HARVersion
    /// Why there is no whole response.
    let failure: Exchange.Failure?
    /// The size of the body before it was masked; nil when it was not.
    let size: Int?
    /// Whether only the first bytes of the body are there.
    let isCut: Bool
    let clock: RunClock
    /// Nanoseconds from the run's start to that of the exchange.
    let start: Int64

    /// Appends the members of the object, and its end.
    ///
    /// - Parameter list: The fields of the response before.
    func write(into json: inout JSONText, fields list: inout HARFieldList) {
        let fields = response?.headers ?? []
        let header = list.read(fields)
        json.text(upTo: 64, isWhole: false) { text in
            text.write("\"status\":")
            text.write(response?.status ?? 0)
            text.write(",\"statusText\":")
        }
        json.string(response?.reason ?? "")
        version.write(into: &json)
        for index in header.setCookies {
            HARSetCookie(fields[index].value).write(clock: clock, start: start, into: &json)
        }
        json.literal("],\"headers\":[")
        list.write(fields, into: &json)
        json.literal("],\"content\":{\"size\":")
        let transferred = response.map { transferredSize($0, header) } ?? -1
        writeContent(header, transferred: transferred, into: &json)
        json.literal("},\"redirectURL\":")
        json.string(header.location.map { fields[$0].value } ?? "")
        json.text(upTo: 80, isWhole: true) { text in
            text.write(",\"headersSize\":")
            text.write(response.map { headersSize($0, header) } ?? -1)
            text.write(",\"bodySize\":")
            text.write(transferred)
        }
        if let failure { json.member("_error", "\(failure.phase): \(failure.message)") }
        json.endObject()
    }

    /// Appends the content from the value of its size on, without its end.
    private func writeContent(_ header: HARHeader, transferred: Int, into json: inout JSONText) {
        guard let response else {
            // Readers expect a text, be it empty.
            return json.literal(whole: "0,\"mimeType\":\"\",\"text\":\"\"")
        }
        let count = size ?? response.body.count
        json.integer(count)
        if transferred >= 0, header.contentEncoding != nil { json.member("compression", count - transferred) }
        json.literal(",\"mimeType\":")
        json.string(header.contentType.map { response.headers[$0].value } ?? "")
        json.literal(",\"text\":")
        if !isCut, HARBody.isPlain(response.body) {
            json.string(utf8: response.body)
            return
        }
        let body = HARBody(response.body, size: size, isCut: isCut)
        json.string(body.text)
        if body.isBase64 { json.member("encoding", "base64") }
        if let comment = body.comment { json.member("comment", comment) }
    }

    /// Bytes of the body as it was transferred; -1 when that is not known.
    private func transferredSize(_ response: Exchange.Response, _ header: HARHeader) -> Int {
        if let size = response.encodedSize { return size }
        guard header.contentEncoding != nil else { return size ?? response.body.count }
        return header.contentLength.flatMap { Int(response.headers[$0].value) }.map { max(-1, $0) } ?? -1
    }

    /// Bytes of a status line and a header of HTTP/1; -1 for HTTP/2, whose header is compressed.
    private func headersSize(_ response: Exchange.Response, _ header: HARHeader) -> Int {
        guard response.version.utf8.first == UInt8(ascii: "1") else { return -1 }
        // A status has three digits; one that has not is told as it came.
        let status = 100...999 ~= response.status ? 3 : String(response.status).utf8.count
        return version.count + status + response.reason.utf8.count + 4 + header.size
    }
}
