import Basics
import Diagnostics
import JSON
import Output
import RunModel
import RunRecord

/// An exchange on the page, as a JSON object.
struct HTMLExchange {
    let exchange: Exchange
    let sizes: BodySizes.Pair
    let limits: HTMLBudget.Limits

    /// The maximum number of header fields of a message to write.
    private static let maximumFields = 200
    /// The maximum number of bytes of a URL or header field value.
    private static let maximumFieldLength = 8_192
    /// The maximum number of bytes of a binary body to write.
    private static let binaryBytes = 256

    func write(into json: inout JSONText) {
        json.beginObject()
        json.member("start", exchange.start / 1_000)
        writeRequest(into: &json)
        if let response = exchange.response { write(response, into: &json) }
        if let failure = exchange.failure {
            json.beginArray("failure")
            json.string(failure.phase.rawValue)
            json.string(failure.kind.rawValue)
            json.string(failure.message.text, limit: limits.text)
            json.endArray()
        }
        if !exchange.hops.isEmpty {
            json.beginArray("hops")
            for hop in exchange.hops {
                json.beginArray()
                json.integer(hop.status)
                json.string(hop.url, limit: Self.maximumFieldLength)
                json.string(hop.location, limit: Self.maximumFieldLength)
                json.endArray()
            }
            json.endArray()
        }
        writeTimings(into: &json)
        if let details = exchange.details { write(details, into: &json) }
        if let command = CurlCommand.text(for: exchange) { json.member("curl", command, limit: limits.command) }
        json.endObject()
    }

    private func writeRequest(into json: inout JSONText) {
        let request = exchange.request
        json.beginObject("request")
        json.member("method", request.method, limit: Self.maximumFieldLength)
        json.member("url", request.url, limit: Self.maximumFieldLength)
        write(request.headers, "headers", into: &json)
        if let trace = request.traceID { json.member("trace", trace) }
        if let size = request.streamedSize { json.member("streamed", size) }
        write(
            request.body, fields: request.headers, size: sizes.request, isCut: sizes.isRequestCut,
            limit: limits.requestBody, into: &json)
        json.endObject()
    }

    private func write(_ response: Exchange.Response, into json: inout JSONText) {
        json.beginObject("response")
        json.member("status", response.status)
        json.member("reason", response.reason, limit: Self.maximumFieldLength)
        json.member("version", response.version)
        write(response.headers, "headers", into: &json)
        write(
            response.body, fields: response.headers, size: sizes.response, isCut: sizes.isResponseCut,
            limit: limits.responseBody, into: &json)
        json.endObject()
    }

    private func write(_ fields: [HeaderField], _ key: StaticString, into json: inout JSONText) {
        guard !fields.isEmpty else { return }
        json.beginArray(key)
        for field in fields.prefix(Self.maximumFields) {
            json.beginArray()
            json.string(field.name, limit: Self.maximumFieldLength)
            json.string(field.value, limit: Self.maximumFieldLength)
            json.endArray()
        }
        json.endArray()
    }

    private func write(
        _ body: [UInt8], fields: [HeaderField], size: Int?, isCut: Bool, limit: Int, into json: inout JSONText
    ) {
        guard !body.isEmpty else { return }
        let type = fields.first { $0.isNamed("Content-Type") }?.value
        let kind = BodyExcerpt(body, contentType: type, size: size).kind
        json.beginObject("body")
        json.member("size", size ?? body.count)
        if let type { json.member("type", BodyExcerpt.mediaType(type), limit: 200) }
        switch kind {
        case .empty: break
        case .binary:
            json.member("bytes", Hexadecimal.encode(body.prefix(min(limit, Self.binaryBytes)), uppercase: true))
        case .json, .text:
            json.key(kind == .json ? "json" : "text")
            let shown = Self.whole(body, limit: limit)
            json.string(String(decoding: shown, as: UTF8.self))
            let all = isCut ? max(size ?? 0, body.count) : body.count
            if shown.count < all { json.member("omitted", all - shown.count) }
        }
        json.endObject()
    }

    /// Returns the first bytes of a text, without an incomplete character at the end.
    private static func whole(_ body: [UInt8], limit: Int) -> ArraySlice<UInt8> {
        var shown = body.prefix(limit)
        for _ in 0..<3 where shown.count < body.count && body[shown.endIndex] & 0xC0 == 0x80 {
            shown = shown.dropLast()
        }
        return shown
    }

    private func writeTimings(into json: inout JSONText) {
        let timings = exchange.timings
        json.beginArray("timings")
        for time in [timings.dns, timings.connect, timings.tls, timings.firstByte, timings.transfer, timings.total] {
            json.integer(time.map { $0 / 1_000 })
        }
        json.endArray()
    }

    // MARK: Details of few exchanges

    private func write(_ details: ExchangeDetails, into json: inout JSONText) {
        write(details.trailers, "trailers", into: &json)
        if !details.events.isEmpty {
            json.beginArray("events")
            for event in details.events.prefix(limits.messages) {
                json.string(event.serialized(), limit: min(limits.text, 4_096))
            }
            json.endArray()
            json.member("eventCount", details.events.count + details.omittedEvents)
        }
        if let webSocket = details.webSocket { write(webSocket, into: &json) }
        if let command = details.command {
            json.beginObject("command")
            json.member("ending", CommandText.ending(command))
            json.member("isGood", command.ending == .exit(0))
            if !command.errors.isEmpty {
                json.beginObject("errors")
                write(
                    command.errors, fields: [], size: command.errorSize, isCut: command.isErrorCut,
                    limit: limits.responseBody, into: &json)
                json.endObject()
            }
            json.endObject()
        }
    }

    private func write(_ webSocket: WebSocketTranscript, into json: inout JSONText) {
        let shown = webSocket.messages.suffix(limits.messages)
        json.beginObject("webSocket")
        json.member("omitted", webSocket.omitted + webSocket.messages.count - shown.count)
        json.beginArray("messages")
        for message in shown {
            json.beginArray()
            json.string(message.side == .client ? "sent" : "received")
            switch message.kind {
            case .text:
                json.string("text")
                let limit = min(limits.text, 8_192)
                json.string(String(decoding: Self.whole(message.bytes, limit: limit), as: UTF8.self))
                // Masking changes the number of bytes, which therefore does not show whether the message is complete.
                json.integer(message.isCut || message.bytes.count > limit ? message.size : nil)
            case .binary:
                json.string("binary")
                json.string(Hexadecimal.encode(message.bytes.prefix(64), uppercase: true))
                json.integer(message.size)
            case .ping: json.string("ping")
            case .pong: json.string("pong")
            case .close(let code):
                json.string("close")
                json.string(String(decoding: message.bytes, as: UTF8.self))
                json.integer(Int(code))
            }
            json.endArray()
        }
        json.endArray()
        json.endObject()
    }
}
