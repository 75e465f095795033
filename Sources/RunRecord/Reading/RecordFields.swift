import Basics
import JSON
import RunModel

/// Typed access to the members of an object in a record.
///
/// Unknown members are ignored.
struct RecordFields {
    private let object: JSONObject

    /// Creates access to a value, which must be an object.
    init(_ value: JSONValue, member: String? = nil) throws(RecordProblem) {
        guard case .object(let object) = value else { throw RecordProblem("expected an object", member: member) }
        self.object = object
    }

    /// The value of a member, or `nil` if it is absent or null.
    subscript(_ name: String) -> JSONValue? {
        guard let value = object[name] else { return nil }
        if case .null = value { return nil }
        return value
    }

    /// Returns the value of a member, which may be null, or `nil` if it is absent.
    func value(_ name: String) -> JSONValue? { object[name] }

    // MARK: Optional members

    func optionalString(_ name: String) throws(RecordProblem) -> String? {
        guard let value = self[name] else { return nil }
        guard case .string(let text) = value else { throw RecordProblem("\"\(name)\" is not a string", member: name) }
        return text
    }

    func optionalInteger(_ name: String) throws(RecordProblem) -> Int64? {
        guard let value = self[name] else { return nil }
        guard case .number(let number) = value, let integer = number.int64 else {
            throw RecordProblem("\"\(name)\" is not an integer", member: name)
        }
        return integer
    }

    /// Returns an integer between 0 and the maximum of `Int32`, or `nil` if it is absent.
    func optionalCount(_ name: String) throws(RecordProblem) -> Int? {
        self[name] == nil ? nil : try count(name)
    }

    /// Returns a time or duration in nanoseconds.
    ///
    /// A value of more than three years is rejected. No run takes that long, and sums of such values must not overflow.
    func optionalNanoseconds(_ name: String) throws(RecordProblem) -> Int64? {
        guard let time = try optionalInteger(name) else { return nil }
        guard time.magnitude <= 100_000_000_000_000_000 else {
            throw RecordProblem("\"\(name)\" is out of range: \(time) nanoseconds", member: name)
        }
        return time
    }

    /// Returns a Boolean, which is `false` if it is absent.
    func flag(_ name: String) throws(RecordProblem) -> Bool {
        guard let value = self[name] else { return false }
        guard case .bool(let flag) = value else { throw RecordProblem("\"\(name)\" is not a boolean", member: name) }
        return flag
    }

    func optionalObject(_ name: String) throws(RecordProblem) -> RecordFields? {
        guard let value = self[name] else { return nil }
        return try RecordFields(value, member: name)
    }

    /// Returns the elements of an array, which is empty if it is absent.
    func array(_ name: String) throws(RecordProblem) -> [JSONValue] {
        guard let value = self[name] else { return [] }
        guard case .array(let elements) = value else {
            throw RecordProblem("\"\(name)\" is not an array", member: name)
        }
        return elements
    }

    /// Returns the converted elements of an array of objects.
    func objects<Element>(
        _ name: String, _ make: (RecordFields) throws(RecordProblem) -> Element
    ) throws(RecordProblem) -> [Element] {
        var result: [Element] = []
        for element in try array(name) { result.append(try make(try RecordFields(element, member: name))) }
        return result
    }

    /// Returns the elements of an array of strings.
    func strings(_ name: String) throws(RecordProblem) -> [String] {
        var result: [String] = []
        for element in try array(name) {
            guard case .string(let text) = element else {
                throw RecordProblem("\"\(name)\" contains a value that is not a string", member: name)
            }
            result.append(text)
        }
        return result
    }

    // MARK: Required members

    func string(_ name: String) throws(RecordProblem) -> String { try required(optionalString(name), name) }

    func integer(_ name: String) throws(RecordProblem) -> Int64 { try required(optionalInteger(name), name) }

    /// Returns an integer between 0 and the maximum of `Int32`.
    ///
    /// Any other value is an error.
    func count(_ name: String) throws(RecordProblem) -> Int {
        let value = try integer(name)
        guard value >= 0, value <= Int64(Int32.max) else {
            throw RecordProblem("\"\(name)\" is out of range: \(value)", member: name)
        }
        return Int(value)
    }

    /// Returns a time or duration in nanoseconds.
    func nanoseconds(_ name: String) throws(RecordProblem) -> Int64 {
        try required(optionalNanoseconds(name), name)
    }

    /// Returns a time in seconds since 1970-01-01T00:00:00Z.
    func time(_ name: String) throws(RecordProblem) -> Double {
        guard case .number(let time)? = self[name], (0..<1e11).contains(time.double) else {
            throw RecordProblem("\"\(name)\" is not a valid time", member: name)
        }
        return time.double
    }

    func object(_ name: String) throws(RecordProblem) -> RecordFields { try required(optionalObject(name), name) }

    private func required<Value>(_ value: Value?, _ name: String) throws(RecordProblem) -> Value {
        guard let value else { throw RecordProblem("missing member \"\(name)\"") }
        return value
    }
}

extension RecordFields {
    /// Decodes an exchange.
    ///
    /// - Parameter sizes: On return, the original sizes of bodies that were masked or truncated.
    package func exchange(sizes: inout BodySizes.Pair) throws(RecordProblem) -> Exchange {
        let request = try object("request")
        let requestBody = try request.body()
        sizes.request = requestBody.size
        sizes.isRequestCut = requestBody.isCut
        var exchange = Exchange(
            request: Exchange.Request(
                method: try request.string("method"), url: try request.string("url"),
                headers: try request.headers("headers"), body: requestBody.bytes,
                streamedSize: request["streamedSize"] == nil ? nil : try request.size("streamedSize")),
            timings: try timings())
        exchange.request.encodedSize = requestBody.encodedSize
        exchange.request.curlOptions = try request.strings("curlOptions")
        exchange.request.form = try request.objects("form") { fields throws(RecordProblem) in
            let content: FormPart.Content
            if let file = try fields.optionalString("file") {
                content = .file(file)
            } else {
                content = .text(try fields.string("text"))
            }
            return FormPart(
                name: try fields.string("name"), content: content,
                fileName: try fields.optionalString("fileName"), contentType: try fields.optionalString("contentType"),
                headers: try fields.headers("headers"))
        }
        exchange.start = try nanoseconds("start")
        if let response = try optionalObject("response") {
            let body = try response.body()
            sizes.response = body.size
            sizes.isResponseCut = body.isCut
            exchange.response = Exchange.Response(
                status: try response.count("status"), reason: try response.optionalString("reason") ?? "",
                version: try response.string("version"), headers: try response.headers("headers"), body: body.bytes)
            exchange.response?.encodedSize = body.encodedSize
        }
        if let failure = try optionalObject("failure") {
            exchange.failure = Exchange.Failure(
                phase: .init(rawValue: try failure.string("phase")), kind: .init(rawValue: try failure.string("kind")),
                message: MessageText(try failure.string("message")))
        }
        exchange.hops = try objects("hops") { fields throws(RecordProblem) in
            Exchange.Hop(
                status: try fields.count("status"), url: try fields.string("url"),
                location: try fields.string("location"))
        }
        exchange.cookies = try objects("cookies") { fields throws(RecordProblem) in
            ReceivedCookie(
                name: try fields.string("name"), value: try fields.string("value"), field: try fields.string("field"))
        }
        let details = try details()
        if !details.isEmpty { exchange.details = details }
        return exchange
    }

    private func headers(_ name: String) throws(RecordProblem) -> [HeaderField] {
        try objects(name) { fields throws(RecordProblem) in
            HeaderField(name: try fields.string("name"), value: try fields.string("value"))
        }
    }

    private func timings() throws(RecordProblem) -> Exchange.Timings {
        let fields = try object("timings")
        return Exchange.Timings(
            dns: try fields.optionalNanoseconds("dns"), connect: try fields.optionalNanoseconds("connect"),
            tls: try fields.optionalNanoseconds("tls"), firstByte: try fields.optionalNanoseconds("firstByte"),
            transfer: try fields.optionalNanoseconds("transfer"), total: try fields.nanoseconds("total"))
    }

    /// Returns a number of bytes.
    private func size(_ name: String) throws(RecordProblem) -> Int {
        let size = try integer(name)
        guard size >= 0, size <= 1 << 50 else {
            throw RecordProblem("\"\(name)\" is out of range: \(size)", member: name)
        }
        return Int(size)
    }

    /// A body in a record.
    private struct Body {
        var bytes: [UInt8] = []
        /// The size of the complete body if the bytes differ from it.
        var size: Int?
        /// The size of the encoded body if it had a content coding.
        var encodedSize: Int?
        /// Whether the body was truncated.
        var isCut = false
    }

    private func body() throws(RecordProblem) -> Body {
        guard let fields = try optionalObject("body") else { return Body() }
        let bytes = try fields.bytes()
        let size = try fields.size("size")
        return Body(
            bytes: bytes, size: size == bytes.count ? nil : size,
            encodedSize: fields["encodedSize"] == nil ? nil : try fields.size("encodedSize"),
            isCut: try fields.flag("isCut"))
    }

    private func bytes() throws(RecordProblem) -> [UInt8] {
        if let text = try optionalString("text") { return Array(text.utf8) }
        guard let text = try optionalString("base64") else { return [] }
        guard let bytes = Base64.decode(text.utf8, allowing: [.whitespace, .withoutPadding]) else {
            throw RecordProblem("\"base64\" is not valid Base64", member: "base64")
        }
        return bytes
    }

    // MARK: Details of few exchanges

    private func details() throws(RecordProblem) -> ExchangeDetails {
        var details = ExchangeDetails()
        details.trailers = try headers("trailers")
        if let certificate = try optionalObject("certificate") {
            details.certificate = CertificateInfo(
                subject: try certificate.string("subject"), issuer: try certificate.string("issuer"),
                names: try certificate.strings("names"),
                notAfter: max(-(1 << 40), min(try certificate.integer("notAfter"), 1 << 40)))
        }
        if let image = try optionalObject("image") {
            details.image = ImageMetadata(
                format: try image.string("format"), width: image["width"] == nil ? nil : try image.count("width"),
                height: image["height"] == nil ? nil : try image.count("height"))
        }
        details.events = try array("events")
        details.omittedEvents = self["omittedEvents"] == nil ? 0 : try count("omittedEvents")
        switch try optionalString("streamEnd") {
        case "closed": details.streamEnd = .closed
        case "complete": details.streamEnd = .complete
        case "timeout": details.streamEnd = .timeout(try nanoseconds("streamTimeout"))
        default: break
        }
        if let webSocket = try optionalObject("webSocket") { details.webSocket = try webSocket.transcript() }
        if let command = try optionalObject("command") { details.command = try command.command() }
        return details
    }

    private func command() throws(RecordProblem) -> CommandExecution {
        var command = CommandExecution(arguments: try strings("arguments"), usesShell: try flag("usesShell"))
        if self["exit"] != nil { command.ending = .exit(try count("exit")) }
        if self["signal"] != nil { command.ending = .signal(try count("signal")) }
        guard let errors = try optionalObject("stderr") else { return command }
        command.errors = try errors.bytes()
        command.errorSize = try errors.size("size")
        command.isErrorCut = try errors.flag("isCut")
        return command
    }

    private func transcript() throws(RecordProblem) -> WebSocketTranscript {
        let messages = try objects("messages") { fields throws(RecordProblem) in try fields.message() }
        return WebSocketTranscript(messages: messages, omitted: self["omitted"] == nil ? 0 : try count("omitted"))
    }

    private func message() throws(RecordProblem) -> WebSocketTranscript.Message {
        let kind: WebSocketTranscript.Kind
        switch try string("kind") {
        case "text": kind = .text
        case "ping": kind = .ping
        case "pong": kind = .pong
        case "close": kind = .close(code: UInt16(clamping: try integer("code")))
        default: kind = .binary
        }
        return WebSocketTranscript.Message(
            try string("side") == "client" ? .client : .server, kind, firstBytes: try bytes(),
            size: try size("size"), isCut: try flag("isCut"))
    }
}
