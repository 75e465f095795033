public import Diagnostics
import JSON
import YAML

/// Loads OpenAPI descriptions from YAML or JSON files.
public struct OpenAPILoader: Sendable {
    let source: any DocumentSource

    /// Creates a loader.
    ///
    /// - Parameter source: Gives the files.
    public init(source: any DocumentSource) {
        self.source = source
    }

    /// Loads a description with everything that it refers to.
    ///
    /// - Parameter location: The location of its main file.
    /// - Returns: The description, whose ``OpenAPIDescription/problems`` are part of the second value; nil when the file
    ///   cannot be read or is no OpenAPI description. And what is wrong.
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
        reader.tellBrokenReferences()
        description.problems = reader.problems.sorted
        return (description, description.problems)
    }

    /// Why a file is no description.
    private struct VersionFailure: Error {
        var diagnostic: Diagnostic
    }

    private static func version(of root: DescriptionNode) -> Result<OpenAPIVersion, VersionFailure> {
        func failure(_ message: String, at node: DescriptionNode, _ suggestion: String) -> VersionFailure {
            VersionFailure(
                diagnostic: Diagnostic(
                    id: "invalid-openapi", message: message, range: node.range, suggestion: suggestion))
        }
        guard let node = root["openapi"] ?? root["swagger"] else {
            return .failure(
                failure(
                    "\(root.file.name) is no OpenAPI description: it has no \"openapi\"", at: root,
                    "an OpenAPI description begins with a line such as openapi: 3.1.0"))
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
                    "the version \"\(text)\" of OpenAPI is not known", at: node,
                    "known are swagger: \"2.0\", and openapi: 3.0, 3.1 and 3.2"))
        }
        return .success(version)
    }
}

/// References that lead nowhere: one problem for each reason, however many refer to the same.
struct BrokenReferences {
    private struct Entry {
        var node: DescriptionNode
        var suggestion: String?
        var count = 1
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []

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
        // The first in the files, in whatever order they are looked at.
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
                message + (entry.count > 1 ? " (\(entry.count) references)" : ""), at: entry.node,
                suggestion: entry.suggestion)
        }
    }
}

/// The problems of a description as they are found: each once, and no more of them than can be read.
struct ProblemList {
    /// How many problems of one severity are kept, so that notes never take the place of errors.
    static let most = 500

    private var bag = DiagnosticBag()
    private var seen: Set<Diagnostic> = []
    private var left = 0
    private var leftErrors = 0

    /// The problems that are kept, as they were found.
    var all: [Diagnostic] { bag.diagnostics }

    private var kept: [Severity: Int] = [:]

    /// Whether no further problem of a severity is kept.
    private func isFull(_ severity: Severity) -> Bool { kept[severity, default: 0] >= Self.most }

    /// Adds a problem.
    mutating func add(_ problem: Diagnostic) {
        if isFull(problem.severity) {
            count(problem.severity)
        } else if seen.insert(problem).inserted {
            kept[problem.severity, default: 0] += 1
            bag.add(problem)
        }
    }

    /// Adds a problem at a node, whose place is only looked for when the problem is kept.
    mutating func add(
        _ id: String, _ message: String, at node: DescriptionNode, atKey: Bool = false, suggestion: String? = nil,
        severity: Severity = .error, related: (String, DescriptionNode)? = nil
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

    /// The problems by file and place; the last one says how many there are more.
    var sorted: [Diagnostic] {
        guard left > 0 else { return bag.sorted }
        return bag.sorted + [
            Diagnostic(
                id: "too-many-problems", severity: leftErrors > 0 ? .error : .warning,
                message: "\(left) more \(left == 1 ? "problem is" : "problems are") not shown",
                suggestion: "mend those that are shown first")
        ]
    }
}

extension JSONValue {
    /// What kind of value it is, as messages call it.
    var kindName: String {
        switch self {
        case .null: "nothing"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
