import Basics
import ContractTools
import Diagnostics
import JSON
import OpenAPI
import SuiteLoader

/// The `apitest contract check FILE` command.
struct ContractCheckCommand: Command {
    /// The output format of problems.
    enum Format: String, ArgumentValue, CaseIterable {
        case text, json, github
    }

    /// The minimum severity to show.
    enum Level: String, ArgumentValue, CaseIterable {
        case error, warning, note

        var severity: Severity {
            switch self {
            case .error: .error
            case .warning: .warning
            case .note: .note
            }
        }
    }

    static let description = CommandDescription(
        name: "check", abstract: "Check an OpenAPI description, and pacts against it",
        discussion: """
            A description is a file, an http or https URL, git:REVISION:path for a file in a Git revision, or - for \
            standard input. With --pact, the requests and the expected responses of consumers must be ones that the \
            description allows. Exit status: 0 no errors; 1 a pact has an expectation that the description does not \
            allow; 2 the description has errors, or a file cannot be read. With --strict, warnings count as errors.
            """)

    var file = ""
    var format: Format = .text
    var level: Level = .note
    var strict = false
    var pact: [String] = []
    var descriptionOptions = DescriptionOptions()
    var connectionOptions = ConnectionOptions()

    static var syntax: [Syntax] {
        [
            .argument(
                "file", \.file, isRequired: true, "Description: a file, a URL, git:REVISION:path, or -",
                completion: .files(["yaml", "yml", "json"])),
            .option("format", \.format, "Output format; github writes workflow commands"),
            .option("level", \.level, "Minimum severity to show"),
            .flag("strict", \.strict, "Treat warnings as errors"),
            .option(
                "pact", value: "path", \.pact,
                "Pact file (v1 to v4) or directory to check; can be repeated", completion: .files(["json"])),
            .group(\.descriptionOptions),
            .group(\.connectionOptions),
        ]
    }

    func run() async throws {
        let named = try await NamedDescription(
            file, options: descriptionOptions, connection: connectionOptions, command: "contract check"
        ) { $0.check($1) }
        let (description, found) = (named.description, named.problems)
        let pacts = CheckedPacts(pact, against: description, name: named.name)
        // Sorted by severity, most severe first, and then by location.
        let problems = Severity.allCases.sorted(by: >).filter { $0 >= level.severity }.flatMap { severity in
            (found + pacts.problems + pacts.findings).filter { $0.severity == severity }
        }
        switch format {
        case .text: descriptionOptions.printDiagnostics(problems)
        case .json: StandardOutput.write(JSONRenderer().render(problems))
        case .github: StandardOutput.write(GitHubRenderer().render(problems))
        }
        if format == .text, let description {
            StandardOutput.write(Self.overview(of: description, found) + pacts.overview)
        }
        let limit = strict ? Severity.warning : .error
        if description == nil || Self.reaches(limit, found + pacts.problems) { throw ExitStatus.invalid }
        if Self.reaches(limit, pacts.findings) { throw ExitStatus.failed }
    }

    /// Returns whether any problem has at least a severity.
    private static func reaches(_ limit: Severity, _ problems: [Diagnostic]) -> Bool {
        problems.contains { $0.severity >= limit }
    }

    /// Returns a one-line summary of a description.
    private static func overview(of description: OpenAPIDescription, _ problems: [Diagnostic]) -> String {
        var parts = [count(description.operations.count, "operation")]
        if !description.webhooks.isEmpty { parts.append(count(description.webhooks.count, "webhook")) }
        let schemas = description.root["components"]?["schemas"]?.value.objectValue?.count ?? 0
        parts.append(count(schemas, "schema"))
        let name = [description.title, description.apiVersion].filter { !$0.isEmpty }.map(DisplayWidth.printable)
            .joined(separator: " ")
        return "\(name.isEmpty ? description.root.file.name : name) (\(specification(of: description))), "
            + "\(parts.joined(separator: ", ")): \(counts(of: problems))\n"
    }

    /// Returns the numbers of problems by severity.
    fileprivate static func counts(of problems: [Diagnostic]) -> String {
        let found = Severity.allCases.compactMap { severity in
            let number = problems.count { $0.severity == severity }
            return number > 0 ? count(number, severity.rawValue) : nil
        }
        return found.isEmpty ? "no problems" : found.joined(separator: ", ")
    }

    private static func specification(of description: OpenAPIDescription) -> String {
        "\(description.version == .swagger2 ? "Swagger" : "OpenAPI") \(description.version.rawValue)"
    }

    fileprivate static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

/// The pacts of a command, validated against a description.
private struct CheckedPacts {
    /// The reasons why pacts cannot be checked.
    private(set) var problems: [Diagnostic] = []
    /// The differences between the pacts and the description.
    private(set) var findings: [Diagnostic] = []
    /// A line for each pact that was checked.
    private(set) var overview = ""

    /// Reads and validates pacts. Without a description, they are only read.
    ///
    /// - Parameter paths: The paths of files and directories.
    init(_ paths: [String], against description: OpenAPIDescription?, name: String) {
        let check = description.map { PactCheck($0, name: name) }
        for path in paths {
            let files = Pact.paths(at: path)
            if files.isEmpty {
                problems.append(
                    Diagnostic(id: "no-pacts", message: "the directory \"\(path)\" contains no .json files"))
            }
            for file in files {
                switch Pact.read(file) {
                case .problems(let reasons): problems += reasons
                case .pact(let pact): if let check { add(check.outcome(of: pact), of: pact) }
                }
            }
        }
    }

    private mutating func add(_ outcome: PactCheck.Outcome, of pact: Pact) {
        findings += outcome.diagnostics
        var parts = [ContractCheckCommand.count(outcome.checked, "interaction")]
        if outcome.skipped > 0 { parts.append("\(outcome.skipped) skipped") }
        let counted = outcome.diagnostics.filter { $0.severity > .note }
        overview +=
            "\(DisplayWidth.printable("\(pact.name) (\(pact.title))")), "
            + "\(parts.joined(separator: ", ")): \(ContractCheckCommand.counts(of: counted))\n"
    }
}

extension Unicode.Scalar.Properties {
    /// Whether the scalar is a control or format character.
    fileprivate var isControl: Bool { generalCategory == .control || generalCategory == .format }
}
