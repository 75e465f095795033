import Basics
import Diagnostics
import FileSystem
import Glibc
import SuiteFormat

/// The `apitest fmt PATH…` command.
struct FmtCommand: SynchronousCommand {
    static let description = CommandDescription(
        name: "fmt", abstract: "Format suites and mock files",
        discussion: """
            Normalizes indentation, spaces, line endings and the order of known keys. Values, comments and line \
            breaks are kept. Before a file is replaced, the result is verified against the original. Exit status: 0 \
            success; 1 a file is not formatted (--check); 2 a file or an option is invalid. Invalid files are left \
            unchanged.
            """)

    var paths: [String] = []
    var configurationOptions = ConfigurationOptions()
    var check = false
    var diff = false
    var stdin = false
    var fileRoot: String?
    var color: ColorChoice = .auto

    static var syntax: [Syntax] {
        [
            .arguments(
                "path", \.paths,
                "Files, directories of suites and mock files, or - for stdin (default: .)"),
            .group(\.configurationOptions),
            .flag(
                "check", \.check,
                "List unformatted files without writing; exit with 1 if there are any"),
            .flag("diff", \.diff, "Show changes as a unified diff without writing"),
            .flag("stdin", \.stdin, "Format standard input to standard output"),
            .option(
                "file-root", value: "directory", \.fileRoot,
                "Do not follow symbolic links out of this directory (default: current)"),
            .option("color", \.color, "When to use color"),
        ]
    }

    private var readsStandardInput: Bool { stdin || paths == ["-"] }

    func validate() throws {
        try SuiteOptions.check(paths)
        if paths.contains("-") && paths != ["-"] || stdin && !(paths.isEmpty || paths == ["-"]) {
            throw UsageError(.conflictingOptions, "standard input cannot be combined with files")
        }
    }

    func run() throws {
        let directory = Path.workingDirectory
        let root = fileRoot.map { $0.hasPrefix("/") ? $0 : directory + "/" + $0 } ?? directory
        let formatter = SuiteFormatter(fileRoot: root, workingDirectory: directory)
        if readsStandardInput { return try formatStandardInput(formatter) }
        let (files, diagnostics) = formatter.format(paths: paths.isEmpty ? ["."] : paths)
        var problems = diagnostics
        let changed = files.filter(\.isChanged)
        for file in changed {
            if diff { StandardOutput.write(file.difference) }
            if check || diff {
                if !diff { StandardOutput.write("\(file.path)\n") }
                continue
            }
            do throws(FileWriteFailure) {
                try file.write()
                StandardOutput.write("formatted \(file.path)\n")
            } catch {
                problems.append(
                    Diagnostic(
                        id: "unwritable-file", message: "the file \"\(file.path)\" cannot be written: \(error.reason)"))
            }
        }
        print(problems)
        let count = "\(changed.count) of \(files.count) \(files.count == 1 ? "file" : "files")"
        if check || diff {
            if !changed.isEmpty {
                StandardError.write("\(count) \(changed.count == 1 ? "is" : "are") not formatted\n")
            }
        } else {
            // Unreadable files are reported on standard error and do not count as results.
            if !files.isEmpty { StandardOutput.write("\(count) changed\n") }
        }
        try end(problems, isFormatted: changed.isEmpty)
    }

    private func formatStandardInput(_ formatter: SuiteFormatter) throws {
        guard let bytes = StandardInput.readAll() else {
            throw ExitStatus.invalid(
                .unreadableFile, because: "cannot read standard input: \(String(cString: strerror(errno)).lowercased())"
            )
        }
        let (text, diagnostics) = formatter.format(SourceFile(name: "<stdin>", text: bytes))
        print(diagnostics)
        guard let text else { throw ExitStatus.invalid }
        let file = FormattedFile(path: "<stdin>", target: "", before: bytes, after: text)
        if diff { StandardOutput.write(file.difference) }
        if !check, !diff { StandardOutput.write(String(decoding: text, as: UTF8.self)) }
        try end(diagnostics, isFormatted: !file.isChanged)
    }

    private func print(_ diagnostics: [Diagnostic]) {
        guard !diagnostics.isEmpty else { return }
        let isColored = color.isOn(for: STDERR_FILENO, environment: ProcessEnvironment.variables())
        StandardError.write(TextRenderer(color: isColored).render(diagnostics))
    }

    private func end(_ diagnostics: [Diagnostic], isFormatted: Bool) throws {
        if diagnostics.contains(where: { $0.severity == .error }) { throw ExitStatus.invalid }
        if check, !isFormatted { throw ExitStatus.failed }
    }
}
