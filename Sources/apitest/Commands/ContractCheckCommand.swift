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
        name: "check", abstract: "Check an OpenAPI description",
        discussion: """
            A description is a file, an http or https URL, git:REVISION:path for a file in a Git revision, or - for \
            standard input. Exit status: 0 no errors; 2 errors, or warnings with --strict, or the file cannot be read.
            """)

    var file = ""
    var format: Format = .text
    var level: Level = .note
    var strict = false
    var descriptionOptions = DescriptionOptions()
    var connectionOptions = ConnectionOptions()

    static var syntax: [Syntax] {
        [
            .argument(
                "file", \.file, isRequired: true, "Description: a file, a URL, git:REVISION:path, or -",
                completion: .files(["yaml", "yml", "json"])),
            .option("format", \.format, "Output format; github writes workflow commands"),
            .option("level", \.level, "Minimum severity to show"),
            .flag("strict", \.strict, "Treat warnings as errors (exit status 2)"),
            .group(\.descriptionOptions),
            .group(\.connectionOptions),
        ]
    }

    func run() async throws {
        let named = try await NamedDescription(
            file, options: descriptionOptions, connection: connectionOptions, command: "contract check"
        ) { $0.check($1) }
        let (description, found) = (named.description, named.problems)
        // Sorted by severity, most severe first, and then by location.
        let worst = found.map(\.severity).max() ?? .note
        let problems = Severity.allCases.sorted(by: >).filter { $0 >= level.severity }.flatMap { severity in
            found.filter { $0.severity == severity }
        }
        switch format {
        case .text: descriptionOptions.printDiagnostics(problems)
        case .json: StandardOutput.write(JSONRenderer().render(problems))
        case .github: StandardOutput.write(GitHubRenderer().render(problems))
        }
        if format == .text, let description { StandardOutput.write(Self.overview(of: description, found)) }
        if description == nil || worst >= (strict ? .warning : .error) { throw ExitStatus.invalid }
    }

    /// Returns a one-line summary of a description.
    private static func overview(of description: OpenAPIDescription, _ problems: [Diagnostic]) -> String {
        var parts = [count(description.operations.count, "operation")]
        if !description.webhooks.isEmpty { parts.append(count(description.webhooks.count, "webhook")) }
        let schemas = description.root["components"]?["schemas"]?.value.objectValue?.count ?? 0
        parts.append(count(schemas, "schema"))
        let found = Severity.allCases.compactMap { severity in
            let number = problems.count { $0.severity == severity }
            return number > 0 ? count(number, severity.rawValue) : nil
        }
        let name = [description.title, description.apiVersion].filter { !$0.isEmpty }.map(DisplayWidth.printable)
            .joined(separator: " ")
        return "\(name.isEmpty ? description.root.file.name : name) (\(specification(of: description))), "
            + "\(parts.joined(separator: ", ")): \(found.isEmpty ? "no problems" : found.joined(separator: ", "))\n"
    }

    private static func specification(of description: OpenAPIDescription) -> String {
        "\(description.version == .swagger2 ? "Swagger" : "OpenAPI") \(description.version.rawValue)"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

extension Unicode.Scalar.Properties {
    /// Whether the scalar is a control or format character.
    fileprivate var isControl: Bool { generalCategory == .control || generalCategory == .format }
}
