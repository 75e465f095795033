import ArgumentParser
import Diagnostics
import FileSystem
import Glibc
import Reports
import Runner
import SuiteLoader

/// Puts the options of a project's `.apitest.yaml` before those of the command line.
struct ProjectDefaults {
    /// The arguments with which the program goes on.
    let arguments: [String]
    private let command: String
    private let entries: [ConfigurationEntry]
    private let color: ColorChoice

    /// What the user's arguments say.
    private struct Scan {
        /// The long names of the options that are there.
        var given: Set<String> = []
        var hasPaths = false
        var config: String?
        var ignoresConfig = false
        var color: ColorChoice = .auto
    }

    /// Options of which both the file's and the command line's values count; of equal names the later one.
    private static let merged: Set<String> = ["variable", "variables-file", "schema"]
    /// Options that exclude each other, so that one on the command line stands for both.
    private static let opposites: [String: String] = ["quiet": "verbose", "verbose": "quiet"]

    /// Reads the configuration file, if there is one and the command has use for it.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    /// - Throws: ``ExitStatus/invalid`` when the file is wrong, which is printed.
    init(_ arguments: [String]) throws {
        guard let (command, rest) = Self.command(of: arguments) else {
            self.init(arguments: arguments, command: "", entries: [], color: .auto)
            return
        }
        let folder = Path.workingDirectory
        let isNamed = rest.contains { $0 == "--config" || $0.hasPrefix("--config=") }
        let found = isNamed ? nil : ConfigurationFile.find(from: folder)
        guard isNamed || found != nil else {
            self.init(arguments: arguments, command: command, entries: [], color: .auto)
            return
        }
        let catalog = OptionCatalog()
        let scan = Self.scan(rest, catalog.spellings[command] ?? [:])
        guard !scan.ignoresConfig, let file = scan.config.map(ConfigurationFile.init(path:)) ?? found else {
            self.init(arguments: arguments, command: command, entries: [], color: scan.color)
            return
        }
        let contents = file.contents(in: folder, options: catalog.options, command: command)
        try Self.report(contents.diagnostics + contents.entries.compactMap(Self.problem), color: scan.color)
        let entries = contents.entries.filter { entry in
            if entry.name == "paths" { return !scan.hasPaths }
            if Self.merged.contains(entry.name) { return true }
            if let opposite = Self.opposites[entry.name], scan.given.contains(opposite) { return false }
            return !scan.given.contains(entry.name)
        }
        var options = entries.filter { $0.name != "paths" }.flatMap(\.arguments)
        // Files that suites of the project name lie in the project, wherever in it the program is started.
        let hasRoot = scan.given.contains("file-root") || entries.contains { $0.name == "file-root" }
        if scan.config == nil, !hasRoot, !file.prefix.isEmpty { options.append("--file-root=\(file.prefix)") }
        let paths = entries.filter { $0.name == "paths" }.flatMap(\.arguments).map {
            $0.hasPrefix("-") ? "./" + $0 : $0
        }
        self.init(
            arguments: [command] + options + paths + rest, command: command, entries: entries, color: scan.color)
    }

    private init(arguments: [String], command: String, entries: [ConfigurationEntry], color: ColorChoice) {
        self.arguments = arguments
        self.command = command
        self.entries = entries
        self.color = color
    }

    /// The problem, with its place in the file, when an error of the parser is due to the file.
    ///
    /// - Throws: ``ExitStatus/invalid`` when it is, which is printed.
    func explain() throws {
        guard !entries.isEmpty, problem(of: entries) != nil else { return }
        // The entry without which the others are right, otherwise the first that is wrong for itself.
        let culprit =
            entries.indices.first { index in
                var others = entries
                others.remove(at: index)
                return problem(of: others) == nil
            } ?? entries.indices.first { problem(of: [entries[$0]]) != nil }
        guard let culprit, let message = problem(of: entries) else { return }
        try Self.report(
            [Diagnostic(id: "invalid-option", message: message, range: entries[culprit].range)], color: color)
    }

    /// What is wrong with the value of an option that the parser takes as it is.
    private static func problem(with entry: ConfigurationEntry) -> Diagnostic? {
        let values = entry.arguments.map { String($0.dropFirst(entry.name.utf8.count + 3)) }
        var message: String?
        switch entry.name {
        case "report":
            do throws(ReportError) {
                for value in values { _ = try ReportRequest(value) }
            } catch {
                message = error.message
            }
        case "proxy", "resolve":
            do throws(RunRoutes.Failure) {
                _ = try RunRoutes(
                    proxy: entry.name == "proxy" ? values.last : nil, resolve: entry.name == "resolve" ? values : [])
            } catch {
                message = error.message
            }
        default: break
        }
        return message.map { Diagnostic(id: "invalid-option", message: $0, range: entry.range) }
    }

    /// What the parser says of some options of the file.
    private func problem(of entries: [ConfigurationEntry]) -> String? {
        let options = entries.filter { $0.name != "paths" }.flatMap(\.arguments)
        do {
            _ = try Apitest.parseAsRoot([command] + options + ["."])
            return nil
        } catch {
            return Apitest.message(for: error)
        }
    }

    private static func report(_ diagnostics: [Diagnostic], color: ColorChoice) throws {
        guard !diagnostics.isEmpty else { return }
        let isColored = color.isOn(for: STDERR_FILENO, environment: ProcessEnvironment.variables())
        StandardError.write(TextRenderer(color: isColored).render(diagnostics))
        if diagnostics.contains(where: { $0.severity == .error }) { throw ExitStatus.invalid }
    }

    // MARK: Arguments

    /// The command that some arguments call, and what is behind it; nil when no configuration counts for it.
    private static func command(of arguments: [String]) -> (command: String, rest: [String])? {
        let own = arguments.prefix { $0 != "--" }
        let isHelp = own.contains { argument in
            argument == "-h" || argument == "--help" || argument == "--version" || argument == "--rules"
                || argument.hasPrefix("--generate-completion-script") || argument.hasPrefix("--experimental-")
                || argument.hasPrefix("---completion")
        }
        if isHelp { return nil }
        guard let first = arguments.first else { return (OptionCatalog.commands[0], []) }
        if OptionCatalog.commands.contains(first) { return (first, Array(arguments.dropFirst())) }
        if first == "help" || OptionTable.commands.contains(first) { return nil }
        return (OptionCatalog.commands[0], arguments)
    }

    private static func scan(_ arguments: [String], _ spellings: [String: OptionCatalog.Spelling]) -> Scan {
        var scan = Scan()
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            index += 1
            if argument == "--" {
                scan.hasPaths = scan.hasPaths || index < arguments.count
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                scan.hasPaths = true
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            // Of short options, several flags may stand behind one hyphen.
            let isLong = argument.hasPrefix("--")
            let names = isLong || argument.utf8.count == 2 ? [parts[0]] : argument.dropFirst().map { "-\($0)" }
            for name in names {
                guard let spelling = spellings[name] else { continue }
                if let long = spelling.long { scan.given.insert(long) }
                guard spelling.takesValue else {
                    if spelling.long == "no-config" { scan.ignoresConfig = true }
                    continue
                }
                var value = parts.count > 1 ? parts[1] : nil
                if value == nil, names.count == 1, index < arguments.count {
                    value = arguments[index]
                    index += 1
                }
                if spelling.long == "config" { scan.config = value }
                if spelling.long == "color", let choice = value.flatMap(ColorChoice.init(rawValue:)) {
                    scan.color = choice
                }
                break
            }
        }
        return scan
    }
}
