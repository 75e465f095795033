import SuiteModel

/// A request in an HTTP Archive (HAR 1.2, "request").
struct HARRequestPart {
    let request: Exchange.Request
    /// The size of the body before it was masked; nil when it was not.
    let size: Int?
    /// Whether only the first bytes of the body are there.
    let isCut: Bool
    /// That of the response.
    let version: HARVersion

    /// Appends the members of the object, and its end.
    ///
    /// - Parameter fields: The fields of the request before.
    func write(into json: inout JSONText, fields: inout HARFieldList) {
        json.literal("\"method\":")
        json.string(request.method)
        json.literal(",\"url\":")
        json.string(Self.withoutFragment(request.url))
        version.write(into: &json)
        let header = fields.read(request.headers)
        for index in header.cookies { writeCookies(request.headers[index].value, into: &json) }
        json.literal("],\"headers\":[")
        fields.write(request.headers, into: &json)
        json.literal("],\"queryString\":[")
        HARFields.writeQuery(of: request.url, into: &json)
        json.literal(whole: "]")
        writeBody(into: &json)
        let streamed = request.streamedSize.map { $0 > 0 ? $0 : -1 }
        json.text(upTo: 64, isWhole: true) { text in
            text.write(",\"headersSize\":-1,\"bodySize\":")
            text.write(streamed ?? request.encodedSize ?? size ?? request.body.count)
            text.write("}")
        }
    }

    static func withoutFragment(_ url: String) -> String {
        guard let end = HARFields.index(of: UInt8(ascii: "#"), in: url) else { return url }
        return String(decoding: url.utf8.prefix(end), as: UTF8.self)
    }

    private func writeCookies(_ value: String, into json: inout JSONText) {
        for pair in value.utf8.split(separator: UInt8(ascii: ";")) {
            let pair = pair.drop { $0 == 0x20 }
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            json.pair(
                String(decoding: pair[..<equals], as: UTF8.self),
                String(decoding: pair[equals...].dropFirst(), as: UTF8.self))
        }
    }

    private func writeBody(into json: inout JSONText) {
        guard !request.body.isEmpty || request.streamedSize != nil else { return }
        func header(_ name: String) -> String? { request.headers.first { $0.isNamed(name) }?.value }
        let type = header("Content-Type") ?? ""
        json.beginObject("postData")
        json.member("mimeType", type)
        if request.streamedSize != nil {
            json.member("text", "")
            json.member("comment", "the body was made while it was sent")
        } else if header("Content-Encoding") == nil || request.encodedSize != nil, !isCut,
            request.body.count <= HARBody.longest,
            BodyExcerpt.mediaType(type).lowercased() == "application/x-www-form-urlencoded"
        {
            json.beginArray("params")
            HARFields.writePairs(String(decoding: request.body, as: UTF8.self), into: &json)
            json.endArray()
        } else {
            let body = HARBody(request.body, size: size, isCut: isCut)
            json.member("text", body.text)
            let coding = request.encodedSize == nil ? nil : "the body was sent compressed"
            let comments = [body.isBase64 ? "the text is in base 64" : nil, body.comment, coding].compactMap { $0 }
            if !comments.isEmpty { json.member("comment", comments.joined(separator: "; ")) }
        }
        json.endObject()
    }
}
