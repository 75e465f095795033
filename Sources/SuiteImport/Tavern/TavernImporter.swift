import Basics
package import Diagnostics
import FileSystem
import YAML

/// Reads the files of Tavern: each becomes a suite, and each of its documents a test.
package enum TavernImporter: Importer {
    package static var format: ImportFormat { .tavern }

    package static func recognizes(_ file: SourceFile) -> Bool {
        var hasName = false
        var hasStages = false
        for line in file.text.prefix(1 << 18).split(separator: 0x0A) {
            if line.starts(with: "test_name:".utf8) { hasName = true }
            if line.starts(with: "stages:".utf8) { hasStages = true }
            if hasName, hasStages { return true }
        }
        return false
    }

    package static func suites(of files: [SourceFile], _ context: inout ImportContext) -> [ImportedSuite] {
        var sources: [TavernSource] = []
        for file in files {
            let source = TavernSource(file, &context)
            let errors = source.diagnostics.filter { $0.severity == .error && $0.id != "duplicate-key" }
            guard errors.isEmpty else {
                context.report(
                    errors.map { problem in
                        let range = problem.range.map { SourceRange(file: file, bytes: $0.byteRange) }
                        return Diagnostic(
                            id: problem.id, severity: problem.severity, message: problem.wording, range: range,
                            suggestion: problem.suggestionWording)
                    })
                continue
            }
            sources.append(source)
        }
        let configurations = sources.filter(\.isConfiguration)
        return sources.filter { !$0.isConfiguration }.map { source in
            var name = Path.lastComponent(of: source.file.name)
            for suffix in [".yaml", ".yml", ".tavern"] where name.hasSuffix(suffix) {
                name = String(name.dropLast(suffix.count))
            }
            var translator = TavernTranslator(source, configurations)
            return translator.suite(name: name == "<stdin>" ? "Tavern" : name, &context)
        }
    }
}
