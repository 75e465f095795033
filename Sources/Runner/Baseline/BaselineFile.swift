import Basics
public import Diagnostics
import FileSystem
import JSON
import SuiteModel
import YAML

/// A file of known findings.
public struct BaselineFile: Sendable {
    /// A known finding.
    public struct Entry: Sendable, Hashable {
        /// The key that identifies the finding.
        public var key: FindingKey
        /// The reason why the finding is accepted.
        public var reason: String?
        /// The last day on which the finding is accepted, such as `2026-12-31`.
        public var until: String?

        /// Creates an entry.
        public init(key: FindingKey, reason: String? = nil, until: String? = nil) {
            self.key = key
            self.reason = reason
            self.until = until
        }
    }

    /// The version of the file format.
    static let version: Int64 = 1

    /// The entries, in the order of the file.
    public var entries: [Entry]
    /// The document that the contents were read from; nil for contents created in memory.
    private var document: LocatedDocument?

    /// Creates the contents of a file.
    public init(entries: [Entry] = []) {
        self.entries = entries
    }

    // MARK: Writing

    /// The text of the file: pretty-printed JSON with sorted entries.
    public var text: String {
        let sorted = entries.sorted { Self.precedes($0.key, $1.key) }
        let object: JSONObject = [
            "baseline": .number(JSONNumber(Self.version)), "findings": .array(sorted.map(Self.value)),
        ]
        return JSONValue.object(object).serialized(.pretty) + "\n"
    }

    private static func precedes(_ first: FindingKey, _ second: FindingKey) -> Bool {
        let left = [first.suite, first.test, first.step ?? "", first.subject, first.type, first.message]
        let right = [second.suite, second.test, second.step ?? "", second.subject, second.type, second.message]
        for (one, other) in zip(left, right) where one != other { return one < other }
        return first.document < second.document
    }

    private static func value(_ entry: Entry) -> JSONValue {
        let key = entry.key
        var object: JSONObject = ["suite": .string(key.suite)]
        if key.document > 0 { object["document"] = .number(JSONNumber(key.document + 1)) }
        object["test"] = .string(key.test)
        if let step = key.step { object["step"] = .string(step) }
        object["subject"] = .string(key.subject)
        object["type"] = .string(key.type)
        object["message"] = .string(key.message)
        if let reason = entry.reason { object["reason"] = .string(reason) }
        if let until = entry.until { object["until"] = .string(until) }
        return .object(object)
    }

    // MARK: Parsing

    /// Reads the text of a file.
    ///
    /// - Parameter path: The path as displayed in diagnostics.
    /// - Returns: The contents and all diagnostics. If there are any, the contents must not be used.
    public static func read(_ text: [UInt8], path: String) -> (file: BaselineFile, diagnostics: [Diagnostic]) {
        // Always JSON, regardless of the file name's extension.
        let source = SourceFile(name: path, text: text)
        let value: JSONValue
        do {
            value = try JSONParser(duplicateMembers: .reject).parse(text)
        } catch {
            let start = min(error.byteOffset, text.count)
            let range = SourceRange(file: source, bytes: start..<min(text.count, start + 1))
            return (
                BaselineFile(),
                [
                    Diagnostic(
                        id: "invalid-baseline", message: "the baseline is not JSON: \(error.wording)", range: range)
                ]
            )
        }
        var file = BaselineFile()
        file.document = LocatedDocument(file: source, value: value)
        let diagnostics = file.read(value)
        return (file, diagnostics)
    }

    private mutating func read(_ value: JSONValue) -> [Diagnostic] {
        guard value["baseline"]?.numberValue?.int64 == Self.version else {
            return [problem("not a baseline: expected \"baseline\": \(Self.version)", at: ["baseline"])]
        }
        guard let elements = value["findings"]?.arrayValue else {
            return [problem("expected an array under \"findings\"", at: ["findings"])]
        }
        var diagnostics: [Diagnostic] = []
        for (index, element) in elements.enumerated() {
            let location = ["findings", String(index)]
            guard let object = element.objectValue else {
                diagnostics.append(problem("expected an object for a finding", at: location))
                continue
            }
            var key = FindingKey(suite: "", test: "", subject: "", type: "", message: "")
            var reason: String?
            var until: String?
            for (name, value) in object {
                switch (name, value) {
                case ("suite", .string(let text)): key.suite = text
                case ("test", .string(let text)): key.test = text
                case ("step", .string(let text)): key.step = text
                case ("subject", .string(let text)): key.subject = text
                case ("type", .string(let text)): key.type = text
                case ("message", .string(let text)): key.message = text
                case ("reason", .string(let text)): reason = text
                case ("until", .string(let text)) where Self.isDate(text): until = text
                case ("until", _):
                    diagnostics.append(
                        problem("expected a date such as \"2026-12-31\"", at: location + [name]))
                case ("document", .number(let number)):
                    guard let number = number.int64, (1...100_000).contains(number) else {
                        diagnostics.append(problem("expected a document number from 1", at: location + [name]))
                        continue
                    }
                    key.document = Int(number) - 1
                case ("document", _), ("suite", _), ("test", _), ("step", _), ("subject", _), ("type", _),
                    ("message", _),
                    ("reason", _):
                    diagnostics.append(problem("\"\(name)\" has the wrong type", at: location + [name]))
                default:
                    let known = ["suite", "document", "test", "step", "subject", "type", "message", "reason", "until"]
                    var found = problem("unknown member \"\(name)\"", at: location + [name])
                    found.suggestionWording = Spelling.suggestion(for: name, among: known)
                    diagnostics.append(found)
                }
            }
            for (name, text) in [("suite", key.suite), ("test", key.test), ("subject", key.subject)] where text.isEmpty
            {
                if object.contains(name), object[name]?.stringValue == nil { continue }
                diagnostics.append(problem("missing member \"\(name)\" of the finding", at: location))
            }
            entries.append(Entry(key: key, reason: reason, until: until))
        }
        return diagnostics
    }

    private static func isDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return false }
        let digits = bytes.enumerated().filter { $0.offset != 4 && $0.offset != 7 }.map(\.element)
        guard digits.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) else { return false }
        let month = (bytes[5] & 15) * 10 + (bytes[6] & 15)
        let day = (bytes[8] & 15) * 10 + (bytes[9] & 15)
        return (1...12).contains(month) && (1...31).contains(day)
    }

    private func problem(_ message: MessageText, at tokens: [String]) -> Diagnostic {
        Diagnostic(id: "invalid-baseline", message: message, range: location(of: tokens))
    }

    private func location(of tokens: [String]) -> SourceRange? {
        guard let document else { return nil }
        return document.location(of: tokens)
            ?? SourceRange(file: document.file, bytes: 0..<min(1, document.file.text.count))
    }

    /// Returns the location of an entry in the file that was read, such as `known.json:12`.
    func location(ofEntry index: Int) -> String {
        guard let document else { return "" }
        let line = document.location(of: ["findings", String(index)])?.start.line
        return line.map { "\(document.file.name):\($0)" } ?? document.file.name
    }
}

/// The identity of a finding across runs: its location and message, without parts that vary between runs.
public struct FindingKey: Sendable, Hashable {
    /// The path of the suite's file, relative to the directory of the baseline.
    public var suite: String
    /// The index of the suite's document in its file, from 0.
    public var document = 0
    /// The name of the test, without the number of a repetition.
    public var test: String
    /// The name of the step; nil for a test that is a single exchange.
    public var step: String?
    /// The subject of the finding, such as the status.
    public var subject: String
    /// The type of the expectation or error.
    public var type: String
    /// The message, with placeholders for numbers and identifiers.
    public var message: String

    /// Creates the identity of a finding of a test that is a single exchange.
    public init(suite: String, test: String, subject: String, type: String, message: String) {
        self.init(suite: suite, document: 0, test: test, step: nil, subject: subject, type: type, message: message)
    }

    init(
        suite: String, document: Int, test: String, step: String?, subject: String, type: String, message: String
    ) {
        self.suite = suite
        self.document = document
        self.test = test
        self.step = step
        self.subject = subject
        self.type = type
        self.message = message
    }

    /// The text for people: `list books › status: expected 200, got 500`.
    var title: String {
        let location = step.map { "\(test) › \($0)" } ?? test
        // The name of a test that searches for one fault ends with its subject.
        return location.hasSuffix(" › \(subject)") ? "\(location): \(message)" : "\(location) › \(subject): \(message)"
    }
}

/// Conversions of suite paths: relative to the baseline's directory in the file, absolute for comparisons.
enum BaselinePaths {
    /// Returns the absolute path of a suite's file.
    static func path(of suite: Suite) -> String {
        absolute(Path.lastComponent(of: suite.path), directory: suite.directory)
    }

    /// Returns the absolute path for a path in a baseline.
    static func absolute(_ path: String, directory: String) -> String {
        Path.normalized(Path.absolute(path, in: Path.real(directory) ?? directory))
    }

    /// Returns the path that a baseline in the given directory uses for an absolute path.
    static func relative(_ path: String, directory: String) -> String {
        Path.relative(path, to: Path.real(directory) ?? directory)
    }
}

extension BaselineFile {
    /// Returns the contents with absolute paths of the suites.
    ///
    /// - Parameter directory: The absolute path of the directory that contains the file.
    public func resolved(in directory: String) -> BaselineFile {
        var result = self
        for index in result.entries.indices {
            result.entries[index].key.suite = BaselinePaths.absolute(entries[index].key.suite, directory: directory)
        }
        return result
    }

    /// Returns the contents with paths relative to the given directory.
    ///
    /// - Parameter directory: The absolute path of the directory.
    public func relative(to directory: String) -> BaselineFile {
        var result = self
        for index in result.entries.indices {
            result.entries[index].key.suite = BaselinePaths.relative(entries[index].key.suite, directory: directory)
        }
        return result
    }
}
