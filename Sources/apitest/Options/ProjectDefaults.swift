import Basics
import Diagnostics
import FileSystem
import Glibc
import Output
import ProjectConfiguration
import Reports
import Runner

/// The options for the file with a project's defaults.
///
/// ``ProjectDefaults`` evaluates them before parsing.
struct ConfigurationOptions: OptionGroup {
    var config: String?
    var noConfig = false

    static var syntax: [Syntax] {
        [
            .option(
                "config", value: "file", \.config,
                "Read defaults from this file instead of the nearest .apitest.yaml",
                completion: .files(["yaml", "yml"])),
            .flag("no-config", \.noConfig, "Do not read defaults from a file"),
        ]
    }

    func validate() throws {
        if config != nil, noConfig { throw UsageError(.conflictingOptions, "--config cannot be used with --no-config") }
    }
}

/// The defaults from a project's `.apitest.yaml`, which precede the options of the command line.
struct ProjectDefaults {
    /// The commands that read a configuration file.
    private static let commands: [any Command.Type] = [
        RunCommand.self, LintCommand.self, ListCommand.self, LockCommand.self, FmtCommand.self,
    ]

    private let call: CommandCall
    /// The arguments after the name of the command, including those of the file.
    private let arguments: [String]
    private let entries: [ConfigurationEntry]
    private let color: ColorChoice

    /// The options whose values from the file and the command line are combined.
    ///
    /// For equal names, the later one counts.
    private static let merged: Set<String> = ["variable", "variables-file", "schema"]
    /// The mutually exclusive options, where one on the command line overrides both.
    private static let opposites: [String: String] = ["quiet": "verbose", "verbose": "quiet"]

    /// The options that a configuration file may set, by command.
    static var options: [String: [ConfigurationOption]] {
        Dictionary(
            uniqueKeysWithValues: commands.map { command in
                (
                    command.description.name,
                    (command.parameters + Parameter.general).filter { $0.kind != .argument }
                        .map(\.configurationOption)
                )
            })
    }

    /// Reads the configuration file, if there is one and the command uses it.
    ///
    /// - Throws: ``ExitStatus/invalid`` if the file is invalid. The error is printed.
    init(_ call: CommandCall) throws {
        self.call = call
        let directory = Path.workingDirectory
        // Without a file, only the command itself parses the arguments.
        let isNamed = call.arguments.contains { $0 == "--config" || $0.hasPrefix("--config=") }
        let found = isNamed ? nil : ConfigurationFile.find(from: directory)
        let hasUse = Self.commands.contains { $0 == call.command } && (isNamed || found != nil)
        let given = hasUse ? GivenOptions(call) : GivenOptions()
        color = given.color
        guard hasUse, !given.ignoresConfiguration,
            let file = given.configuration.map(ConfigurationFile.init(path:)) ?? found
        else {
            arguments = call.arguments
            entries = []
            return
        }
        let contents = file.contents(in: directory, options: Self.options, command: call.command.description.name)
        try Self.report(contents.diagnostics + contents.entries.compactMap(Self.problem), color: given.color)
        entries = contents.entries.filter { entry in
            if entry.name == "paths" { return !given.hasPaths }
            if Self.merged.contains(entry.name) { return true }
            if let opposite = Self.opposites[entry.name], given.names.contains(opposite) { return false }
            return !given.names.contains(entry.name)
        }
        var options = entries.filter { $0.name != "paths" }.flatMap(\.arguments)
        // Files that suites refer to may be anywhere in the project, regardless of the working directory.
        let hasRoot = given.names.contains("file-root") || entries.contains { $0.name == "file-root" }
        if given.configuration == nil, !hasRoot, !file.prefix.isEmpty { options.append("--file-root=\(file.prefix)") }
        let paths = entries.filter { $0.name == "paths" }.flatMap(\.arguments).map {
            $0.hasPrefix("-") ? "./" + $0 : $0
        }
        arguments = options + paths + call.arguments
    }

    /// Returns the command with its values.
    ///
    /// - Throws: ``UsageError``, or ``ExitStatus/invalid`` if the error is in the file. The latter error is printed.
    func command() throws -> any Command {
        do {
            return try call.command.parse(arguments)
        } catch {
            try explain()
            throw error
        }
    }

    /// Reports a usage error with its location if the configuration file causes it.
    ///
    /// - Throws: ``ExitStatus/invalid`` if the file causes the error. The error is printed.
    private func explain() throws {
        guard let error = problem(of: entries) else { return }
        // The entry without which the others are valid, or else the first one that is invalid on its own.
        let culprit =
            entries.indices.first { index in
                var others = entries
                others.remove(at: index)
                return problem(of: others) == nil
            } ?? entries.indices.first { problem(of: [entries[$0]]) != nil }
        guard let culprit else { return }
        try Self.report(
            [Diagnostic(id: error.id.rawValue, message: MessageText(error.message), range: entries[culprit].range)],
            color: color)
    }

    /// Returns the problem with a value that the parser does not validate.
    private static func problem(with entry: ConfigurationEntry) -> Diagnostic? {
        let values = entry.arguments.map { String($0.dropFirst(entry.name.utf8.count + 3)) }
        var problem: (id: ProblemID, message: String)?
        switch entry.name {
        case "report":
            do throws(ReportError) {
                for value in values { _ = try ReportRequest(value) }
            } catch {
                problem = (error.id, error.message)
            }
        case "proxy", "resolve":
            do throws(RunRoutes.Failure) {
                _ = try RunRoutes(
                    proxy: entry.name == "proxy" ? values.last : nil, resolve: entry.name == "resolve" ? values : [])
            } catch {
                problem = (.invalidOption, error.message.text)
            }
        default: break
        }
        return problem.map { Diagnostic(id: $0.id.rawValue, message: MessageText($0.message), range: entry.range) }
    }

    /// Returns the problem with options of the file, independent of the command line.
    private func problem(of entries: [ConfigurationEntry]) -> UsageError? {
        let options = entries.filter { $0.name != "paths" }.flatMap(\.arguments)
        do {
            _ = try call.command.parse(options + ["."])
            return nil
        } catch {
            return error as? UsageError
        }
    }

    private static func report(_ diagnostics: [Diagnostic], color: ColorChoice) throws {
        guard !diagnostics.isEmpty else { return }
        let isColored = color.isOn(for: STDERR_FILENO, environment: ProcessEnvironment.variables())
        StandardError.write(TextRenderer(color: isColored).render(diagnostics))
        if diagnostics.contains(where: { $0.severity == .error }) { throw ExitStatus.invalid }
    }
}

/// The options of a command line that affect the configuration file.
private struct GivenOptions {
    /// The long names of the given options.
    var names: Set<String> = []
    var hasPaths = false
    /// The path of the configuration file, if the command line states it.
    var configuration: String?
    var ignoresConfiguration = false
    var color: ColorChoice = .auto

    /// Creates the state of an empty command line.
    init() {}

    init(_ call: CommandCall) {
        let parameters = call.command.parameters
        var reader = CommandLineReader(call.arguments, parameters)
        while let token = reader.next() {
            switch token {
            case .argument: hasPaths = true
            case .option(let index, _, let value):
                let name = parameters[index].name
                names.insert(name)
                switch name {
                case "config": configuration = value
                // Listing the lint rules and formatting standard input do not read any files.
                case "no-config", "rules", "stdin": ignoresConfiguration = true
                case "color": color = ColorChoice(rawValue: value) ?? color
                default: break
                }
            case .missingValue, .unexpectedValue, .unknown: break
            }
        }
    }
}
