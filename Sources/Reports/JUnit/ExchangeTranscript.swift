import SuiteModel

/// A whole exchange as text: request and response with header fields and bodies.
enum ExchangeTranscript {
    /// The most bytes of a body.
    private static let longestBody = 24_576
    /// The columns that a message of a WebSocket takes.
    private static let longestMessage = 1_000

    /// The transcript; a body that is no text is described.
    static func text(_ exchange: Exchange, sizes: BodySizes.Pair) -> String {
        var text = ""
        for hop in exchange.hops { text += "redirected: \(hop.status) \(hop.url) to \(hop.location)\n" }
        text += "\(exchange.request.method) \(exchange.request.url)\n"
        write(
            exchange.request.headers, exchange.request.body, size: sizes.request, isCut: sizes.isRequestCut,
            into: &text)
        if let response = exchange.response {
            text += "\nHTTP/\(response.version) \(response.status)"
            text += response.reason.isEmpty ? "\n" : " \(response.reason)\n"
            write(response.headers, response.body, size: sizes.response, isCut: sizes.isResponseCut, into: &text)
        }
        if let webSocket = exchange.details?.value.webSocket { write(webSocket, into: &text) }
        if let failure = exchange.failure { text += "\n\(failure.phase): \(failure.message)\n" }
        return withoutAttachments(text)
    }

    private static func write(_ webSocket: WebSocketTranscript, into text: inout String) {
        text += "\n"
        if webSocket.omitted > 0 { text += "… \(NumberText.count(webSocket.omitted, "earlier message"))\n" }
        for message in webSocket.messages { text += MessageLine.text(message, width: longestMessage) + "\n" }
    }

    private static func write(
        _ fields: [HeaderField], _ body: [UInt8], size: Int?, isCut: Bool, into text: inout String
    ) {
        for field in fields { text += "\(field.name): \(field.value)\n" }
        guard !body.isEmpty else { return }
        text += "\n"
        let type = fields.first { $0.isNamed("Content-Type") }?.value
        let excerpt = BodyExcerpt(body, contentType: type, size: size)
        if excerpt.kind == .binary {
            text += excerpt.lines(width: 200, limit: 1).joined()
        } else {
            var shown = body.prefix(longestBody)
            // A character takes at most four bytes.
            for _ in 0..<3 where shown.count < body.count && body[shown.endIndex] & 0xC0 == 0x80 {
                shown = shown.dropLast()
            }
            text += String(decoding: shown, as: UTF8.self)
            if isCut || shown.count < body.count { text += "… \(NumberText.size(size ?? body.count)) in all" }
        }
        if !text.hasSuffix("\n") { text += "\n" }
    }

    /// A text in which nothing makes a reader attach a file: a response must not be able to name one.
    private static func withoutAttachments(_ text: String) -> String {
        let marker = "[[ATTACHMENT|"
        guard text.contains("[[ATTACHMENT") else { return text }
        return text.split(separator: marker, omittingEmptySubsequences: false).joined(separator: "[ [ATTACHMENT|")
    }
}
