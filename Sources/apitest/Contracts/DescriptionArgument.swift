import Diagnostics
import Glibc
import OpenAPI
import SuiteLoader
import YAML

/// A description that is named on the command line: a file, one of a revision, or `-` for standard input.
struct DescriptionArgument: DocumentSource {
    /// What it is called.
    let name: String
    /// The location of the main file.
    let location: String
    private let files: any DocumentSource
    /// The main file, where that was read already, or why there is none.
    private let main: LocatedDocument.Reading?

    /// Finds a description.
    ///
    /// - Parameters:
    ///   - text: A path, `git:REVISION:path`, or `-`.
    ///   - options: The files that it may refer to.
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

    /// Finds a description that a suite can name later: a file or standard input.
    ///
    /// - Parameters:
    ///   - text: A path, or `-`.
    ///   - options: The files that it may refer to.
    ///   - command: The command that reads it.
    /// - Throws: ``ExitStatus/invalid`` for a URL or a revision, and for standard input that cannot be read, which is printed.
    init(_ text: String, options: DescriptionOptions, command: String) throws {
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            throw ExitStatus.invalid(
                because: "\(command): \(text) is not loaded from the network: "
                    + "save it with curl -fo openapi.yaml \(text), or pipe it: curl -f \(text) | apitest \(command) -")
        }
        if text.hasPrefix(RevisionSource.prefix) {
            let object = text.dropFirst(RevisionSource.prefix.count)
            throw ExitStatus.invalid(
                because: "\(command): a suite cannot name \(text): save it with git show \(object) > openapi.yaml, "
                    + "and give that file")
        }
        self.init(text, options: options)
        if text == "-", case .problems(let problems)? = main, let problem = problems.first,
            problem.id == "unreadable-file"
        {
            throw ExitStatus.invalid(because: "\(command): \(problem.message)")
        }
    }

    func document(at location: String) -> LocatedDocument.Reading {
        if location == self.location, let main { return main }
        return files.document(at: location)
    }

    func location(ofURI uri: String) -> String? { files.location(ofURI: uri) }

    /// Reads standard input; its name has the ending of JSON where it is to be read as JSON.
    private static func standardInput() -> (name: String, reading: LocatedDocument.Reading) {
        guard let bytes = StandardInput.readAll() else {
            let reason = String(cString: strerror(errno)).lowercased()
            let problem = Diagnostic(
                id: "unreadable-file", message: "standard input cannot be read: \(reason)")
            return ("standard-input", .problems([problem]))
        }
        let isJSON = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
        let file = SourceFile(name: isJSON ? "standard-input.json" : "standard-input", text: bytes)
        return (file.name, LocatedDocument.read(file, as: "description"))
    }
}
