import ArgumentParser
import Diagnostics
import Glibc
import Runner
import SuiteLoader

/// The options that say how OpenAPI descriptions are read, and how what is wrong with them is shown.
struct DescriptionOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The folder that files named in descriptions must be in; without it, the current folder, or the description's.",
            valueName: "folder"),
        completion: .directory)
    var fileRoot: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file that stands for a URI of a $ref; a URI that ends with / stands for a folder. Can be given several times.",
            valueName: "uri=file"))
    var schema: [String] = []

    @Option(name: .long, help: "Colour: auto, always or never.")
    var color: ColorChoice = .auto

    /// The source of a description's files.
    ///
    /// - Parameter path: The path of the description as it was given.
    func source(of path: String) -> DescriptionSource {
        let folder = SuiteOptions.currentFolder
        var source = DescriptionSource(
            description: path, workingDirectory: folder,
            fileRoot: fileRoot.map { $0.hasPrefix("/") ? $0 : folder + "/" + $0 })
        for entry in schema {
            guard let (uri, file) = Self.parts(ofSchema: entry) else { continue }
            source.add(file, forURI: uri)
        }
        return source
    }

    func validate() throws {
        for entry in schema where Self.parts(ofSchema: entry) == nil {
            throw ValidationError(
                "--schema \(entry): write a URI and a file, such as https://example.com/book.json=book.json")
        }
    }

    private static func parts(ofSchema entry: String) -> (uri: String, file: String)? {
        guard let separator = entry.lastIndex(of: "="), entry[..<separator].contains(":") else { return nil }
        let file = entry[entry.index(after: separator)...]
        return file.isEmpty ? nil : (String(entry[..<separator]), String(file))
    }

    /// Prints problems on standard error.
    func printDiagnostics(_ diagnostics: [Diagnostic]) {
        guard !diagnostics.isEmpty else { return }
        let isColored = color.isOn(for: STDERR_FILENO, environment: ProcessEnvironment.variables())
        StandardError.write(TextRenderer(color: isColored).render(diagnostics))
    }
}
