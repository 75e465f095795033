import Basics
import ContractTools
import Diagnostics
import FileSystem
import Glibc
import OpenAPI
import Runner
import SuiteLoader
import YAML

/// The `apitest contract diff OLD NEW` command.
struct ContractDiffCommand: Command {
    /// The output format of changes and of the list of checks.
    enum Format: String, ArgumentValue, CaseIterable {
        case text, json, markdown, junit, github, html
    }

    /// The minimum level of changes to show.
    enum ShownLevel: String, ArgumentValue, CaseIterable {
        case breaking, warning, info
    }

    /// The minimum stability of operations whose changes count.
    enum StabilityLevel: String, ArgumentValue, CaseIterable {
        case draft, alpha, beta, stable
    }

    /// The minimum level of changes that fail the command.
    enum FailureLevel: String, ArgumentValue, CaseIterable {
        case breaking, warning, info, none

        /// The level, or `nil` for `none`.
        var level: ChangeLevel? { ChangeLevel(rawValue: rawValue) }
    }

    static let description = CommandDescription(
        name: "diff", abstract: "Compare two OpenAPI descriptions and report breaking changes",
        discussion: """
            A description is a file, an http or https URL, git:REVISION:path for a file in a Git revision, or - for \
            standard input. Exit status: 0 no change reaches the level of --fail-on; 1 a change reaches it; 2 a file \
            cannot be read, or the new description has errors that the old one does not have.
            """)

    var old: String?
    var new: String?
    var format: Format = .text
    var level: ShownLevel = .info
    var pathPrefix: [String] = []
    var operation: [String] = []
    var stabilityLevel: StabilityLevel = .beta
    var output: String?
    var failOn: FailureLevel = .breaking
    var severity: [String] = []
    var severityFile: String?
    var ignoreFile: [String] = []
    var deprecationDays = 0
    var today: String?
    var checks = false
    var strict = false
    var descriptionOptions = DescriptionOptions()
    var connectionOptions = ConnectionOptions()

    static var syntax: [Syntax] {
        [
            .argument("old", \.old, "Old description, which clients use", completion: .files(["yaml", "yml", "json"])),
            .argument("new", \.new, "New description", completion: .files(["yaml", "yml", "json"])),
            .option(
                "format", \.format, "Output format; github writes workflow commands"),
            .option(
                "level", \.level, "Minimum level to show; changes that reach --fail-on are always shown"),
            .option(
                "path-prefix", value: "prefix", \.pathPrefix,
                "Compare only operations whose paths start with this prefix"),
            .option(
                "operation", \.operation,
                "Compare only this operation: its operationId, or \"GET /books/{id}\""),
            .option(
                "stability-level", \.stabilityLevel,
                "Report changes to operations below this x-stability-level as info"),
            .option("output", value: "file", \.output, "Write the changes to a file", completion: .files([])),
            .option("fail-on", \.failOn, "Fail if a change reaches this level"),
            .option(
                "severity", value: "id=level", \.severity,
                "Set the level of a check: breaking, warning, info or none (disabled)"),
            .option(
                "severity-file", value: "file", \.severityFile,
                "YAML file that maps checks to levels; --severity overrides it",
                completion: .files([])),
            .option(
                "ignore-file", value: "file", \.ignoreFile,
                "YAML file of accepted changes: [{ id, operation, reason, until }]",
                completion: .files([])),
            .option(
                "deprecation-days", value: "days", \.deprecationDays,
                "Minimum days from deprecation to x-sunset; 0 requires no x-sunset"),
            .option(
                "today", value: "date", \.today,
                "Date to check x-sunset and ignore files against (default: today)"),
            .flag(
                "checks", \.checks, "List all checks and their levels as text, json or markdown, and exit"),
            .flag("strict", \.strict, "Exit with 2 for any error in the new description"),
            .group(\.descriptionOptions),
            .group(\.connectionOptions),
        ]
    }

    func validate() throws {
        if checks {
            if old != nil { throw UsageError(.conflictingOptions, "--checks cannot be used with descriptions") }
            if listFormat == nil {
                throw UsageError(.missingOption, "--checks requires --format text, json or markdown")
            }
            return
        }
        guard let old, let new else {
            throw UsageError(.missingArgument, "expected two descriptions: the old one and the new one")
        }
        if old == "-", new == "-" { throw UsageError(.conflictingOptions, "standard input (-) can be given only once") }
        if deprecationDays < 0 {
            throw UsageError(.invalidOption, "--deprecation-days \(deprecationDays): must be at least 0")
        }
        if let today, CalendarDate(dateOrDateTime: today) == nil {
            throw UsageError(.invalidOption, "--today \(today): write a date such as 2027-01-31")
        }
        var levels = ChangeLevels()
        try chooseLevels(&levels)
    }

    func run() async throws {
        if checks {
            try write(ChangeCatalog.list(as: listFormat ?? .text))
            return
        }
        guard let old, let new else { throw ExitStatus.invalid }
        var levels = ChangeLevels()
        var ignores = IgnoredChanges()
        var mistakes: [Diagnostic] = []
        if let severityFile { mistakes += read(severityFile) { levels.read($0) } }
        try chooseLevels(&levels)
        for file in ignoreFile { mistakes += read(file) { ignores.read($0) } }
        let before = try await description(old)
        let after = try await description(new)
        guard mistakes.isEmpty, let oldDescription = before.description, let newDescription = after.description else {
            descriptionOptions.printDiagnostics(
                mistakes + (before.problems + after.problems).filter { $0.severity == .error })
            throw ExitStatus.invalid
        }
        let selected = SelectedOperations(
            prefixes: pathPrefix, names: operation, in: oldDescription, newDescription)
        if let unknown = selected.unknown.first {
            let hint = unknown.suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
            let problem =
                operation.contains(unknown.name)
                ? "--operation \(unknown.name): neither description has this operation"
                : "--path-prefix \(unknown.name): neither description has a path with this prefix"
            throw ExitStatus.invalid(.unknownOperation, because: problem + hint)
        }
        // Warnings are reported by "contract check". An error excludes part of a description from the comparison.
        let problems = ComparedProblems(
            old: before.problems, new: after.problems, newName: after.name, isStrict: strict,
            outside: selected.excluded)
        descriptionOptions.printDiagnostics(problems.diagnostics)
        let day = today.flatMap { CalendarDate(dateOrDateTime: $0) } ?? Self.currentDay
        let comparison = DescriptionComparison(
            old: oldDescription, new: newDescription,
            options: ComparisonOptions(
                today: day, deprecationDays: deprecationDays,
                minimumStability: Stability(rawValue: stabilityLevel.rawValue) ?? .beta))
        let result = ignores.applied(to: levels.applied(to: comparison.changes), today: day)
        descriptionOptions.printDiagnostics(result.problems)
        let report = ComparisonReport(
            oldName: before.name, newName: after.name, changes: result.remaining.filter(selected.contains),
            ignored: result.ignored.filter { selected.contains($0.change) }, failOn: failOn.level,
            level: ChangeLevel(rawValue: level.rawValue) ?? .info)
        let isColored =
            output == nil
            && descriptionOptions.color.isOn(for: STDOUT_FILENO, environment: ProcessEnvironment.variables())
        try write(report.rendered(as: reportFormat, color: isColored))
        if problems.hasFailed { throw ExitStatus.invalid }
        if report.hasFailed { throw ExitStatus.failed }
    }

    private func description(_ text: String) async throws -> NamedDescription {
        try await NamedDescription(
            text, options: descriptionOptions, connection: connectionOptions, command: "contract diff"
        ) { $0.load($1, isStrict: strict) }
    }

    private var listFormat: ChangeCatalog.ListFormat? { ChangeCatalog.ListFormat(rawValue: format.rawValue) }

    private var reportFormat: ComparisonReport.Format { ComparisonReport.Format(rawValue: format.rawValue) ?? .text }

    private static var currentDay: CalendarDate {
        CalendarDate(daysSince1970: Int((WallClock.now() / 86_400).rounded(.down)))
    }

    /// Applies the levels from the command line.
    private func chooseLevels(_ levels: inout ChangeLevels) throws {
        for text in severity {
            guard let equals = text.firstIndex(of: "=") else {
                throw UsageError(.invalidOption, "--severity \(text): write ID=LEVEL")
            }
            do {
                try levels.set(String(text[..<equals]), to: String(text[text.index(after: equals)...]))
            } catch {
                throw UsageError(
                    error.id,
                    "--severity \(text): \(error.message)\(error.suggestion.map { "; \($0)" } ?? "")")
            }
        }
    }

    /// Reads a settings file.
    ///
    /// An empty file is valid and has no effect.
    private func read(_ path: String, _ take: (LocatedDocument) -> [Diagnostic]) -> [Diagnostic] {
        let source = DescriptionSource(description: path, workingDirectory: Path.workingDirectory)
        switch source.document(at: source.location(of: path)) {
        case .document(let document): return take(document)
        case .problems(let problems): return problems.filter { $0.id != "empty-file" }
        }
    }

    private func write(_ text: String) throws {
        guard let output else {
            StandardOutput.write(text)
            return
        }
        let descriptor = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw ExitStatus.invalid(
                .unwritableFile, because: "--output: cannot write \"\(output)\": \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        if let code = FileDescriptorWriter.writeAll(Array(text.utf8), to: descriptor) {
            throw ExitStatus.invalid(
                .unwritableFile, because: "--output: cannot write \"\(output)\": \(String(cString: strerror(code)))")
        }
    }
}
