import Diagnostics
import FileSystem
import Glibc
import SuiteFormat

/// The `apitest fmt PATH…` command.
struct FmtCommand: SynchronousCommand {
    static let description = CommandDescription(
        name: "fmt", abstract: "Format suites and mock files.",
        discussion: """
            Indentation, spaces, line ends and the order of known keys become uniform; values, comments and line breaks \
            stay. Each file is compared with what was made of it before it is replaced. Exit status: 0 done; 1 with \
            --check, a file is not formatted; 2 a file or an option is wrong, and such a file is left as it is.
            """)

    var paths: [String] = []
    var check = false
    var diff = false
    var stdin = false
    var fileRoot: String?
    var color: ColorChoice = .auto

    static var syntax: [Syntax] {
        [
            .arguments(
                "path", \.paths,
                "Files, folders (every suite *.apitest.yaml and mock file *.mock.yaml below them), or - for standard input."
            ),
            .flag(
                "check", \.check,
                "Write nothing; list the files that are not formatted, and end with status 1 if there are any."),
            .flag("diff", \.diff, "Write nothing; show what would change as a unified diff."),
            .flag("stdin", \.stdin, "Read standard input, and write what is formatted to standard output."),
            .option(
                "file-root", value: "folder", \.fileRoot,
                "The folder out of which no symbolic link is followed; without it, the current folder."),
            .option("color", \.color, "Color: auto, always or never."),
        ]
    }

    private var readsStandardInput: Bool { stdin || paths == ["-"] }

    func validate() throws {
        try SuiteOptions.check(paths)
        if !readsStandardInput, paths.isEmpty {
            throw UsageError("give a file or a folder, or - for standard input")
        }
        if paths.contains("-") && paths != ["-"] || stdin && !(paths.isEmpty || paths == ["-"]) {
            throw UsageError("standard input goes with no other file")
        }
    }

    func run() throws {
        let folder = Path.workingDirectory
        let root = fileRoot.map { $0.hasPrefix("/") ? $0 : folder + "/" + $0 } ?? folder
        let formatter = SuiteFormatter(fileRoot: root, workingDirectory: folder)
        if readsStandardInput { return try formatStandardInput(formatter) }
        let (files, diagnostics) = formatter.format(paths: paths)
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
            StandardError.write(
                "apitest: standard input cannot be read: \(String(cString: strerror(errno)).lowercased())\n")
            throw ExitStatus.invalid
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
