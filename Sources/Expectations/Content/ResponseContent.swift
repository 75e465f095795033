public import CEL
public import JSON
public import RunModel
import SuiteModel
public import XML

/// A response with what is derived from its bytes: text and JSON, each made at most once and only when it is asked for.
///
/// Make one for each exchange and use it for its checks, its captures and its scope. It belongs to one task.
public final class ResponseContent {
    /// What came of reading the body as JSON.
    private enum Parsing {
        case notTried
        case parsed(JSONValue)
        case failed(JSONParseError)
    }

    /// The exchange.
    public let exchange: Exchange
    /// The exchange's response, once for all that look at it.
    private let response: Exchange.Response?
    private var parsing = Parsing.notTried
    private var documents: [Markup: Result<XMLDocument, XMLError>] = [:]
    /// The members of the body, once it was read as JSON, that have the name of an earlier one of their object. The last
    /// one counts (RFC 8259, section 4, leaves it open).
    public private(set) var duplicateMembers: [JSONDuplicateMember] = []
    private var decodedText: String?
    private var readContentType: ContentType?
    private var madeHeaders: CELValue?

    /// Creates the content of an exchange's response; without a response, status 0 and an empty body.
    public init(_ exchange: Exchange) {
        self.exchange = exchange
        response = exchange.response
    }

    /// The status code; 0 without a response.
    public var status: Int { response?.status ?? 0 }

    /// The header fields, in order.
    public var headers: [HeaderField] { response?.headers ?? [] }

    /// The body's bytes, content encodings removed.
    public var bytes: [UInt8] { response?.body ?? [] }

    /// The number of the body's bytes, also of those that are not kept.
    var size: Int { exchange.details?.measuredBody?.size ?? bytes.count }

    /// The body's text, decoded by its charset (UTF-8 when none is given); invalid bytes become U+FFFD.
    public var text: String {
        if let decodedText { return decodedText }
        let text = TextDecoding.text(bytes, charset: contentType.charset)
        decodedText = text
        return text
    }

    /// The body's text, or nil when its bytes are none: invalid in UTF-8, or with control characters that no text has.
    var printableText: String? {
        guard TextDecoding.isUTF8(contentType.charset) else { return text }
        let isControl = { (byte: UInt8) in byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D }
        guard !bytes.contains(where: isControl), String(validating: bytes, as: UTF8.self) != nil else { return nil }
        return text
    }

    /// The charset that `Content-Type` names where it is not known and the body is not the same in all of them.
    var unknownCharset: String? {
        guard let charset = contentType.charset, !TextDecoding.isKnown(charset),
            bytes.contains(where: { $0 >= 0x80 || $0 == 0 || $0 == 0x1B })
        else { return nil }
        return charset
    }

    /// Whether `Content-Type` says that the body is JSON.
    public var isDeclaredJSON: Bool { contentType.isJSON }

    /// Whether `Content-Type` says that the body is XML.
    var isDeclaredXML: Bool { contentType.isXML }

    /// The body as JSON, whatever `Content-Type` says.
    ///
    /// - Throws: Why the body is not JSON.
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

    /// What is said where something is looked for in a body that is a text, although it could be read as JSON; nil in any
    /// other body.
    var undeclaredJSONNote: String? {
        guard !isDeclaredJSON, let first = bytes.first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "["), (try? json()) != nil
        else { return nil }
        let type = response?.header("content-type").map { "Content-Type is \($0)" } ?? "there is no Content-Type"
        return "body is a text, as \(type); json: and json.parse(text) read it as JSON"
    }

    /// The body as a document, whatever `Content-Type` says but for its charset.
    ///
    /// - Throws: Why there is none.
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

    /// How the body is marked up: as `Content-Type` says, or else as it begins.
    public var markup: Markup {
        if contentType.isHTML { return .html }
        if contentType.isXML { return .xml }
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let start = TextDecoding.withoutByteOrderMark(bytes).drop(while: isSpace).prefix(14)
        let text = String(decoding: start, as: UTF8.self).lowercased()
        return text.hasPrefix("<!doctype html") || text.hasPrefix("<html") ? .html : .xml
    }

    /// The body as expectations see it: the value of a body that is declared and is JSON, otherwise the text.
    public var value: JSONValue {
        if isDeclaredJSON, let value = try? json() { return value }
        return .string(text)
    }

    /// True once the body was read as JSON.
    var hasReadJSON: Bool { if case .notTried = parsing { false } else { true } }

    /// True once the body was decoded as text.
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

    private var contentType: ContentType {
        if let readContentType { return readContentType }
        let type = ContentType(response?.header("content-type") ?? "")
        readContentType = type
        return type
    }

    // MARK: Names in expressions

    /// The names that an exchange brings into scope.
    static let names = ["status", "headers", "body", "text", "cookies", "duration", "response"]

    /// The value of a name that an exchange brings into scope, or nil for any other name.
    ///
    /// `status`, `headers`, `body`, `text`, `cookies`, `duration` and `response`. Header names are in lower case; a
    /// header that was sent several times has its values joined by `, ` (RFC 9110, section 5.3).
    public func value(of name: String) -> CELValue? {
        switch name {
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

    /// The response as one map: what is in scope by its own name, and `url`, `reason`, `version` and `size`.
    ///
    /// It holds nothing of the exchange but these values, so it can outlive it.
    public var responseValue: CELValue {
        .map(CELMap(responseMembers))
    }

    /// The exchange as `steps.NAME` and `tests.ID` show it: the members of the response, `response` and `request`.
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
        [
            ("status", .int(Int64(status))), ("reason", .string(response?.reason ?? "")),
            ("version", .string(response?.version ?? "")), ("url", .string(exchange.request.url)),
            ("headers", headersValue), ("body", CELValue(value)), ("text", .string(text)), ("cookies", cookiesValue),
            ("duration", .duration(CELDuration(nanoseconds: exchange.timings.total))),
            ("size", .int(Int64(size))),
        ] + detailMembers
    }

    /// `trailers` of a response that has them, `events` of one that was read as a stream, and the `messages` that came over
    /// a WebSocket.
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
            if case .string(let earlier) = object[name] {
                object[name] = .string("\(earlier), \(field.value)")
            } else {
                object[name] = .string(field.value)
            }
        }
        return .map(CELMap(caseInsensitive: object))
    }
}

/// Decodes bytes of the charsets that APIs send; what is invalid becomes U+FFFD.
enum TextDecoding {
    /// The text of bytes.
    ///
    /// - Parameter charset: The charset's name in lower case; a name that is not known counts as UTF-8.
    static func text(_ bytes: [UInt8], charset: String?) -> String {
        switch charset {
        case "iso-8859-1", "latin1", "iso8859-1", "windows-1252", "cp1252":
            return decode(bytes) { $0 < 0x80 || $0 > 0x9F ? Unicode.Scalar($0) : windows1252($0) }
        case "us-ascii", "ascii":
            return decode(bytes) { $0 < 0x80 ? Unicode.Scalar($0) : "\u{FFFD}" }
        case "utf-16", "utf-16le", "utf-16be":
            return utf16(bytes, isBigEndian: charset != "utf-16le", honorsMark: charset == "utf-16")
        default:
            return String(decoding: withoutByteOrderMark(bytes), as: UTF8.self)
        }
    }

    /// Whether the charset is one that text is decoded by.
    static func isKnown(_ charset: String) -> Bool {
        switch charset {
        case "", "utf-8", "utf8", "us-ascii", "ascii": true
        default: !isUTF8(charset)
        }
    }

    /// Whether bytes of the charset are UTF-8, so that they can be parsed as they are.
    static func isUTF8(_ charset: String?) -> Bool {
        switch charset {
        case "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "latin1", "iso8859-1", "windows-1252", "cp1252": false
        default: true
        }
    }

    /// The bytes without a UTF-8 byte order mark.
    static func withoutByteOrderMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    }

    private static func decode(_ bytes: [UInt8], _ scalar: (UInt8) -> Unicode.Scalar) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(scalar(byte)) }
        return String(scalars)
    }

    /// The scalar of a byte from 0x80 to 0x9F; as on the web, ISO 8859-1 is taken as Windows-1252.
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
                // Half a code unit: an unpaired surrogate decodes to U+FFFD.
                units.append(0xD800)
                break
            }
            units.append(isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first))
        }
        return String(decoding: units, as: UTF16.self)
    }
}

/// A way in which a body can be a document.
public enum Markup: String, Sendable, Hashable {
    /// XML 1.0, which must be well-formed.
    case xml
    /// HTML, whose mistakes are mended.
    case html

    /// Its name for people.
    var name: String { rawValue.uppercased() }
}

/// The content of a message of a WebSocket.
enum MessageBody {
    /// The value of a message: of JSON in text the value, of other text the text, of bytes their base64.
    static func value(of bytes: [UInt8], isText: Bool) -> JSONValue {
        guard isText else { return .string(Base64.encode(bytes)) }
        return structured(bytes) ?? .string(String(decoding: bytes, as: UTF8.self))
    }

    /// The JSON object or array that bytes are; nil for anything else.
    static func structured(_ bytes: [UInt8]) -> JSONValue? {
        let first = bytes.first { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
        return try? JSONValue(parsing: bytes)
    }
}
