import SuiteModel

/// A file beside a result: a body, or an exchange as text.
struct AllureAttachment {
    let name: String
    let type: String
    /// The extension of the file's name.
    let suffix: String
    let bytes: [UInt8]

    /// The most bytes of a body that are written.
    private static let longest = 1 << 20

    /// The attachments of an exchange: the whole of it as text, and the bodies that it has.
    static func all(of exchange: Exchange, sizes: BodySizes.Pair) -> [AllureAttachment] {
        let transcript = ExchangeTranscript.text(exchange, sizes: sizes)
        var attachments = [
            AllureAttachment(name: "exchange", type: "text/plain", suffix: "txt", bytes: Array(transcript.utf8))
        ]
        func add(_ name: String, _ body: [UInt8], _ fields: [HeaderField], size: Int?, isCut: Bool) {
            guard !body.isEmpty else { return }
            let type = fields.first { $0.isNamed("Content-Type") }?.value ?? ""
            attachments.append(AllureAttachment(name, body, contentType: type, size: size, isCut: isCut))
        }
        add(
            "request body", exchange.request.body, exchange.request.headers, size: sizes.request,
            isCut: sizes.isRequestCut)
        if let response = exchange.response {
            add(
                "response body", response.body, response.headers, size: sizes.response, isCut: sizes.isResponseCut)
        }
        return attachments
    }

    private init(name: String, type: String, suffix: String, bytes: [UInt8]) {
        self.name = name
        self.type = type
        self.suffix = suffix
        self.bytes = bytes
    }

    private init(_ name: String, _ body: [UInt8], contentType: String, size: Int?, isCut: Bool) {
        let media = BodyExcerpt.mediaType(contentType).lowercased()
        (type, suffix) = Self.kind(of: body, media)
        bytes = body.count > Self.longest ? Array(body.prefix(Self.longest)) : body
        self.name =
            isCut || bytes.count < body.count
            ? "\(name), the first \(bytes.count) of \(size ?? body.count) bytes" : name
    }

    /// The type under which a body is shown; never one that can hold a script.
    private static func kind(of body: [UInt8], _ media: String) -> (type: String, suffix: String) {
        switch media {
        case "image/png": return ("image/png", "png")
        case "image/jpeg": return ("image/jpeg", "jpg")
        case "image/gif": return ("image/gif", "gif")
        default: break
        }
        if body.prefix(4_096).contains(0) { return ("application/octet-stream", "bin") }
        if media.hasSuffix("json") { return ("application/json", "json") }
        if media == "text/csv" { return ("text/csv", "csv") }
        return ("text/plain", "txt")
    }
}
