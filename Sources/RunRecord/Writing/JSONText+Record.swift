import Basics
package import Diagnostics
package import JSON
package import Output
package import RunModel

/// Members of the lines of a record.
///
/// Empty ones are omitted.
extension JSONText {
    /// Appends a member with a string unless it is `nil`.
    package mutating func member(_ name: StaticString, _ text: String?) {
        if let text { member(name, text) }
    }

    /// Appends a member with an integer unless it is `nil`.
    package mutating func member(_ name: StaticString, _ value: Int64?) {
        if let value { member(name, value) }
    }

    /// Appends a member with a number.
    package mutating func member(_ name: StaticString, _ number: JSONNumber) {
        key(name)
        self.number(number)
    }

    /// Appends a member with an array of strings unless it is empty.
    package mutating func member(_ name: StaticString, _ texts: [String]) {
        if texts.isEmpty { return }
        beginArray(name)
        for text in texts { string(text) }
        endArray()
    }

    /// Appends a member with a value.
    ///
    /// A value that is too long is replaced by the first bytes of its JSON text, as a string.
    ///
    /// - Returns: Whether the value was too long.
    package mutating func member(_ name: StaticString, _ value: JSONValue) -> Bool {
        key(name)
        if case .string(let text) = value {
            string(text)
            return false
        }
        let text = value.serializedBytes()
        guard text.count > JSONTextStyle.maximumRecordedTextLength else {
            raw(text)
            return false
        }
        string(String(decoding: text.prefix(JSONTextStyle.maximumRecordedTextLength), as: UTF8.self))
        return true
    }
}

extension JSONText {
    /// The maximum number of bytes of a body.
    package static let maximumBodySize = 262_144
    /// The maximum total number of bytes of the events of a stream.
    private static let maximumEventsSize = 262_144

    /// Appends an exchange.
    ///
    /// - Parameter sizes: The original sizes of bodies that were masked or truncated.
    package mutating func write(_ exchange: Exchange, sizes: BodySizes.Pair) {
        beginObject("exchange")
        member("start", exchange.start)
        let request = exchange.request
        if let trace = request.traceID { member("traceId", trace) }
        beginObject("request")
        member("method", request.method)
        member("url", request.url)
        write("headers", request.headers)
        if let size = request.streamedSize { member("streamedSize", size) }
        write(
            body: request.body, size: sizes.request, encodedSize: request.encodedSize, wasCut: sizes.isRequestCut)
        member("curlOptions", request.curlOptions)
        write(request.form)
        endObject()
        if let response = exchange.response {
            beginObject("response")
            member("status", response.status)
            if !response.reason.isEmpty { member("reason", response.reason) }
            member("version", response.version)
            write("headers", response.headers)
            write(
                body: response.body, size: sizes.response, encodedSize: response.encodedSize,
                wasCut: sizes.isResponseCut)
            endObject()
        }
        if let failure = exchange.failure {
            beginObject("failure")
            member("phase", failure.phase.rawValue)
            member("kind", failure.kind.rawValue)
            member("message", failure.message.text)
            endObject()
        }
        write(exchange.hops)
        write(exchange.timings)
        write(exchange.cookies)
        if let details = exchange.details { write(details) }
        endObject()
    }

    private mutating func write(_ form: [FormPart]) {
        if form.isEmpty { return }
        beginArray("form")
        for part in form {
            beginObject()
            member("name", part.name)
            switch part.content {
            case .text(let text): member("text", text)
            case .file(let path): member("file", path)
            }
            if let name = part.fileName { member("fileName", name) }
            if let type = part.contentType { member("contentType", type) }
            write("headers", part.headers)
            endObject()
        }
        endArray()
    }

    private mutating func write(_ hops: [Exchange.Hop]) {
        if hops.isEmpty { return }
        beginArray("hops")
        for hop in hops {
            beginObject()
            member("status", hop.status)
            member("url", hop.url)
            member("location", hop.location)
            endObject()
        }
        endArray()
    }

    private mutating func write(_ timings: Exchange.Timings) {
        beginObject("timings")
        member("dns", timings.dns)
        member("connect", timings.connect)
        member("tls", timings.tls)
        member("firstByte", timings.firstByte)
        member("transfer", timings.transfer)
        member("total", timings.total)
        endObject()
    }

    private mutating func write(_ cookies: [ReceivedCookie]) {
        if cookies.isEmpty { return }
        beginArray("cookies")
        for cookie in cookies {
            beginObject()
            member("name", cookie.name)
            member("value", cookie.value)
            member("field", cookie.field)
            endObject()
        }
        endArray()
    }

    private mutating func write(_ name: StaticString, _ fields: [HeaderField]) {
        if fields.isEmpty { return }
        beginArray(name)
        for field in fields {
            pair(field.name, field.value)
        }
        endArray()
    }

    // MARK: Bytes

    /// Appends a body unless it is empty.
    ///
    /// - Parameter wasCut: Whether the body was already truncated.
    private mutating func write(body: [UInt8], size: Int?, encodedSize: Int?, wasCut: Bool) {
        if body.isEmpty, size == nil { return }
        beginObject("body")
        member("size", size ?? body.count)
        if let encodedSize { member("encodedSize", encodedSize) }
        let isCut = wasCut || body.count > Self.maximumBodySize
        write(bytes: body.count > Self.maximumBodySize ? Array(body.prefix(Self.maximumBodySize)) : body, isPart: isCut)
        if isCut { member("isCut", true) }
        endObject()
    }

    /// Appends bytes as a string if they are UTF-8, and in Base64 otherwise.
    ///
    /// - Parameter isPart: Whether the bytes are truncated, so that they may end within a character.
    private mutating func write(bytes: [UInt8], isPart: Bool) {
        if let text = String(validating: bytes, as: UTF8.self) {
            whole("text", text)
            return
        }
        // A UTF-8 character has at most four bytes.
        for dropped in 1...3 where isPart && dropped < bytes.count {
            guard let text = String(validating: bytes.dropLast(dropped), as: UTF8.self) else { continue }
            whole("text", text)
            return
        }
        whole("base64", Base64.encode(bytes))
    }

    // MARK: Details of few exchanges

    private mutating func write(_ details: ExchangeDetails) {
        write("trailers", details.trailers)
        if let certificate = details.certificate {
            beginObject("certificate")
            member("subject", certificate.subject)
            member("issuer", certificate.issuer)
            member("names", certificate.names)
            member("notAfter", certificate.notAfter)
            endObject()
        }
        if let image = details.image {
            beginObject("image")
            member("format", image.format)
            if let width = image.width { member("width", width) }
            if let height = image.height { member("height", height) }
            endObject()
        }
        if !details.events.isEmpty { write(events: details.events, omitted: details.omittedEvents) }
        switch details.streamEnd {
        case nil: break
        case .closed: member("streamEnd", word: "closed")
        case .complete: member("streamEnd", word: "complete")
        case .timeout(let time):
            member("streamEnd", word: "timeout")
            member("streamTimeout", time)
        }
        if let webSocket = details.webSocket { write(webSocket) }
        if let command = details.command { write(command) }
    }

    private mutating func write(_ command: CommandExecution) {
        beginObject("command")
        member("arguments", command.arguments)
        if command.usesShell { member("usesShell", true) }
        switch command.ending {
        case .exit(let status): member("exit", status)
        case .signal(let signal): member("signal", signal)
        case nil: break
        }
        if command.errorSize > 0 {
            beginObject("stderr")
            member("size", command.errorSize)
            let isCut = command.isErrorCut || command.errors.count > Self.maximumBodySize
            write(bytes: Array(command.errors.prefix(Self.maximumBodySize)), isPart: isCut)
            if isCut { member("isCut", true) }
            endObject()
        }
        endObject()
    }

    private mutating func write(events: [JSONValue], omitted: Int) {
        beginArray("events")
        let start = bytes.count
        var count = 0
        for event in events {
            if bytes.count - start >= Self.maximumEventsSize { break }
            value(event)
            count += 1
        }
        endArray()
        if count < events.count || omitted > 0 { member("omittedEvents", events.count - count + omitted) }
    }

    private mutating func write(_ transcript: WebSocketTranscript) {
        beginObject("webSocket")
        if transcript.omitted > 0 { member("omitted", transcript.omitted) }
        beginArray("messages")
        for message in transcript.messages {
            beginObject()
            member("side", word: message.side == .client ? "client" : "server")
            switch message.kind {
            case .text: member("kind", word: "text")
            case .binary: member("kind", word: "binary")
            case .ping: member("kind", word: "ping")
            case .pong: member("kind", word: "pong")
            case .close(let code):
                member("kind", word: "close")
                member("code", Int64(code))
            }
            member("size", message.size)
            if !message.bytes.isEmpty { write(bytes: message.bytes, isPart: false) }
            if message.isCut { member("isCut", true) }
            endObject()
        }
        endArray()
        endObject()
    }
}

extension JSONText {
    /// The maximum number of characters of a suite line to keep after the start of the marked part.
    private static let reach = 1_100

    /// Appends the findings of a step or attempt.
    package mutating func write(_ findings: [Finding]) {
        beginArray("findings")
        for finding in findings {
            beginObject()
            member("kind", finding.kind.rawValue)
            member("subject", finding.subject.description)
            member("type", finding.type.rawValue)
            member("message", finding.message)
            var isCut = false
            if let expected = finding.expected { isCut = member("expected", expected) }
            if let actual = finding.actual { isCut = member("actual", actual) || isCut }
            if isCut { member("isCut", true) }
            if let range = finding.range { write(range) }
            member("details", finding.details.map(\.text))
            if finding.isKnown { member("isKnown", true) }
            endObject()
        }
        endArray()
    }

    /// Appends a range with the text of its first line.
    package mutating func write(_ range: SourceRange) {
        beginObject("range")
        member("file", range.file.name)
        position("start", range.start)
        position("end", range.end)
        if let bytes = range.file.byteRange(ofLine: Int(range.start.line)) {
            let far = SourcePosition(line: Int(range.start.line), column: Int(range.start.column) + Self.reach)
            let end = min(bytes.upperBound, max(bytes.lowerBound, range.file.byteOffset(of: far)))
            member("text", String(decoding: range.file.text[bytes.lowerBound..<end], as: UTF8.self))
        }
        endObject()
    }

    private mutating func position(_ name: StaticString, _ position: SourcePosition) {
        beginObject(name)
        member("line", Int64(position.line))
        member("column", Int64(position.column))
        endObject()
    }
}
