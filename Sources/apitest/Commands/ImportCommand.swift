import Basics
import Diagnostics
import FileSystem
import Glibc
import SuiteImport

/// The `apitest import FILE…` command.
struct ImportCommand: SynchronousCommand {
    static let description = CommandDescription(
        name: "import", abstract: "Import requests of other tools as suites",
        discussion: """
            Reads curl command lines, HTTP Archives (HAR), collections of Postman and Bruno, and files of Hurl, gabbi and \
            Tavern. Nothing of the files is executed, and no network is used. What has no translation stands in the \
            suite as a comment with its source line, and is counted on standard error. Exit status: 0 all suites were \
            written; 1 a part was not translated (--strict); 2 a file is invalid, and nothing was written.
            """)

    var files: [String] = []
    var output: String?
    var format: ImportFormat?
    var only: [String] = []
    var split = false
    var strict = false
    var force = false
    var color: ColorChoice = .auto

    static var syntax: [Syntax] {
        [
            .arguments(
                "file", \.files, isRequired: true, "Files to import, directories of such files, or - for stdin",
                completion: .files([])),
            .option(
                "output", short: "o", value: "directory", \.output,
                "Directory of the suites, created if missing (default: current)", completion: .directories),
            .option("format", \.format, "Format of the files (default: recognized by content)"),
            .option(
                "only", value: "pattern", \.only,
                "Import only these hosts, paths, directories, types (* matches any)"),
            .flag("split", \.split, "Write a suite for each directory or host of a file"),
            .flag("strict", \.strict, "Exit with 1 if a part was not translated"),
            .flag("force", \.force, "Overwrite suites that exist"),
            .option("color", \.color, "When to use color"),
        ]
    }

    func run() throws {
        let directory = Path.workingDirectory
        let target = output.map { $0.isEmpty ? "." : $0 } ?? "."
        var options = ImportOptions(
            workingDirectory: directory, outputDirectory: Path.normalized(Path.absolute(target, in: directory)))
        options.only = only
        let sources = try sources()
        // Paths in suites are checked from their directory.
        if target != "." { try OutputDirectory.create(target, command: "import") }
        let result = ImportRun.run(sources, format: format, isSplit: split, options: options)
        print(result.diagnostics)
        if result.diagnostics.contains(where: { $0.severity == .error }) { throw ExitStatus.invalid }
        guard !result.files.isEmpty else {
            ImportReport.write(result.counts)
            let (id, reason): (ProblemID, String) =
                only.isEmpty
                ? (.noRequests, "the files contain no requests")
                : (.nothingSelected, "--only selects no request of the files")
            throw ExitStatus.invalid(id, because: "import: \(reason), and nothing was written")
        }
        let paths = result.files.map { target == "." ? $0.name : "\(target)/\($0.name)" }
        try checkExisting(paths)
        for (file, path) in zip(result.files, paths) {
            try write(file.suite.text, to: path)
        }
        for (file, path) in zip(result.files, paths) { ImportReport.write(file.suite, to: path) }
        ImportReport.write(result.counts)
        if strict, !result.counts.untranslated.isEmpty { throw ExitStatus.failed }
    }

    // MARK: Sources

    private static let maximumDepth = 64
    private static let maximumFiles = 10_000

    private func sources() throws -> [SourceFile] {
        var sources: [SourceFile] = []
        for path in files {
            if path == "-" {
                guard let bytes = StandardInput.readAll() else {
                    throw ExitStatus.invalid(.unreadableFile, because: "import: cannot read standard input")
                }
                sources.append(SourceFile(name: "<stdin>", text: bytes))
                continue
            }
            switch File.kind(of: path) {
            case .directory:
                let found = try Self.files(in: path, depth: 0).compactMap { try? Self.source($0) }.filter { file in
                    ImportRun.recognizedInDirectory(file).map { format == nil || $0 == format } ?? false
                }
                if found.isEmpty {
                    throw ExitStatus.invalid(
                        .unknownImportFormat,
                        because: "import: no file in \"\(path)\" has a format that can be imported")
                }
                sources += found
            case .file, .other, nil: sources.append(try Self.source(path))
            }
        }
        return sources
    }

    private static func source(_ path: String) throws -> SourceFile {
        do {
            return SourceFile(name: path, text: try File.bytes(at: path))
        } catch {
            throw ExitStatus.invalid(
                .reading(isMissing: error.isMissing), because: "import: cannot read \"\(path)\": \(error.reason)")
        }
    }

    /// Returns the files below a directory, without hidden ones and without following links to directories.
    private static func files(in directory: String, depth: Int) throws -> [String] {
        var result: [String] = []
        for name in File.names(inDirectory: directory) ?? [] where !name.hasPrefix(".") {
            let path = "\(directory)/\(name)"
            switch File.kind(of: path) {
            case .file: result.append(path)
            case .directory where depth < maximumDepth && !File.isLink(path):
                result += try files(in: path, depth: depth + 1)
            case .directory, .other, nil: break
            }
            if result.count > maximumFiles {
                throw ExitStatus.invalid(
                    .importTooLarge, because: "import: \"\(directory)\" has more than \(maximumFiles) files")
            }
        }
        return result
    }

    // MARK: Output

    private func checkExisting(_ paths: [String]) throws {
        if force { return }
        let existing = paths.filter { access($0, F_OK) == 0 }
        guard let first = existing.first else { return }
        let others = existing.count > 1 ? " and \(ImportReport.count(existing.count - 1, "other file"))" : ""
        let verb = existing.count > 1 ? "exist" : "exists"
        throw ExitStatus.invalid(
            .existingFile,
            because: "import: \"\(first)\"\(others) already \(verb), and nothing was written: use --force to overwrite")
    }

    private func write(_ text: [UInt8], to path: String) throws {
        do {
            try FileReplacement.write(text, to: path)
        } catch {
            throw ExitStatus.invalid(
                .unwritableFile, because: "import: cannot write \"\(path)\": \(error.message.text)")
        }
    }

    private func print(_ diagnostics: [Diagnostic]) {
        guard !diagnostics.isEmpty else { return }
        let isColored = color.isOn(for: STDERR_FILENO, environment: ProcessEnvironment.variables())
        StandardError.write(TextRenderer(color: isColored).render(diagnostics))
    }
}

extension ImportFormat: ArgumentValue {}
