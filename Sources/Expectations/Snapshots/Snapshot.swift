public import Basics
public import CEL
public import JSON
public import RunModel
public import SuiteModel

/// The compared parts of a response, which are stored in a file next to the suite.
public struct Snapshot: Sendable, Hashable {
    /// The stored content of a body.
    public enum Content: Sendable, Hashable {
        /// No content, because the body is empty or omitted.
        case none
        /// A JSON value.
        case json(JSONValue)
        /// The events of a stream, in order.
        case events([JSONValue])
        /// Text with LF line endings, without the last one.
        case text(String)
        /// Binary data, stored as its size and its SHA-256 digest in hexadecimal.
        case binary(size: Int, sha256: String)
    }

    /// The file name extensions: the first for JSON content, the second for other content.
    public static let fileExtensions = ["snap.json", "snap.txt"]

    /// The status code.
    public var status: Int
    /// `Content-Type` as sent.
    public var contentType: String?
    /// The stored content of the body.
    public var content: Content

    /// Creates a snapshot.
    public init(status: Int, contentType: String?, content: Content) {
        self.status = status
        self.contentType = contentType
        self.content = content
    }

    /// The file name extension of the snapshot, without the leading period.
    public var fileExtension: String {
        switch content {
        case .json, .events: Self.fileExtensions[0]
        case .none, .text, .binary: Self.fileExtensions[1]
        }
    }
}

extension Snapshot {
    /// Returns the contents of the snapshot's file.
    ///
    /// JSON content is a JSON object with the members `status`, `contentType` and `body` or `events`. Other content is
    /// a header with lines such as `status: 200`, an empty line, and the text.
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

    /// Parses the contents of a snapshot file.
    ///
    /// - Parameters:
    ///   - bytes: The contents.
    ///   - fileExtension: The extension of the file, one of ``fileExtensions``.
    /// - Throws: ``SnapshotFormatError`` if the file is not a valid snapshot.
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
            throw SnapshotFormatError("it is not JSON: \(error.wording)", line: error.line)
        }
        guard case .object(let members) = root else { throw SnapshotFormatError("it is not an object") }
        var hasStatus = false
        for (name, value) in members {
            switch (name, value) {
            case ("status", .number(let number)):
                guard let code = number.int64.flatMap({ Int(exactly: $0) }) else {
                    throw SnapshotFormatError("the status is not an integer")
                }
                status = code
                hasStatus = true
            case ("contentType", .string(let text)): contentType = text
            case ("body", _): content = .json(value)
            case ("events", .array(let events)): content = .events(events)
            default: throw SnapshotFormatError("unknown member \(ValueDescription.quoted(name))")
            }
        }
        guard hasStatus, content != .none else { throw SnapshotFormatError("missing \"status\" or \"body\"") }
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
                throw SnapshotFormatError("expected a line such as \"status: 200\"", line: line)
            }
            let name = String(field[..<colon]) ?? ""
            let value = String(field[field.index(after: colon)...].drop { $0 == 0x20 }) ?? ""
            switch name {
            case "status":
                guard let code = Int(value) else {
                    throw SnapshotFormatError("the status is not an integer", line: line)
                }
                status = code
                hasStatus = true
            case "contentType": contentType = value
            case "size": size = Int(value)
            case "sha256": digest = value
            default:
                throw SnapshotFormatError("unknown key \(ValueDescription.quoted(name))", line: line)
            }
        }
        guard hasStatus else { throw SnapshotFormatError("missing line \"status: …\"") }
        if case .none = content, let size, let digest { content = .binary(size: size, sha256: digest) }
    }

    /// Returns a text with LF line endings, which version control may have converted.
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

    /// Returns a text without one LF at its end, which editors add and remove.
    static func withoutLastLineEnd(_ text: String) -> String {
        text.utf8.last == 0x0A ? String(decoding: text.utf8.dropLast(), as: UTF8.self) : text
    }
}

/// An error in a snapshot file.
public struct SnapshotFormatError: Error, Sendable, Hashable {
    /// A one-sentence description without a final period.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public let wording: MessageText
    /// The line number, starting at 1.
    public let line: Int

    init(_ message: MessageText, line: Int = 1) {
        wording = message
        self.line = line
    }
}

extension ExpectationChecker {
    /// Creates the snapshot of a response.
    ///
    /// - Parameters:
    ///   - content: The exchange, with the cached representations of its body.
    ///   - scope: The variables of the suite, for the matchers of redacted values.
    ///   - baseURL: The suite's base URL, which is replaced by a placeholder.
    ///   - mask: The mask for secrets; nil if there are none.
    /// - Returns: The snapshot, and the findings about redacted values.
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
