import Diagnostics
import FileSystem
import Glibc
import Runner
import SuiteLoader

/// The options that say how OpenAPI descriptions are read, and how what is wrong with them is shown.
struct DescriptionOptions: OptionGroup {
    var fileRoot: String?
    var schemaOptions = SchemaFileOptions()
    var color: ColorChoice = .auto

    static var syntax: [Syntax] {
        [
            .option(
                "file-root", value: "folder", \.fileRoot,
                "The folder that files named in descriptions must be in; without it, the current folder, or the description's.",
                completion: .directories),
            .group(\.schemaOptions),
            .option("color", \.color, "Color: auto, always or never."),
        ]
    }

    /// The source of a description's files.
    ///
    /// - Parameter path: The path of the description as it was given.
    func source(of path: String) -> DescriptionSource {
        let folder = Path.workingDirectory
        var source = DescriptionSource(
            description: path, workingDirectory: folder,
            fileRoot: fileRoot.map { $0.hasPrefix("/") ? $0 : folder + "/" + $0 })
        for entry in schemaOptions.files { source.add(entry.file, forURI: entry.uri) }
        return source
    }

    /// Prints problems on standard error.
    func printDiagnostics(_ diagnostics: [Diagnostic]) {
        guard !diagnostics.isEmpty else { return }
        let isColored = color.isOn(for: STDERR_FILENO, environment: ProcessEnvironment.variables())
        StandardError.write(TextRenderer(color: isColored).render(diagnostics))
    }
}
