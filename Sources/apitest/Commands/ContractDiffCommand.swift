import ArgumentParser
import Basics
import Diagnostics
import FileSystem
import Glibc
import OpenAPI
import Runner
import SuiteLoader
import YAML

/// `apitest contract diff OLD NEW`
struct ContractDiffCommand: AsyncParsableCommand {
    /// How changes, or the checks, are written.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown, junit, github, html
    }

    /// From which level on changes are shown.
    enum ShownLevel: String, ExpressibleByArgument, CaseIterable {
        case breaking, warning, info
    }

    /// The least stability whose changes count.
    enum StabilityLevel: String, ExpressibleByArgument, CaseIterable {
        case draft, alpha, beta, stable
    }

    /// From which level on changes fail.
    enum FailureLevel: String, ExpressibleByArgument, CaseIterable {
        case breaking, warning, info, none

        /// The level; nil for none.
        var level: ChangeLevel? { ChangeLevel(rawValue: rawValue) }
    }

    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two OpenAPI descriptions, and tell what breaks clients.",
        discussion: """
            A description is a file, an http or https URL, git:REVISION:path for a file of a revision, or - for standard \
            input. Exit status: 0 \
            when no change is of the level of --fail-on; 1 when one is; 2 when a description or a file cannot be read or \
            the new description has errors that the old one does not have.
            """)

    @Argument(
        help: ArgumentHelp("What clients know.", valueName: "old"),
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var old: String?

    @Argument(
        help: ArgumentHelp("What takes its place.", valueName: "new"),
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var new: String?

    @Option(name: .long, help: "Output format: text, json, markdown, html, junit or github (workflow commands).")
    var format: Format = .text

    @Option(name: .long, help: "Show changes from this level on: breaking, warning or info; those that fail always.")
    var level: ShownLevel = .info

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Compare the operations whose paths begin with this. Can be given several times.", valueName: "prefix"))
    var pathPrefix: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Compare this operation: its operationId, or \"GET /books/{id}\". Can be given several times.",
            valueName: "operation"))
    var operation: [String] = []

    @Option(
        name: .long,
        help: "The x-stability-level below which changes are info: draft, alpha, beta or stable.")
    var stabilityLevel: StabilityLevel = .beta

    @Option(
        name: .long, help: ArgumentHelp("Write the changes to a file.", valueName: "file"), completion: .file())
    var output: String?

    @Option(name: .long, help: "The level from which on a change fails: breaking, warning, info or none.")
    var failOn: FailureLevel = .breaking

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The level of a check, as ID=LEVEL: breaking, warning, info, or none for not telling it; may be repeated.",
            valueName: "id=level"))
    var severity: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("A YAML file with a map of checks to levels; --severity wins.", valueName: "file"),
        completion: .file())
    var severityFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A YAML file with a list of accepted changes { id, operation, reason, until }; may be repeated.",
            valueName: "file"),
        completion: .file())
    var ignoreFile: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The days that must lie between a deprecation and its x-sunset; with 0, none need be named.",
            valueName: "days"))
    var deprecationDays = 0

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The day that x-sunset and ignore files are held against; without it, today.", valueName: "date")
    )
    var today: String?

    @Flag(name: .long, help: "List all checks with their levels, and compare nothing; as text, json or markdown.")
    var checks = false

    @Flag(name: .long, help: "Exit with 2 for every error of the new description.")
    var strict = false

    @OptionGroup var descriptionOptions: DescriptionOptions

    @OptionGroup var connectionOptions: ConnectionOptions

    func validate() throws {
        if checks {
            if old != nil { throw ValidationError("--checks: it goes without descriptions") }
            if listFormat == nil { throw ValidationError("--checks: they are listed as text, json or markdown") }
            return
        }
        guard let old, let new else { throw ValidationError("name two descriptions: the old and the new") }
        if old == "-", new == "-" { throw ValidationError("standard input can be one of the descriptions only") }
        if deprecationDays < 0 {
            throw ValidationError("--deprecation-days \(deprecationDays): write a number from 0")
        }
        if let today, CalendarDay(today) == nil {
            throw ValidationError("--today \(today): write a date such as 2027-01-31")
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
            let option = operation.contains(unknown.name) ? "--operation" : "--path-prefix"
            throw ExitStatus.invalid(
                because: "\(option) \(unknown.name): neither description has such an operation\(hint)")
        }
        // Warnings are for "contract check"; an error leaves something out of the comparison.
        let problems = ComparedProblems(
            old: before.problems, new: after.problems, newName: after.name, isStrict: strict,
            outside: selected.excluded)
        descriptionOptions.printDiagnostics(problems.diagnostics)
        let day = today.flatMap { CalendarDay($0) } ?? Self.currentDay
        let comparison = DescriptionComparison(
            old: oldDescription, new: newDescription,
            options: ComparisonOptions(
                today: day, deprecationDays: deprecationDays,
                leastStability: Stability(rawValue: stabilityLevel.rawValue) ?? .beta))
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

    private static var currentDay: CalendarDay { CalendarDay(number: Int((WallClock.now() / 86_400).rounded(.down))) }

    /// Chooses the levels that the command line names.
    private func chooseLevels(_ levels: inout ChangeLevels) throws {
        for text in severity {
            guard let equals = text.firstIndex(of: "=") else {
                throw ValidationError("--severity \(text): write ID=LEVEL")
            }
            do {
                try levels.set(String(text[..<equals]), to: String(text[text.index(after: equals)...]))
            } catch {
                throw ValidationError(
                    "--severity \(text): \(error.message)\(error.suggestion.map { "; \($0)" } ?? "")")
            }
        }
    }

    /// Reads a file of settings; an empty one says nothing.
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
            throw ExitStatus.invalid(because: "--output \(output): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        if let code = FileDescriptorWriter.writeAll(Array(text.utf8), to: descriptor) {
            throw ExitStatus.invalid(because: "--output \(output): \(String(cString: strerror(code)))")
        }
    }
}
