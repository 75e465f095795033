public import CEL
public import JSON
public import RunModel
public import SuiteModel

/// A response as it is stored in a file beside the suite: what is compared of it, and nothing that is not.
public struct Snapshot: Sendable, Hashable {
    /// What is kept of a body.
    public enum Content: Sendable, Hashable {
        /// Nothing: the body is empty, or left out.
        case none
        /// A value of JSON.
        case json(JSONValue)
        /// The events of a stream, in order.
        case events([JSONValue])
        /// A text, its lines ended by line feeds, without the last line feed.
        case text(String)
        /// Bytes that are no text, of which the size and the SHA-256 digest in hexadecimal digits are kept.
        case binary(size: Int, sha256: String)
    }

    /// The endings of the files, of which a snapshot has one, as its content is JSON or not.
    public static let fileExtensions = ["snap.json", "snap.txt"]

    /// The status code.
    public var status: Int
    /// `Content-Type` as it was sent.
    public var contentType: String?
    /// What is kept of the body.
    public var content: Content

    /// Creates a snapshot.
    public init(status: Int, contentType: String?, content: Content) {
        self.status = status
        self.contentType = contentType
        self.content = content
    }

    /// The ending of the snapshot's file, without the full stop before it.
    public var fileExtension: String {
        switch content {
        case .json, .events: Self.fileExtensions[0]
        case .none, .text, .binary: Self.fileExtensions[1]
        }
    }
}

extension Snapshot {
    /// The text of the snapshot's file.
    ///
    /// What is JSON is a JSON object with the members `status`, `contentType` and `body`, or `events`. Anything else is a
    /// head of lines such as `status: 200`, and after an empty line the text.
    public func serialized() -> [UInt8] {
        var output: [UInt8] = []
        switch content {
        case .json(let body): write([("body", body)], into: &output)
        case .events(let events): write([("events", .array(events))], into: &output)
        case .none: writeHead(into: &output)
        case .text(let text):
            writeHead(into: &output)
            output.append(0x0A)
            output += text.utf8
            output.append(0x0A)
        case .binary(let size, let digest):
            writeHead(into: &output)
            output += "size: \(size)\nsha256: \(digest)\n".utf8
        }
        return output
    }

    private func write(_ members: [(String, JSONValue)], into output: inout [UInt8]) {
        var object = JSONObject()
        object.append("status", .number(JSONNumber(status)))
        if let contentType { object.append("contentType", .string(contentType)) }
        for member in members { object.append(member.0, member.1) }
        JSONWriter(.pretty).write(.object(object), into: &output)
        output.append(0x0A)
    }

    private func writeHead(into output: inout [UInt8]) {
        output += "status: \(status)\n".utf8
        if let contentType { output += "contentType: \(contentType)\n".utf8 }
    }

    /// Reads the text of a snapshot's file.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - fileExtension: The ending of the file, one of ``fileExtensions``.
    /// - Throws: Why it is none.
    public init(parsing bytes: [UInt8], fileExtension: String) throws(SnapshotFormatError) {
        self.init(status: 0, contentType: nil, content: .none)
        if fileExtension == Self.fileExtensions[0] {
            try read(json: bytes)
        } else {
            try read(text: bytes)
        }
    }

    private mutating func read(json bytes: [UInt8]) throws(SnapshotFormatError) {
        let root: JSONValue
        do {
            root = try JSONValue(parsing: bytes)
        } catch {
            throw SnapshotFormatError("it is not JSON: \(error.message)", line: error.line)
        }
        guard case .object(let members) = root else { throw SnapshotFormatError("it is no object") }
        var hasStatus = false
        for (name, value) in members {
            switch (name, value) {
            case ("status", .number(let number)):
                guard let code = number.int64.flatMap({ Int(exactly: $0) }) else {
                    throw SnapshotFormatError("the status is no integer")
                }
                status = code
                hasStatus = true
            case ("contentType", .string(let text)): contentType = text
            case ("body", _): content = .json(value)
            case ("events", .array(let events)): content = .events(events)
            default: throw SnapshotFormatError("nothing is known of its member \(ValueDescription.quoted(name))")
            }
        }
        guard hasStatus, content != .none else { throw SnapshotFormatError("it has no \"status\" or no \"body\"") }
    }

    private mutating func read(text bytes: [UInt8]) throws(SnapshotFormatError) {
        let text = Self.withSimpleLineEnds(String(decoding: bytes, as: UTF8.self))
        var rest = text.utf8[...]
        var line = 0
        var size: Int?
        var digest: String?
        var hasStatus = false
        while let end = rest.firstIndex(of: 0x0A) {
            line += 1
            let field = rest[..<end]
            rest = rest[rest.index(after: end)...]
            if field.isEmpty {
                content = .text(Self.withoutLastLineEnd(String(rest) ?? ""))
                break
            }
            guard let colon = field.firstIndex(of: UInt8(ascii: ":")) else {
                throw SnapshotFormatError("a line such as \"status: 200\" is expected", line: line)
            }
            let name = String(field[..<colon]) ?? ""
            let value = String(field[field.index(after: colon)...].drop { $0 == 0x20 }) ?? ""
            switch name {
            case "status":
                guard let code = Int(value) else { throw SnapshotFormatError("the status is no integer", line: line) }
                status = code
                hasStatus = true
            case "contentType": contentType = value
            case "size": size = Int(value)
            case "sha256": digest = value
            default:
                throw SnapshotFormatError("nothing is known of \(ValueDescription.quoted(name))", line: line)
            }
        }
        guard hasStatus else { throw SnapshotFormatError("it has no line \"status: …\"") }
        if case .none = content, let size, let digest { content = .binary(size: size, sha256: digest) }
    }

    /// A text with its lines ended by line feeds, as version control may have ended them otherwise.
    static func withSimpleLineEnds(_ text: String) -> String {
        guard text.utf8.contains(0x0D) else { return text }
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte == 0x0A, output.last == 0x0D { output.removeLast() }
            output.append(byte)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// A text without one line feed at its end, which editors add and remove.
    static func withoutLastLineEnd(_ text: String) -> String {
        text.utf8.last == 0x0A ? String(decoding: text.utf8.dropLast(), as: UTF8.self) : text
    }
}

/// Why a file holds no snapshot.
public struct SnapshotFormatError: Error, Sendable, Hashable {
    /// What is wrong, as a sentence without a final full stop.
    public let message: String
    /// The line, from 1.
    public let line: Int

    init(_ message: String, line: Int = 1) {
        self.message = message
        self.line = line
    }
}

extension ExpectationChecker {
    /// Makes the snapshot of a response.
    ///
    /// - Parameters:
    ///   - content: The exchange with what was already derived from its body.
    ///   - scope: The variables of the suite, which matchers of redacted parts may use.
    ///   - baseURL: The suite's base URL, for which a placeholder stands.
    ///   - mask: What masks secrets; nil when there are none.
    /// - Returns: The snapshot, and what does not hold of the redacted parts.
    public func snapshot(
        _ expectation: SnapshotExpectation, content: ResponseContent, scope: any CELScope, context: CELContext,
        baseURL: String?, mask: SnapshotMask?
    ) -> (snapshot: Snapshot, findings: [Finding]) {
        let evaluator = MatcherEvaluator(
            scope: ExchangeScope(content, parent: scope, precedence: .parent), context: context)
        var renderer = SnapshotRenderer(
            expectation, content: content, evaluator: evaluator, baseURL: baseURL, mask: mask)
        return renderer.render()
    }
}
