package import Diagnostics
package import YAML

/// The reading of YAML files of other tools.
package enum YAMLSource {
    /// The problems that do not keep other tools from reading a file.
    package static let tolerated: Set<String> = ["duplicate-key", "unknown-tag", "wrong-tag"]

    /// Returns the documents of a file, and notes on unknown tags; nil after a syntax error, which is reported.
    package static func documents(
        _ file: SourceFile, _ context: inout ImportContext
    ) -> (documents: [YAMLNode], notes: [ImportNote])? {
        let (documents, diagnostics) = parse(file)
        let errors = diagnostics.filter { $0.severity == .error && !tolerated.contains($0.id) }
        guard errors.isEmpty else {
            context.report(errors)
            return nil
        }
        let unknown = diagnostics.filter { $0.id == "unknown-tag" || $0.id == "wrong-tag" }.compactMap(\.range)
        return (
            documents, unknown.map { context.untranslated("tag", in: file, line: Int($0.start.line), source: $0.text) }
        )
    }

    /// Parses a file within the limits of imports.
    package static func parse(_ file: SourceFile) -> (documents: [YAMLNode], diagnostics: [Diagnostic]) {
        YAMLStream.parse(file, limits: YAMLLimits(maximumDepth: ImportLimits.depth))
    }
}
