import Diagnostics
import JSON
import Output
import RunModel
import RunRecord

/// The text layout of an exchange: redirects, `→` and the request, `←` and the response, each with its body.
struct ExchangeLayout {
    let painter: Painter
    /// The maximum number of columns of a line.
    let width: Int
    /// Whether to show header fields and timings.
    var showsHeaders = false
    /// The column at which lines of bodies and messages are truncated.
    var maximumLength: Int
    /// The column at which URLs and header fields are truncated.
    var maximumHeadLength: Int
    /// The maximum number of lines of a request body.
    var requestLines = 6
    /// The maximum number of lines of a response body.
    var responseLines = 12
    private let indent = 2
    /// The maximum number of WebSocket messages to show.
    private static let maximumMessages = 12
    /// The maximum number of WebSocket messages to show along with header fields.
    private static let maximumMessagesWithHeaders = 100
    /// The maximum number of stream events to show.
    private static let maximumEvents = 100
    /// The maximum number of bytes of an event to show.
    private static let reach = 4_096

    init(painter: Painter, width: Int, showsHeaders: Bool = false) {
        self.painter = painter
        self.width = width
        self.showsHeaders = showsHeaders
        maximumLength = width
        maximumHeadLength = width
    }

    /// Appends the lines of an exchange.
    ///
    /// - Parameter sizes: The original sizes of bodies that masking changed.
    func write(_ exchange: Exchange, sizes: BodySizes.Pair, into output: inout String) {
        if let command = exchange.details?.command { return write(command, of: exchange, sizes: sizes, into: &output) }
        for hop in exchange.hops {
            let line = DisplayWidth.printable("· \(hop.status) \(hop.url) → \(hop.location)")
            writeLine(painter.paint(TextFitting.cut(line, to: maximumHeadLength - indent), .dim), into: &output)
        }
        let request = exchange.request
        let requestBody = BodyExcerpt(request.body, contentType: contentType(request.headers), size: sizes.request)
        var requestHead = DisplayWidth.printable("→ \(request.method) \(request.url)")
        if let size = request.streamedSize {
            requestHead += size > 0 ? "   body of \(NumberText.size(size)) (not kept)" : "   body (not kept)"
        }

        let response = exchange.response
        let responseBody = BodyExcerpt(
            response?.body ?? [], contentType: response.flatMap { contentType($0.headers) }, size: sizes.response)
        let isWebSocket = exchange.details?.webSocket != nil
        let responseHead =
            isWebSocket
            ? "← \(response?.status ?? 101)" : head(of: response, size: sizes.response, failure: exchange.failure)

        // Aligns both bodies to the same column.
        var column = 0
        if !request.body.isEmpty { column = DisplayWidth.of(requestHead) }
        if response?.body.isEmpty == false { column = max(column, DisplayWidth.of(responseHead)) }
        column += 3
        write(
            requestHead, fields: request.headers, body: requestBody, column: column, limit: requestLines, into: &output)
        write(
            responseHead, fields: response?.headers ?? [], body: responseBody, column: column, limit: responseLines,
            into: &output)
        if let webSocket = exchange.details?.webSocket { write(webSocket, into: &output) }
        if let trace = request.traceID { writeLine(painter.paint("trace \(trace)", .dim), into: &output) }
        guard showsHeaders else { return }
        if let details = exchange.details { write(details, into: &output) }
        writeTimings(exchange.timings, into: &output)
    }

    /// Returns an exchange as one line: the request line and a summary of the response.
    func title(of exchange: Exchange, sizes: BodySizes.Pair) -> String {
        if let command = exchange.details?.command {
            return CommandText.line(command) + "  " + CommandText.result(command, of: exchange, sizes: sizes)
        }
        let response =
            exchange.details?.webSocket != nil
            ? "← \(exchange.response?.status ?? 101)"
            : head(of: exchange.response, size: sizes.response, failure: exchange.failure)
        return DisplayWidth.printable("→ \(exchange.request.method) \(exchange.request.url)") + "  " + response
    }

    /// The phases that follow a complete response.
    private static let phasesAfterResponse: Set<Exchange.Failure.Phase> = [.redirect, .validate]

    private func head(of response: Exchange.Response?, size: Int?, failure: Exchange.Failure?) -> String {
        guard let response else { return failure?.phase == .request ? "← not sent" : "← no response" }
        var head = "← \(response.status)"
        if let type = contentType(response.headers) { head += " " + BodyExcerpt.mediaType(type) }
        head += " " + NumberText.size(size ?? response.body.count)
        if showsHeaders { head += ", HTTP/\(response.version)" }
        if let failure, !Self.phasesAfterResponse.contains(failure.phase) { head += ", incomplete" }
        return DisplayWidth.printable(head)
    }

    /// Appends the first line of a message with its header fields and an excerpt of its body.
    func write(
        _ head: String, fields: [HeaderField], body: BodyExcerpt, column: Int, limit: Int, into output: inout String
    ) {
        let headWidth = DisplayWidth.of(head)
        if !showsHeaders {
            for column in [column, headWidth + 3] where column >= headWidth + 3 {
                guard let line = body.oneLine(width: width - indent - column) else { continue }
                return writeLine(
                    painted(head) + TextFitting.spaces(column - headWidth) + painter.paint(line, .dim), into: &output)
            }
        }
        writeLine(painted(TextFitting.cut(head, to: maximumHeadLength - indent)), into: &output)
        if showsHeaders {
            for field in fields {
                let line = DisplayWidth.printable("\(field.name): \(field.value)")
                writeLine(
                    "  " + painter.paint(TextFitting.cut(line, to: maximumHeadLength - indent - 2), .dim), into: &output
                )
            }
        }
        let bodyIndent = showsHeaders ? 4 : 2
        for line in body.lines(
            width: width - indent - bodyIndent, maximumLength: maximumLength - indent - bodyIndent, limit: limit)
        {
            writeLine(TextFitting.spaces(bodyIndent) + painter.paint(line, .dim), into: &output)
        }
    }

    /// Writes the last messages of a WebSocket, one per line.
    private func write(_ webSocket: WebSocketTranscript, into output: inout String) {
        let shown = webSocket.messages.suffix(showsHeaders ? Self.maximumMessagesWithHeaders : Self.maximumMessages)
        let omitted = webSocket.omitted + webSocket.messages.count - shown.count
        if omitted > 0 {
            writeLine("  " + painter.paint("… \(NumberText.count(omitted, "earlier message"))", .dim), into: &output)
        }
        for message in shown {
            let line = "  " + MessageLine.text(message, width: maximumLength - indent - 2)
            writeLine(painted(line, arrowAt: 2), into: &output)
        }
    }

    /// Writes the events of a stream, one per line, the reason for the end of reading, and trailer fields.
    private func write(_ details: ExchangeDetails, into output: inout String) {
        for (index, event) in details.events.prefix(Self.maximumEvents).enumerated() {
            let text = String(decoding: event.serializedBytes().prefix(Self.reach), as: UTF8.self)
            writeDetail("event \(index + 1)  \(text)", into: &output)
        }
        let hidden = max(0, details.events.count - Self.maximumEvents) + details.omittedEvents
        if hidden > 0 { writeDetail("… \(NumberText.count(hidden, "more event"))", into: &output) }
        switch details.streamEnd {
        case .closed: writeDetail("the server closed the stream", into: &output)
        case .complete: writeDetail("all expected events arrived", into: &output)
        case .timeout(let time): writeDetail("stopped reading after \(DurationText.text(time))", into: &output)
        case nil: break
        }
        for field in details.trailers { writeDetail("trailer \(field.name): \(field.value)", into: &output) }
    }

    private func writeDetail(_ text: String, into output: inout String) {
        let line = TextFitting.cut(DisplayWidth.printable(text), to: maximumLength - indent - 2)
        writeLine("  " + painter.paint(line, .dim), into: &output)
    }

    private func writeTimings(_ timings: Exchange.Timings, into output: inout String) {
        let phases: [(String, Int64?)] = [
            ("dns", timings.dns), ("connect", timings.connect), ("tls", timings.tls),
            ("first byte", timings.firstByte), ("transfer", timings.transfer), ("total", timings.total),
        ]
        let text = phases.compactMap { name, time in time.map { "\(name) \(DurationText.text($0))" } }
        for line in TextFitting.wrap(text.joined(separator: ", "), to: width - indent - 2) {
            writeLine("  " + painter.paint(line, .dim), into: &output)
        }
    }

    private func writeLine(_ line: String, into output: inout String) {
        output += TextFitting.spaces(indent)
        output += line
        output += "\n"
    }

    /// Returns a request or response line with its arrow in color.
    private func painted(_ head: String) -> String {
        painter.paint(String(head.prefix(1)), .margin) + head.dropFirst()
    }

    /// Returns a line with its arrow in color and the rest dimmed like a body.
    private func painted(_ line: String, arrowAt indent: Int) -> String {
        TextFitting.spaces(indent) + painter.paint(String(line.dropFirst(indent).prefix(1)), .margin)
            + painter.paint(String(line.dropFirst(indent + 1)), .dim)
    }

    private func contentType(_ fields: [HeaderField]) -> String? {
        fields.first { $0.isNamed("Content-Type") }?.value
    }
}

/// A WebSocket message as one line, with `→` for sent and `←` for received messages.
enum MessageLine {
    /// Returns the line.
    ///
    /// - Parameter width: The maximum number of columns of the line.
    static func text(_ message: WebSocketTranscript.Message, width: Int) -> String {
        let content: String
        var size = ""
        switch message.kind {
        case .text:
            let looked = message.bytes.prefix(width * 4)
            content = printable(looked)
            if message.isCut || looked.count < message.bytes.count || DisplayWidth.of(content) > width - 2 {
                size = " \(NumberText.size(message.size)) total"
            }
        case .binary:
            content = BodyExcerpt.binaryText(message.bytes[...], size: message.size)
        case .ping: content = "ping"
        case .pong: content = "pong"
        case .close(let code):
            // 1005 stands for a close frame without a status code.
            content =
                (code == 1_005 ? "close" : "close \(code)")
                + (message.bytes.isEmpty ? "" : " " + printable(message.bytes[...]))
        }
        return (message.side == .client ? "→ " : "← ")
            + TextFitting.cut(content, to: max(10, width - 2 - size.utf8.count)) + size
    }

    /// Returns text with line breaks and terminal control characters escaped.
    private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
        DisplayWidth.printable(String(decoding: bytes, as: UTF8.self))
    }
}

/// A plain-text transcript of an exchange: request and response with header fields and bodies.
enum ExchangeTranscript {
    /// The maximum number of bytes of a body.
    private static let maximumBodySize = 24_576
    /// The maximum number of columns of a WebSocket message.
    private static let maximumMessageLength = 1_000

    /// Returns the transcript.
    ///
    /// A binary body is only described.
    static func text(_ exchange: Exchange, sizes: BodySizes.Pair) -> String {
        if let command = exchange.details?.command {
            return withoutAttachments(CommandText.transcript(command, of: exchange, sizes: sizes))
        }
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
        if let webSocket = exchange.details?.webSocket { write(webSocket, into: &text) }
        if let failure = exchange.failure { text += "\n\(failure.phase.rawValue): \(failure.message)\n" }
        return withoutAttachments(text)
    }

    private static func write(_ webSocket: WebSocketTranscript, into text: inout String) {
        text += "\n"
        if webSocket.omitted > 0 { text += "… \(NumberText.count(webSocket.omitted, "earlier message"))\n" }
        for message in webSocket.messages { text += MessageLine.text(message, width: maximumMessageLength) + "\n" }
    }

    /// Appends header fields and a body.
    static func write(
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
            var shown = body.prefix(maximumBodySize)
            // A UTF-8 character has at most four bytes.
            for _ in 0..<3 where shown.count < body.count && body[shown.endIndex] & 0xC0 == 0x80 {
                shown = shown.dropLast()
            }
            text += String(decoding: shown, as: UTF8.self)
            if isCut || shown.count < body.count { text += "… \(NumberText.size(size ?? body.count)) total" }
        }
        if !text.hasSuffix("\n") { text += "\n" }
    }

    /// Returns text that does not make a reader attach a file.
    ///
    /// A response must not be able to name one.
    private static func withoutAttachments(_ text: String) -> String {
        let marker = "[[ATTACHMENT|"
        guard text.contains("[[ATTACHMENT") else { return text }
        return text.split(separator: marker, omittingEmptySubsequences: false).joined(separator: "[ [ATTACHMENT|")
    }
}
