import Basics
import ExchangeFormats
import Output
import RunModel
import RunRecord

/// A request in an HTTP Archive (HAR 1.2, "request").
struct HARRequestPart {
    let request: Exchange.Request
    /// The size of the body before masking, or `nil` if it was not masked.
    let size: Int?
    /// Whether the body was truncated.
    let isCut: Bool
    /// The HTTP version of the response.
    let version: HARVersion

    /// Appends the members of the object and closes it.
    ///
    /// - Parameter fields: The fields of the previous request.
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
        HARParts.eachCookie(of: value) { name, value in json.pair(name, value) }
    }

    private func writeBody(into json: inout JSONText) {
        guard !request.body.isEmpty || request.streamedSize != nil else { return }
        func header(_ name: String) -> String? { request.headers.first { $0.isNamed(name) }?.value }
        let type = header("Content-Type") ?? ""
        json.beginObject("postData")
        json.member("mimeType", type)
        if request.streamedSize != nil {
            json.member("text", "")
            json.member("comment", HARParts.streamedComment)
        } else if header("Content-Encoding") == nil || request.encodedSize != nil, !isCut,
            request.body.count <= HARBody.maximumLength,
            BodyExcerpt.mediaType(type).lowercased() == "application/x-www-form-urlencoded"
        {
            json.beginArray("params")
            HARFields.writePairs(String(decoding: request.body, as: UTF8.self), into: &json)
            json.endArray()
        } else {
            let body = HARBody(request.body, size: size, isCut: isCut)
            json.member("text", body.text)
            let coding = request.encodedSize == nil ? nil : HARParts.compressedComment
            let comments = [body.isBase64 ? HARParts.base64Comment : nil, body.comment, coding].compactMap { $0 }
            if !comments.isEmpty { json.member("comment", comments.joined(separator: "; ")) }
        }
        json.endObject()
    }
}

/// A response in an HTTP Archive (HAR 1.2, "response").
///
/// Without a response, its status is 0.
struct HARResponsePart {
    /// The response, or `nil` if there was none.
    let response: Exchange.Response?
    let version: HARVersion
    /// The reason for a missing or incomplete response.
    let failure: Exchange.Failure?
    /// The size of the body before masking, or `nil` if it was not masked.
    let size: Int?
    /// Whether the body was truncated.
    let isCut: Bool
    let clock: RunClock
    /// Nanoseconds from the start of the run to the start of the exchange.
    let start: Int64

    /// Appends the members of the object and closes it.
    ///
    /// - Parameter list: The fields of the previous response.
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
        if let failure { json.member("_error", "\(failure.phase.rawValue): \(failure.message)") }
        json.endObject()
    }

    /// Appends the content object, starting at the value of its size, without closing it.
    private func writeContent(_ header: HARHeader, transferred: Int, into json: inout JSONText) {
        guard let response else {
            // Readers expect a `text` member, even if it is empty.
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

    /// Returns the size of the body as transferred in bytes, or -1 if it is unknown.
    private func transferredSize(_ response: Exchange.Response, _ header: HARHeader) -> Int {
        if let size = response.encodedSize { return size }
        guard header.contentEncoding != nil else { return size ?? response.body.count }
        return header.contentLength.flatMap { Int(response.headers[$0].value) }.map { max(-1, $0) } ?? -1
    }

    /// Returns the size of the status line and header in HTTP/1, or -1 for HTTP/2, which compresses headers.
    private func headersSize(_ response: Exchange.Response, _ header: HARHeader) -> Int {
        guard response.version.utf8.first == UInt8(ascii: "1") else { return -1 }
        return header.size
            + HARParts.sizeOfStatusLine(version: version.count, status: response.status, reason: response.reason)
    }
}

/// A body in an HTTP Archive: as a string if it is text and in Base64 otherwise, truncated if it is long.
struct HARBody {
    /// The maximum number of bytes of a body to write.
    static let maximumLength = BodySizes.maximumShownSize

    let text: String
    let isBase64: Bool
    /// A note on the omitted bytes.
    let comment: String?

    /// Returns whether a body can be written verbatim: it is ASCII without NUL, and not too long.
    static func isPlain(_ body: [UInt8]) -> Bool {
        guard body.count <= maximumLength else { return false }
        let ones: UInt64 = 0x0101_0101_0101_0101
        return body.withUnsafeBytes { bytes in
            var index = 0
            while index &+ 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                // Sets a high bit for each byte that is zero or not ASCII.
                if (word | (word &- ones)) & (ones &* 0x80) != 0 { return false }
                index &+= 8
            }
            while index < bytes.count {
                if bytes[index] == 0 || bytes[index] >= 0x80 { return false }
                index &+= 1
            }
            return true
        }
    }

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - size: The size of the body before masking or truncation, or `nil` if it was not changed.
    ///   - isCut: Whether the body was truncated.
    init(_ body: [UInt8], size: Int?, isCut: Bool) {
        guard body.count > Self.maximumLength else {
            (text, isBase64) = Self.encoded(body[...])
            comment = isCut ? "first \(body.count) of \(size ?? body.count) bytes" : nil
            return
        }
        var part = body.prefix(Self.maximumLength)
        // A UTF-8 character has at most four bytes.
        for _ in 0..<3 where body[part.endIndex] & 0xC0 == 0x80 { part = part.dropLast() }
        (text, isBase64) = Self.encoded(part)
        comment = "first \(part.count) of \(size ?? body.count) bytes"
    }

    private static func encoded(_ bytes: ArraySlice<UInt8>) -> (String, Bool) {
        HARParts.text(bytes).map { ($0, false) } ?? (Base64.encode(bytes), true)
    }
}
