import Diagnostics
import SuiteFormat
import SuiteImport
import SuiteLoader

/// The properties of any bytes that are imported from the format of another tool.
enum ImportProperties {
    /// A directory that does not exist, so that no input can name a file.
    private static let directory = "/nonexistent"

    /// The names of the files of a Bruno collection in YAML, which have different parts.
    static let collection = [
        "shop/opencollection.yml", "shop/environments/local.yml", "shop/books/folder.yml", "shop/a.yml",
    ]

    /// Checks the properties for files with the same contents.
    static func check(
        _ input: [UInt8], format: ImportFormat, names: [String] = ["input"]
    ) throws(PropertyViolation) {
        let files = names.map { SourceFile(name: $0, text: input) }
        for file in files { _ = ImportRun.recognized(file) }
        let options = ImportOptions(workingDirectory: directory, outputDirectory: directory)
        let result = ImportRun.run(files, format: format, isSplit: true, options: options)
        let hasErrors = result.diagnostics.contains { $0.severity == .error }
        try require(!hasErrors || result.files.isEmpty, "suites in spite of errors")
        for diagnostic in result.diagnostics {
            try require(!diagnostic.id.isEmpty && !diagnostic.message.isEmpty, "a diagnostic without a message")
            guard let range = diagnostic.range else { continue }
            let bytes = range.byteRange
            try require(
                bytes.lowerBound >= 0 && bytes.upperBound <= input.count, "\(diagnostic.message) is outside the text")
        }
        try require(
            result.counts.translatedAssertions <= result.counts.assertions, "more translated assertions than assertions"
        )
        for file in result.files { try check(file) }
    }

    private static func check(_ file: ImportResult.File) throws(PropertyViolation) {
        let name = file.name
        try require(!name.contains("/") && !name.hasPrefix("."), "the file name \(name)")
        let source = SourceFile(name: name, text: file.suite.text)
        let loader = SuiteLoader(options: LoaderOptions(fileRoot: directory, workingDirectory: directory))
        let loaded = loader.load(source, absolutePath: directory + "/" + name)
        let text = String(decoding: file.suite.text, as: UTF8.self)
        if let problem = loaded.diagnostics.first(where: { $0.severity == .error }) {
            throw PropertyViolation("the suite does not load: \(problem.message)\n\(text)")
        }
        let formatter = SuiteFormatter(fileRoot: directory, workingDirectory: directory)
        try require(formatter.format(source).text == file.suite.text, "the suite is not formatted:\n\(text)")
    }
}
