import Basics
public import Diagnostics
import JSON
import YAML

/// A loader for OpenAPI descriptions in YAML or JSON files.
public struct OpenAPILoader: Sendable {
    let source: any DocumentSource

    /// Creates a loader.
    ///
    /// - Parameter source: The source of the files.
    public init(source: any DocumentSource) {
        self.source = source
    }

    /// Loads a description and everything that it refers to.
    ///
    /// - Parameter location: The location of the main file.
    /// - Returns: The description, or `nil` if the file cannot be read or is not an OpenAPI description. Also returns
    ///   the problems, which include ``OpenAPIDescription/problems``.
    public func load(_ location: String) -> (description: OpenAPIDescription?, problems: [Diagnostic]) {
        let files = DescriptionFiles(source: source)
        switch source.document(at: location) {
        case .problems(let problems): return (nil, problems)
        case .document(let document):
            let file = DescriptionFile(location: location, document: document)
            return load(file, files)
        }
    }

    private func load(
        _ original: DescriptionFile, _ files: DescriptionFiles
    ) -> (description: OpenAPIDescription?, problems: [Diagnostic]) {
        var root = DescriptionNode(file: original, value: original.value)
        let version: OpenAPIVersion
        switch Self.version(of: root) {
        case .success(let found): version = found
        case .failure(let failure): return (nil, [failure.diagnostic])
        }
        files.add(original)
        if version == .swagger2 {
            for file in SwaggerConversion.files(of: original.location, source: source) {
                files.add(file)
                if file.location == original.location { root = DescriptionNode(file: file, value: file.value) }
            }
        }
        var reader = DescriptionReader(files: files, version: version)
        var description = reader.description(root)
        reader.reportBrokenReferences()
        description.problems = reader.problems.sorted
        return (description, description.problems)
    }

    /// An error that reports why a file is not a description.
    private struct VersionFailure: Error {
        var diagnostic: Diagnostic
    }

    private static func version(of root: DescriptionNode) -> Result<OpenAPIVersion, VersionFailure> {
        func failure(_ message: MessageText, at node: DescriptionNode, _ suggestion: MessageText) -> VersionFailure {
            VersionFailure(
                diagnostic: Diagnostic(
                    id: "invalid-openapi", message: message, range: node.range, suggestion: suggestion))
        }
        guard let node = root["openapi"] ?? root["swagger"] else {
            return .failure(
                failure(
                    "\"\(root.file.name)\" is not an OpenAPI description: it has no \"openapi\"", at: root,
                    "add the version, such as openapi: 3.1.0"))
        }
        let text: String
        switch node.value {
        case .string(let value): text = value
        case .number(let number): text = "\(number)"
        case .null, .bool, .array, .object: text = ""
        }
        let version = OpenAPIVersion.allCases.first { text == $0.rawValue || text.hasPrefix($0.rawValue + ".") }
        guard let version, (version == .swagger2) == (node.name == "swagger") else {
            return .failure(
                failure(
                    "unknown OpenAPI version \"\(text)\"", at: node,
                    "supported versions are swagger: \"2.0\" and openapi: 3.0, 3.1, and 3.2"))
        }
        return .success(version)
    }
}

/// The unresolved references, grouped to report one problem for each reason.
struct BrokenReferences {
    private struct Entry {
        var node: DescriptionNode
        var suggestion: MessageText?
        var count = 1
    }

    private var entries: [MessageText: Entry] = [:]
    private var order: [MessageText] = []

    /// Adds a reference.
    ///
    /// - Parameter node: The value of the `$ref`.
    mutating func add(_ node: DescriptionNode, _ problem: DescriptionFiles.ReferenceProblem) {
        guard var entry = entries[problem.message] else {
            order.append(problem.message)
            entries[problem.message] = Entry(node: node, suggestion: problem.suggestion)
            return
        }
        entry.count += 1
        // The first location in the files is reported, regardless of the order of reading.
        if let new = node.range, let known = entry.node.range,
            (new.file.name, new.start.line, new.start.column) < (known.file.name, known.start.line, known.start.column)
        {
            entry.node = node
        }
        entries[problem.message] = entry
    }

    /// Adds a problem for each reason.
    func tell(_ problems: inout ProblemList) {
        for message in order {
            guard let entry = entries[message] else { continue }
            problems.add(
                "unresolved-reference",
                entry.count > 1 ? "\(message) (\(entry.count) references)" : message, at: entry.node,
                suggestion: entry.suggestion)
        }
    }
}

/// The problems of a description, without duplicates and with a limit on their number.
struct ProblemList {
    /// The maximum number of problems for each severity. Notes therefore never displace errors.
    static let maximum = 500

    private var bag = DiagnosticBag()
    private var seen: Set<Diagnostic> = []
    private var left = 0
    private var leftErrors = 0

    /// The stored problems, in the order in which they were found.
    var all: [Diagnostic] { bag.diagnostics }

    private var kept: [Severity: Int] = [:]

    /// Returns whether the limit for a severity is reached.
    private func isFull(_ severity: Severity) -> Bool { kept[severity, default: 0] >= Self.maximum }

    /// Adds a problem.
    mutating func add(_ problem: Diagnostic) {
        if isFull(problem.severity) {
            count(problem.severity)
        } else if seen.insert(problem).inserted {
            kept[problem.severity, default: 0] += 1
            bag.add(problem)
        }
    }

    /// Adds a problem at a node, whose source range is computed only if the problem is stored.
    mutating func add(
        _ id: String, _ message: MessageText, at node: DescriptionNode, atKey: Bool = false,
        suggestion: MessageText? = nil,
        severity: Severity = .error, related: (MessageText, DescriptionNode)? = nil
    ) {
        if isFull(severity) { return count(severity) }
        let other = related.flatMap { text, node in
            node.range.map { Diagnostic.Related(message: text, range: $0) }
        }
        add(
            Diagnostic(
                id: id, severity: severity, message: message, range: atKey ? node.keyRange : node.range,
                related: other.map { [$0] } ?? [], suggestion: suggestion))
    }

    private mutating func count(_ severity: Severity) {
        left += 1
        if severity == .error { leftErrors += 1 }
    }

    /// The problems by file and location, followed by a problem with the number of omitted ones.
    var sorted: [Diagnostic] {
        guard left > 0 else { return bag.sorted }
        return bag.sorted + [
            Diagnostic(
                id: "too-many-problems", severity: leftErrors > 0 ? .error : .warning,
                message: "\(left) more \(left == 1 ? "problem is" : "problems are") not shown",
                suggestion: "fix the reported problems first")
        ]
    }
}

extension JSONValue {
    /// The name of the value's type in messages.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
