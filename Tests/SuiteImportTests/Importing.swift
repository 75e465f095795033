import Diagnostics
import FoundationEssentials
import SuiteFormat
import SuiteLint
import SuiteLoader
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteImport

/// A project directory with the result of an import.
struct Imported {
    let project: ProjectDirectory
    let result: ImportResult

    /// The text of the only suite; empty if there is none.
    var text: String { text(0) }

    /// The lines of the only suite without its `name`, for expected texts.
    var body: String {
        text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("name: ") }
            .joined(separator: "\n")
    }

    /// Returns the text of a suite.
    func text(_ index: Int) -> String {
        result.files.indices.contains(index) ? String(decoding: result.files[index].suite.text, as: UTF8.self) : ""
    }

    /// The constructs that were not translated, with their numbers.
    var untranslated: [String] { result.counts.untranslated.entries.map { "\($0.name) (\($0.count))" } }
    /// The kinds of requests that were left out, with their numbers.
    var omitted: [String] { result.counts.omitted.entries.map { "\($0.name) (\($0.count))" } }
}

/// Imports a source in a project directory.
///
/// - Parameters:
///   - text: The contents of the source.
///   - name: The name of its file, relative to the directory.
///   - files: Further files in the directory.
///   - isSound: Whether the suites must load without errors, have no warnings, and be formatted.
func importing(
    _ text: String, as name: String = "requests.sh", files: [String: String] = [:], format: ImportFormat? = nil,
    only: [String] = [], isSplit: Bool = false, isSound: Bool = true, _ location: SourceLocation = #_sourceLocation
) throws -> Imported {
    let project = try ProjectDirectory(files.merging([name: text]) { $1 })
    var options = ImportOptions(workingDirectory: project.path, outputDirectory: project.path)
    options.only = only
    let result = ImportRun.run(
        [SourceFile(name: name, text: text)], format: format, isSplit: isSplit, options: options)
    if isSound {
        #expect(
            result.diagnostics.isEmpty, "\(TextRenderer(color: false).render(result.diagnostics))",
            sourceLocation: location)
    }
    let imported = Imported(project: project, result: result)
    if isSound { try expectSound(imported, location) }
    return imported
}

/// Expects that the imported suites load without problems, that the linter finds nothing, and that they are formatted.
func expectSound(_ imported: Imported, _ location: SourceLocation = #_sourceLocation) throws {
    for file in imported.result.files {
        let path = imported.project.path + "/" + file.name
        try Data(file.suite.text).write(to: URL(filePath: path))
        let text = String(decoding: file.suite.text, as: UTF8.self)
        let loaded = imported.project.load(path)
        let findings = SuiteLinter().lint(loaded).diagnostics
        #expect(findings.isEmpty, "\(TextRenderer(color: false).render(findings))\n\(text)", sourceLocation: location)
        let formatter = SuiteFormatter(fileRoot: imported.project.path, workingDirectory: imported.project.path)
        let formatted = formatter.format(SourceFile(name: file.name, text: file.suite.text))
        #expect(formatted.text == file.suite.text, "not formatted:\n\(text)", sourceLocation: location)
    }
}
