import Basics
public import CEL
public import JSON
public import RunModel
import SuiteModel
public import XML

/// A response with its derived representations, such as text and JSON, which are created lazily and cached.
///
/// Create one instance per exchange and use it for all checks, captures and scopes. It must not be shared between
/// tasks.
public final class ResponseContent {
    /// The result of parsing the body as JSON.
    private enum Parsing {
        case notTried
        case parsed(JSONValue)
        case failed(JSONParseError)
    }

    /// The exchange.
    public let exchange: Exchange
    /// The exchange's response, extracted only once.
    private let response: Exchange.Response?
    /// The program that ran instead of a request, if any.
    private let command: CommandExecution?
    private var parsing = Parsing.notTried
    private var documents: [Markup: Result<XMLDocument, XMLError>] = [:]
    /// The duplicate members of the body, available after it was parsed as JSON.
    ///
    /// The last member with a name applies, which RFC 8259, section 4, leaves undefined.
    public private(set) var duplicateMembers: [JSONDuplicateMember] = []
    private var decodedText: String?
    private var readContentType: ContentType?
    private var madeHeaders: CELValue?

    /// Creates the content of an exchange's response. Without a response, the status is 0 and the body is empty.
    public init(_ exchange: Exchange) {
        self.exchange = exchange
        response = exchange.response
        command = exchange.details?.command
    }

    /// Whether the content is the output of a command.
    var isOfCommand: Bool { command != nil }

    /// The name of the content in messages.
    var noun: String { isOfCommand ? "output" : "body" }

    /// The status code or the exit status of a command; 0 without a response.
    public var status: Int { response?.status ?? 0 }

    /// The header fields, in order.
    public var headers: [HeaderField] { response?.headers ?? [] }

    /// The bytes of the body, without content codings.
    public var bytes: [UInt8] { response?.body ?? [] }

    /// The size of the body in bytes, including bytes that are not kept.
    var size: Int { exchange.details?.measuredBody?.size ?? bytes.count }

    /// The text of the body, decoded by its charset (default: UTF-8). Invalid bytes become U+FFFD.
    public var text: String {
        if let decodedText { return decodedText }
        var text = TextDecoding.text(bytes, charset: contentType.charset)
        if command != nil { text = CommandExecution.trimmed(text) }
        decodedText = text
        return text
    }

    /// The text of the body, or nil if the bytes are invalid UTF-8 or contain unexpected control characters.
    var printableText: String? {
        guard TextDecoding.isUTF8(contentType.charset) else { return text }
        let isControl = { (byte: UInt8) in byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D }
        guard !bytes.contains(where: isControl), String(validating: bytes, as: UTF8.self) != nil else { return nil }
        return text
    }

    /// The charset in `Content-Type`, if it is unknown and the body depends on the charset.
    var unknownCharset: String? {
        guard let charset = contentType.charset, !TextDecoding.isKnown(charset),
            bytes.contains(where: { $0 >= 0x80 || $0 == 0 || $0 == 0x1B })
        else { return nil }
        return charset
    }

    /// Whether `Content-Type` declares the body as JSON.
    public var isDeclaredJSON: Bool { contentType.isJSON }

    /// Whether `Content-Type` declares the body as XML.
    var isDeclaredXML: Bool { contentType.isXML }

    /// Returns the body as JSON, regardless of `Content-Type`.
    ///
    /// - Throws: ``JSONParseError`` if the body is not JSON.
    public func json() throws(JSONParseError) -> JSONValue {
        switch parsing {
        case .parsed(let value): return value
        case .failed(let error): throw error
        case .notTried: break
        }
        do {
            let value = try parse()
            parsing = .parsed(value)
            return value
        } catch {
            parsing = .failed(error)
            throw error
        }
    }

    /// A note for a search in a text body that could have been parsed as JSON; nil for any other body.
    var undeclaredJSONNote: MessageText? {
        guard !isDeclaredJSON, command == nil, let first = bytes.first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "["), (try? json()) != nil
        else { return nil }
        let type: MessageText =
            response?.header("content-type").map { "Content-Type is \($0)" } ?? "there is no Content-Type"
        return "body is a string because \(type); json: and json.parse(text) parse it as JSON"
    }

    /// Returns the body as a document, regardless of `Content-Type` except for its charset.
    ///
    /// - Throws: ``XMLError`` if the body cannot be parsed.
    public func document(_ markup: Markup) throws(XMLError) -> XMLDocument {
        if let known = documents[markup] { return try known.get() }
        let result: Result<XMLDocument, XMLError>
        do {
            let charset = contentType.charset
            switch markup {
            case .xml: result = .success(try XMLDocument.parse(bytes, encoding: charset))
            case .html: result = .success(try XMLDocument.parseHTML(bytes, encoding: charset))
            }
        } catch {
            result = .failure(error)
        }
        documents[markup] = result
        return try result.get()
    }

    /// The markup language of the body, from `Content-Type` or otherwise from its first bytes.
    public var markup: Markup {
        if contentType.isHTML { return .html }
        if contentType.isXML { return .xml }
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let start = TextDecoding.withoutByteOrderMark(bytes).drop(while: isSpace).prefix(14)
        let text = String(decoding: start, as: UTF8.self).lowercased()
        return text.hasPrefix("<!doctype html") || text.hasPrefix("<html") ? .html : .xml
    }

    /// The body as a value for expectations: JSON if it is declared and valid, otherwise the text.
    public var value: JSONValue {
        if isDeclaredJSON, let value = try? json() { return value }
        // A program does not declare the type of its output.
        if command != nil, let value = MessageBody.structured(bytes) { return value }
        return .string(text)
    }

    /// Whether the body was parsed as JSON.
    var hasReadJSON: Bool { if case .notTried = parsing { false } else { true } }

    /// Whether the body was decoded as text.
    var hasReadText: Bool { decodedText != nil }

    private func parse() throws(JSONParseError) -> JSONValue {
        let charset = contentType.charset
        guard TextDecoding.isUTF8(charset) else {
            return try JSONParser().parse(Array(text.utf8), duplicates: &duplicateMembers)
        }
        let bytes = bytes
        let body = TextDecoding.withoutByteOrderMark(bytes)
        return try JSONParser().parse(
            body.count == bytes.count ? bytes : Array(body), duplicates: &duplicateMembers)
    }

    var contentType: ContentType {
        if let readContentType { return readContentType }
        let type = ContentType(response?.header("content-type") ?? "")
        readContentType = type
        return type
    }

    // MARK: Names in expressions

    /// The names that an exchange adds to a scope.
    static let names = ["status", "headers", "body", "text", "cookies", "duration", "response"]

    /// Returns the value of a name that an exchange adds to a scope, or nil for any other name.
    ///
    /// The names are `status`, `headers`, `body`, `text`, `cookies`, `duration` and `response`. Header names are
    /// lowercase. The values of a repeated header are joined with `, ` (RFC 9110, section 5.3).
    public func value(of name: String) -> CELValue? {
        if let command { return value(of: name, after: command) }
        return switch name {
        case "status": .int(Int64(status))
        case "headers": headersValue
        case "body": CELValue(value)
        case "text": .string(text)
        case "cookies": cookiesValue
        case "duration": .duration(CELDuration(nanoseconds: exchange.timings.total))
        case "response": responseValue
        default: nil
        }
    }

    /// The names that a command adds to a scope.
    private static let commandNames = ["exit", "text", "body", "stderr", "duration"]

    /// The standard error of a command, without trailing line breaks.
    var errorText: String {
        CommandExecution.trimmed(String(decoding: command?.errors ?? [], as: UTF8.self))
    }

    private func value(of name: String, after command: CommandExecution) -> CELValue? {
        switch name {
        case "exit": .int(Int64(status))
        case "body": CELValue(value)
        case "text": .string(text)
        case "stderr": .string(errorText)
        case "duration": .duration(CELDuration(nanoseconds: exchange.timings.total))
        default: nil
        }
    }

    /// The response as a map with the names in scope and `url`, `reason`, `version` and `size`.
    ///
    /// It does not retain the exchange, so it can outlive it.
    public var responseValue: CELValue {
        .map(CELMap(responseMembers))
    }

    /// The exchange in the form of `steps.NAME` and `tests.ID`: the members of the response, `response` and `request`.
    public var exchangeValue: CELValue {
        let members = responseMembers
        let request = exchange.request
        let requestValue = CELMap([
            ("method", .string(request.method)), ("url", .string(request.url)),
            ("headers", headerMap(request.headers)), ("body", .string(String(decoding: request.body, as: UTF8.self))),
        ])
        return .map(CELMap(members + [("response", .map(CELMap(members))), ("request", .map(requestValue))]))
    }

    private var responseMembers: [(String, CELValue)] {
        if let command {
            return Self.commandNames.compactMap { name in value(of: name, after: command).map { (name, $0) } }
        }
        return [
            ("status", .int(Int64(status))), ("reason", .string(response?.reason ?? "")),
            ("version", .string(response?.version ?? "")), ("url", .string(exchange.request.url)),
            ("headers", headersValue), ("body", CELValue(value)), ("text", .string(text)), ("cookies", cookiesValue),
            ("duration", .duration(CELDuration(nanoseconds: exchange.timings.total))),
            ("size", .int(Int64(size))),
        ] + detailMembers
    }

    /// The optional members: `trailers`, `events` of a stream, and `messages` received over a WebSocket.
    private var detailMembers: [(String, CELValue)] {
        guard let details = exchange.details else { return [] }
        var members: [(String, CELValue)] = []
        if !details.trailers.isEmpty { members.append(("trailers", headerMap(details.trailers))) }
        if let webSocket = details.webSocket {
            let messages = webSocket.messages.filter { $0.side == .server && ($0.kind == .text || $0.kind == .binary) }
            let values = messages.map { MessageBody.value(of: $0.bytes, isText: $0.kind == .text) }
            members.append(("messages", CELValue(.array(values))))
        }
        if details.streamEnd != nil { members.append(("events", CELValue(.array(details.events)))) }
        return members
    }

    private var headersValue: CELValue {
        if let madeHeaders { return madeHeaders }
        let value = headerMap(headers)
        madeHeaders = value
        return value
    }

    private var cookiesValue: CELValue {
        var object = JSONObject()
        for cookie in exchange.cookies { object[cookie.name] = .string(cookie.value) }
        return .map(CELMap(object))
    }

    private func headerMap(_ fields: [HeaderField]) -> CELValue {
        var object = JSONObject()
        for field in fields {
            let name = field.name.lowercased()
            if case .string(let previous) = object[name] {
                object[name] = .string("\(previous), \(field.value)")
            } else {
                object[name] = .string(field.value)
            }
        }
        return .map(CELMap(caseInsensitive: object))
    }
}

/// A decoder for the charsets that APIs commonly use. Invalid bytes become U+FFFD.
enum TextDecoding {
    /// Returns the text of bytes.
    ///
    /// - Parameter charset: The lowercase name of the charset. An unknown name is treated as UTF-8.
    static func text(_ bytes: [UInt8], charset: String?) -> String {
        switch charset {
        case "iso-8859-1", "latin1", "iso8859-1", "windows-1252", "cp1252":
            return decode(bytes) { $0 < 0x80 || $0 > 0x9F ? Unicode.Scalar($0) : windows1252($0) }
        case "us-ascii", "ascii":
            return decode(bytes) { $0 < 0x80 ? Unicode.Scalar($0) : "\u{FFFD}" }
        case "utf-16", "utf-16le", "utf-16be":
            return utf16(bytes, isBigEndian: charset != "utf-16le", honorsMark: charset == "utf-16")
        default:
            return charset.flatMap(SystemCharset.init(label:))?.decodeRepairing(bytes)
                ?? String(decoding: withoutByteOrderMark(bytes), as: UTF8.self)
        }
    }

    /// Returns whether the charset is supported.
    static func isKnown(_ charset: String) -> Bool {
        switch charset {
        case "", "utf-8", "utf8", "us-ascii", "ascii": true
        default: !isUTF8(charset)
        }
    }

    /// Returns whether bytes in the charset are UTF-8 and can be parsed without conversion.
    static func isUTF8(_ charset: String?) -> Bool {
        switch charset {
        case nil, "utf-8": true
        case "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "latin1", "iso8859-1", "windows-1252", "cp1252": false
        default: charset.flatMap(SystemCharset.init(label:))?.isAvailable != true
        }
    }

    /// Returns the bytes without a UTF-8 byte order mark.
    static func withoutByteOrderMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    }

    private static func decode(_ bytes: [UInt8], _ scalar: (UInt8) -> Unicode.Scalar) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(scalar(byte)) }
        return String(scalars)
    }

    /// Returns the scalar for a byte in 0x80...0x9F. As on the web, ISO 8859-1 is treated as Windows-1252.
    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        windows1252Table[Int(byte & 0x1F)]
    }

    private static let windows1252Table: [Unicode.Scalar] = [
        "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
        "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
    ]

    private static func utf16(_ bytes: [UInt8], isBigEndian: Bool, honorsMark: Bool) -> String {
        var isBigEndian = isBigEndian
        var bytes = bytes[...]
        if bytes.starts(with: [0xFE, 0xFF]), honorsMark || isBigEndian {
            isBigEndian = true
            bytes = bytes.dropFirst(2)
        } else if bytes.starts(with: [0xFF, 0xFE]), honorsMark || !isBigEndian {
            isBigEndian = false
            bytes = bytes.dropFirst(2)
        }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2 + 1)
        var iterator = bytes.makeIterator()
        while let first = iterator.next() {
            guard let second = iterator.next() else {
                // An incomplete code unit is replaced by an unpaired surrogate, which decodes to U+FFFD.
                units.append(0xD800)
                break
            }
            units.append(isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first))
        }
        return String(decoding: units, as: UTF16.self)
    }
}

/// The markup language of a document.
public enum Markup: String, Sendable, Hashable {
    /// XML 1.0, which must be well-formed.
    case xml
    /// HTML, with error correction.
    case html

    /// The name for display.
    var name: String { rawValue.uppercased() }
}

/// The content of a WebSocket message.
enum MessageBody {
    /// Returns the value of a message: a JSON object or array, other text as a string, or bytes as base64.
    static func value(of bytes: [UInt8], isText: Bool) -> JSONValue {
        guard isText else { return .string(Base64.encode(bytes)) }
        return structured(bytes) ?? .string(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the JSON object or array in the given bytes; nil for anything else.
    static func structured(_ bytes: [UInt8]) -> JSONValue? {
        let first = bytes.first { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
        return try? JSONValue(parsing: bytes)
    }
}
