import Basics
import ContractTools
import Diagnostics
import FileSystem
import Glibc
import OpenAPI
import RunModel
import SuiteFormat

/// The `apitest contract generate FILE` command.
struct ContractGenerateCommand: SynchronousCommand {
    static let description = CommandDescription(
        name: "generate", abstract: "Generate a suite from an OpenAPI description",
        discussion: """
            The suite has a test for each operation, with values from examples and schemas, and tests with invalid \
            requests that the server must reject. Values that could not be filled in are reported, and listed at the top \
            of the suite. Exit status: 0 the suite was written; 2 it was not.
            """)

    /// The generated requests that the server must reject.
    enum Negative: String, ArgumentValue, CaseIterable {
        case none, documented, always

        var tests: NegativeTests {
            switch self {
            case .none: .none
            case .documented: .documented
            case .always: .always
            }
        }
    }

    var file = ""
    var output: String?
    var operation: [String] = []
    var tag: [String] = []
    var negative = Negative.documented
    var noNegative = false
    var mock = false
    var force = false
    var strict = false
    var descriptionOptions = DescriptionOptions()

    static var syntax: [Syntax] {
        [
            .argument(
                "file", \.file, isRequired: true, "Main file of the description",
                completion: .files(["yaml", "yml", "json"])),
            .option(
                "output", short: "o", value: "file", \.output, "File to write (default: standard output)",
                completion: .files(["yaml", "yml"])),
            .option(
                "operation", \.operation,
                "Include only this operation: its operationId, or \"GET /books/{id}\""),
            .option("tag", \.tag, "Include only operations with this tag"),
            .option(
                "negative", value: "which", \.negative,
                "Invalid requests to test; always: even if no 4xx is documented"),
            .flag("no-negative", \.noNegative, "Same as --negative none"),
            .flag("mock", \.mock, "Start a mock of the description in the suite, to run without a server"),
            .flag("force", \.force, "Overwrite the file if it exists"),
            .flag("strict", \.strict, "Reject a description with any error, even in parts that no test uses"),
            .group(\.descriptionOptions),
        ]
    }

    func run() throws {
        try checkFile()
        let source = try DescriptionArgument(file, options: descriptionOptions, command: "contract generate")
        let (description, found) = OpenAPILoader(source: source).load(source.location, isStrict: strict)
        // Invalid parts are omitted, and the rest is generated.
        let problems = found.map { problem in
            var problem = problem
            if description != nil, !strict { problem.severity = min(problem.severity, .warning) }
            return problem
        }
        descriptionOptions.printDiagnostics(problems)
        guard let description, !problems.contains(where: { $0.severity == .error }) else { throw ExitStatus.invalid }
        try checkSelection(in: description)
        if let output, !force, access(output, F_OK) == 0 {
            throw ExitStatus.invalid(
                .existingFile, because: "contract generate: \"\(output)\" already exists: use --force to overwrite it")
        }
        var options = GenerationOptions(
            contractPath: output.map { Self.relative(file, to: $0) } ?? file)
        options.schemas = descriptionOptions.schemaOptions.files.map { entry in
            (entry.uri, output.map { Self.relative(entry.file, to: $0) } ?? entry.file)
        }
        options.operations = operation
        options.tags = tag
        options.negativeTests = noNegative ? .none : negative.tests
        options.servesMock = mock
        var generator = SuiteGenerator(description, options: options)
        let suite = generator.generate()
        for note in suite.notes {
            StandardError.write("note: \(note) [\(NoticeID.undocumentedSecurity.rawValue)]\n")
        }
        for gap in suite.gaps {
            StandardError.write("not derived from \(file): \(gap.text) [\(NoticeID.notDerived.rawValue)]\n")
        }
        guard suite.testCount > 0 else {
            throw ExitStatus.invalid(.nothingSelected, because: "contract generate: \(file) has no operations to test")
        }
        let directory = Path.workingDirectory
        let name = output ?? "suite.apitest.yaml"
        let formatter = SuiteFormatter(fileRoot: directory, workingDirectory: directory)
        let text = formatter.format(SourceFile(name: name, text: suite.text)).text ?? Array(suite.text.utf8)
        guard let output else {
            StandardOutput.write(String(decoding: text, as: UTF8.self))
            return
        }
        try write(text, to: output)
        StandardOutput.write(
            "wrote \(output): \(Self.count(suite.testCount, "test")) of \(Self.count(suite.operationCount, "operation"))\n"
        )
    }

    /// Exits if the description has no path that the suite could refer to.
    private func checkFile() throws {
        if file == "-" {
            throw ExitStatus.invalid(
                .fileRequired,
                because:
                    "contract generate: standard input has no path that the suite can refer to: "
                    + "save the description, and pass the file")
        }
        guard file.hasPrefix("http://") || file.hasPrefix("https://") else { return }
        throw ExitStatus.invalid(
            .fileRequired,
            because: "contract generate: \(file) is a URL, which cannot be loaded here: "
                + "save it with curl -fo openapi.yaml \(file), and pass the file")
    }

    /// Exits if the description lacks a selected operation or tag.
    private func checkSelection(in description: OpenAPIDescription) throws {
        let operations = description.operations
        for name in operation {
            let known = operations.contains { $0.id == name || $0.title.lowercased() == name.lowercased() }
            if known { continue }
            let names = operations.compactMap(\.id) + operations.map(\.title)
            let hint = Spelling.nearest(to: name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
            throw ExitStatus.invalid(
                .unknownOperation, because: "--operation \(name): \(file) does not have this operation\(hint)")
        }
        let tags = Set(operations.flatMap(\.tags))
        for name in tag where !tags.contains(name) {
            let hint = Spelling.nearest(to: name, among: tags.sorted()).map { "; did you mean \"\($0)\"?" } ?? ""
            throw ExitStatus.invalid(.unknownTag, because: "--tag \(name): no operation of \(file) has this tag\(hint)")
        }
    }

    private func write(_ text: [UInt8], to path: String) throws {
        // A file created in the meantime is not replaced either.
        let mode = O_WRONLY | O_CREAT | O_CLOEXEC | (force ? O_TRUNC : O_EXCL)
        let descriptor = open(path, mode, 0o666)
        var problem = descriptor < 0 ? errno : 0
        if descriptor >= 0 {
            problem = FileDescriptorWriter.writeAll(text, to: descriptor) ?? 0
            if close(descriptor) != 0, problem == 0 { problem = errno }
        }
        if problem != 0 {
            throw ExitStatus.invalid(
                .unwritableFile,
                because: "contract generate: cannot write \"\(path)\": \(String(cString: strerror(problem)))")
        }
    }

    /// Returns the path of a file relative to the directory of another one.
    static func relative(_ path: String, to other: String) -> String {
        if path.hasPrefix("/") != other.hasPrefix("/") { return path.hasPrefix("/") ? path : absolute(path) }
        var target = Path.parts(of: path)
        var base = Path.parts(of: other)
        if !base.isEmpty { base.removeLast() }
        while let first = target.first, first == base.first, target.count > 1 {
            target.removeFirst()
            base.removeFirst()
        }
        // The name of the parent directory is known only from the working directory.
        if base.contains("..") { return absolute(path) }
        return (base.map { _ in ".." } + target).joined(separator: "/")
    }

    private static func absolute(_ path: String) -> String { Path.workingDirectory + "/" + path }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
