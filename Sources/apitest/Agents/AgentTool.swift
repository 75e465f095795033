import Basics
import Explanations
import FileSystem
import JSON
import JSONSchema

/// A tool that coding agents can call over the Model Context Protocol.
struct AgentTool: Sendable {
    /// The work of a call.
    enum Work: Sendable {
        /// Runs a command of the program, and returns its text.
        case command([String])
        /// Runs tests with the arguments, and returns the verdict.
        case run([String])
        /// Returns the verdict of a record with the arguments, or that of the last run if there are none.
        case failures([String])
        /// Returns a text that is known at once.
        case text(String)
    }

    /// A problem with the arguments of a call, which the agent can correct.
    struct ArgumentError: Error {
        let message: String
    }

    let name: String
    let title: String
    let description: String
    /// The members of the arguments, each with its schema.
    let parameters: JSONObject
    var required: [String] = []
    /// Whether the tool only reads files.
    var isReadOnly = true
    /// Returns the work of a call with valid arguments.
    let work: @Sendable (AgentArguments) throws(ArgumentError) -> Work

    /// The JSON Schema of the arguments.
    var inputSchema: JSONValue {
        [
            "type": "object", "properties": .object(parameters),
            "required": .array(required.map { .string($0) }), "additionalProperties": false,
        ]
    }

    /// The tool as `tools/list` describes it.
    var definition: JSONValue {
        [
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": inputSchema,
            "annotations": ["readOnlyHint": .bool(isReadOnly), "openWorldHint": .bool(!isReadOnly)],
        ]
    }

    /// Returns the work of a call.
    ///
    /// - Throws: ``ArgumentError`` if the arguments do not match the schema.
    func work(_ arguments: JSONObject, directory: String) throws(ArgumentError) -> Work {
        do {
            let violations = try JSONSchema(inputSchema).violations(of: .object(arguments))
            if let first = violations.first { throw ArgumentError(message: "\(name): \(first.description)") }
        } catch let error as ArgumentError {
            throw error
        } catch {
            throw ArgumentError(message: "\(error)")
        }
        return try work(AgentArguments(members: arguments, directory: directory))
    }
}

/// The arguments of a call.
struct AgentArguments: Sendable {
    let members: JSONObject
    /// The working directory, which paths must not leave.
    let directory: String

    /// Returns a string.
    func string(_ name: String) -> String? { members[name]?.stringValue }

    /// Returns an option with its value, or nothing if the argument is missing.
    func option(_ option: String, _ name: String) -> [String] {
        string(name).map { ["\(option)=\($0)"] } ?? []
    }

    /// Returns the paths of suites, or those of the project if there are none.
    func paths() throws(AgentTool.ArgumentError) -> [String] {
        var paths: [String] = []
        for path in members["paths"]?.arrayValue?.compactMap(\.stringValue) ?? [] { paths.append(try checked(path)) }
        return paths.isEmpty ? ["."] : paths
    }

    /// Returns a path unchanged.
    ///
    /// - Throws: ``AgentTool/ArgumentError`` if the path leads out of the working directory.
    func checked(_ path: String) throws(AgentTool.ArgumentError) -> String {
        let absolute = Path.normalized(Path.absolute(path, in: directory))
        let real = Path.real(absolute) ?? absolute
        guard Path.isInside(real, Path.real(directory) ?? directory) else {
            throw AgentTool.ArgumentError(message: "\"\(path)\" is outside of the working directory")
        }
        return path
    }
}

extension AgentTool {
    /// All tools. Those that are not read-only are listed only with `--allow-run`.
    static let all: [AgentTool] = [list, run, failures, lint, explain, schema]

    private static let paths: JSONValue = [
        "type": "array", "items": ["type": "string"],
        "description": "Suite files and directories (default: the working directory).",
    ]
    private static let test: JSONValue = [
        "type": "string", "description": "Text or /regular expression/ that the names of tests contain.",
    ]
    private static let tag: JSONValue = [
        "type": "string", "description": "Tag expression, such as `smoke and not slow`.",
    ]
    private static let environment: JSONValue = ["type": "string", "description": "Environment of the suites."]

    private static let list = AgentTool(
        name: "list", title: "List tests", description: "Lists the tests of suites with their locations and tags.",
        parameters: ["paths": paths, "test": test, "tag": tag]
    ) { (arguments) throws(ArgumentError) in
        .command(
            ["list"] + arguments.option("--test", "test") + arguments.option("--tag", "tag") + ["--"]
                + (try arguments.paths()))
    }

    private static let run = AgentTool(
        name: "run", title: "Run tests",
        description: """
            Runs tests and returns the verdict: counts, and for each cause of failure the location, the expected and the \
            actual value, the request and a curl command.
            """,
        parameters: ["paths": paths, "test": test, "tag": tag, "environment": environment], isReadOnly: false
    ) { (arguments) throws(ArgumentError) in
        .run(
            ["run", "--quiet", "--progress=never", "--report=verdict=-"] + arguments.option("--test", "test")
                + arguments.option("--tag", "tag") + arguments.option("--environment", "environment") + ["--"]
                + (try arguments.paths()))
    }

    private static let failures = AgentTool(
        name: "failures", title: "Failures of a run",
        description: "Returns the verdict of the last run of this session, or of a record that `--report json` wrote.",
        parameters: ["record": ["type": "string", "description": "Path of a record (.jsonl)."]]
    ) { (arguments) throws(ArgumentError) in
        guard let record = arguments.string("record") else { return .failures([]) }
        return .failures(["report", "convert", "--report=verdict=-", "--", try arguments.checked(record)])
    }

    private static let lint = AgentTool(
        name: "lint", title: "Check suites",
        description: "Reports errors and probable mistakes in suites with their locations. Sends nothing.",
        parameters: ["paths": paths]
    ) { (arguments) throws(ArgumentError) in .command(["lint", "--"] + (try arguments.paths())) }

    private static let explain = AgentTool(
        name: "explain", title: "Explain an id",
        description: "Explains the id that a message prints in brackets, with an example and its correction.",
        parameters: ["id": ["type": "string", "description": "The id, such as `unknown-key`."]], required: ["id"]
    ) { (arguments) throws(ArgumentError) in
        let id = arguments.string("id") ?? ""
        let explanations = Explanations.of(id)
        guard !explanations.isEmpty else {
            let hint = Spelling.nearest(to: id, among: Explanations.ids).map { "; did you mean \"\($0)\"?" } ?? ""
            throw ArgumentError(message: "unknown id \"\(id)\"" + hint)
        }
        return .text(ExplanationOutput.markdown(explanations))
    }

    private static let schema = AgentTool(
        name: "schema", title: "Schema of a file format",
        description: """
            Returns a definition of the JSON Schema of a file format, or without a definition the top level and the names \
            of all definitions.
            """,
        parameters: [
            "format": ["enum": .array(SchemaCommand.Kind.allCases.map { .string($0.rawValue) })],
            "definition": ["type": "string", "description": "Name under `$defs`."],
        ], required: ["format"]
    ) { (arguments) throws(ArgumentError) in
        guard let kind = arguments.string("format").flatMap(SchemaCommand.Kind.init(rawValue:)),
            let schema = try? JSONValue(parsing: Array(kind.schema.utf8)), case .object(var top) = schema
        else { throw ArgumentError(message: "unknown format") }
        let definitions = top["$defs"]?.objectValue ?? [:]
        guard let name = arguments.string("definition") else {
            top["$defs"] = .array(definitions.map { .string($0.key) })
            return .text(JSONValue.object(top).serialized())
        }
        guard let definition = definitions[name] else {
            let hint = Spelling.nearest(to: name, among: definitions.map(\.key)).map { "; did you mean \"\($0)\"?" }
            throw ArgumentError(message: "unknown definition \"\(name)\"" + (hint ?? ""))
        }
        return .text(definition.serialized())
    }
}
