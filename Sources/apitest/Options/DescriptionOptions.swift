import Basics
import Diagnostics
import FileSystem
import Glibc
import OpenAPI
import Runner
import SuiteLoader
import YAML

/// The options for reading OpenAPI descriptions and for showing their problems.
struct DescriptionOptions: OptionGroup {
    var fileRoot: String?
    var schemaOptions = SchemaFileOptions()
    var color: ColorChoice = .auto

    static var syntax: [Syntax] {
        [
            .option(
                "file-root", value: "directory", \.fileRoot,
                "Directory that must contain all referenced files",
                completion: .directories),
            .group(\.schemaOptions),
            .option("color", \.color, "When to use color"),
        ]
    }

    /// Returns a source for the files of a description.
    ///
    /// - Parameter path: The path of the description as given by the user.
    func source(of path: String) -> DescriptionSource {
        let directory = Path.workingDirectory
        var source = DescriptionSource(
            description: path, workingDirectory: directory,
            fileRoot: fileRoot.map { $0.hasPrefix("/") ? $0 : directory + "/" + $0 })
        for entry in schemaOptions.files { source.add(entry.file, forURI: entry.uri) }
        return source
    }

    /// Prints problems to standard error.
    func printDiagnostics(_ diagnostics: [Diagnostic]) {
        guard !diagnostics.isEmpty else { return }
        let isColored = color.isOn(for: STDERR_FILENO, environment: ProcessEnvironment.variables())
        StandardError.write(TextRenderer(color: isColored).render(diagnostics))
    }
}

/// A description named on the command line: a file, a file of a revision, or `-` for standard input.
struct DescriptionArgument: DocumentSource {
    /// The name of the description in messages.
    let name: String
    /// The location of the main file.
    let location: String
    private let files: any DocumentSource
    /// The main file or the problems with it, if it has already been read.
    private let main: LocatedDocument.Reading?

    /// Creates a source for a description.
    ///
    /// - Parameters:
    ///   - text: A path, `git:REVISION:path`, or `-`.
    ///   - options: The options for the files that it may refer to.
    init(_ text: String, options: DescriptionOptions) {
        if text == "-" {
            let file = Self.standardInput()
            let files = options.source(of: file.name)
            name = "standard input"
            location = files.location(of: file.name)
            main = file.reading
            self.files = files
        } else if text.hasPrefix(RevisionSource.prefix) {
            name = text
            files = RevisionSource(others: options.source(of: "revision"))
            switch RevisionSource.location(of: text) {
            case .success(let found):
                location = found
                main = nil
            case .failure(let problem):
                location = text
                main = .problems([problem.diagnostic])
            }
        } else {
            let files = options.source(of: text)
            name = text
            location = files.location(of: text)
            main = nil
            self.files = files
        }
    }

    /// Creates a source for a description that a suite can refer to later: a file or standard input.
    ///
    /// - Parameters:
    ///   - text: A path or `-`.
    ///   - options: The options for the files that it may refer to.
    ///   - command: The command that reads the description.
    /// - Throws: ``ExitStatus/invalid`` for a URL or a revision, or if standard input cannot be read. The error is
    ///   printed.
    init(_ text: String, options: DescriptionOptions, command: String) throws {
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            throw ExitStatus.invalid(
                .fileRequired,
                because: "\(command): \(text) is a URL, which cannot be loaded here: "
                    + "save it with curl -fo openapi.yaml \(text), or pipe it: curl -f \(text) | apitest \(command) -")
        }
        if text.hasPrefix(RevisionSource.prefix) {
            let object = text.dropFirst(RevisionSource.prefix.count)
            throw ExitStatus.invalid(
                .fileRequired,
                because: "\(command): a suite cannot refer to \(text): save it with git show \(object) > openapi.yaml, "
                    + "and pass that file")
        }
        self.init(text, options: options)
        if text == "-", case .problems(let problems)? = main, let problem = problems.first,
            problem.id == "unreadable-file"
        {
            throw ExitStatus.invalid(.unreadableFile, because: "\(command): \(problem.message)")
        }
    }

    func document(at location: String) -> LocatedDocument.Reading {
        if location == self.location, let main { return main }
        return files.document(at: location)
    }

    func location(ofURI uri: String) -> String? { files.location(ofURI: uri) }

    /// Reads standard input.
    ///
    /// The returned name has the JSON extension if the contents are JSON.
    private static func standardInput() -> (name: String, reading: LocatedDocument.Reading) {
        guard let bytes = StandardInput.readAll() else {
            let reason = String(cString: strerror(errno)).lowercased()
            let problem = Diagnostic(
                id: "unreadable-file", message: "cannot read standard input: \(reason)")
            return ("standard-input", .problems([problem]))
        }
        let isJSON = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
        let file = SourceFile(name: isJSON ? "standard-input.json" : "standard-input", text: bytes)
        return (file.name, LocatedDocument.read(file, as: "description"))
    }
}

/// A description that was named on the command line and has been read.
///
/// It comes from a file, a server, a revision, or standard input.
struct NamedDescription {
    /// The name of the description in messages.
    let name: String
    /// The description, or `nil` if it could not be read.
    let description: OpenAPIDescription?
    /// The problems with the description.
    let problems: [Diagnostic]

    /// Reads a description.
    ///
    /// - Parameters:
    ///   - text: A path, a URL, `git:REVISION:path`, or `-` for standard input.
    ///   - options: The options for the files that it may refer to.
    ///   - connection: The options for connections to servers.
    ///   - command: The command that reads the description.
    ///   - read: Reads the file at a location along with the files that it refers to.
    /// - Throws: ``ExitStatus/invalid`` if a connection option is invalid. The error is printed.
    init(
        _ text: String, options: DescriptionOptions, connection: ConnectionOptions, command: String,
        read: (OpenAPILoader, String) -> (OpenAPIDescription?, [Diagnostic])
    ) async throws {
        guard RemoteDescription.isURL(text) else {
            let source = DescriptionArgument(text, options: options)
            name = source.name
            (description, problems) = read(OpenAPILoader(source: source), source.location)
            return
        }
        let trust = try connection.trust()
        let routes = try connection.routes()
        do throws(RunRoutes.Failure) {
            let remote = try RemoteDescription(
                text, trust: trust, routes: routes, version: Apitest.version, others: options.source(of: "remote"))
            name = remote.name
            (description, problems) = await remote.load(read)
        } catch {
            throw ExitStatus.invalid(.invalidOption, because: "\(command): \"\(text)\": \(error.message)")
        }
    }
}
