import Basics
import Diagnostics
package import OpenAPI
package import YAML

/// In-memory files, by their location.
package struct TextSource: DocumentSource {
    private let texts: [String: String]

    package init(_ texts: [String: String]) {
        self.texts = texts
    }

    package func location(ofURI uri: String) -> String? { nil }

    package func document(at location: String) -> LocatedDocument.Reading {
        guard let text = texts[location] else {
            return .problems([Diagnostic(id: "missing-file", message: "there is no file \"\(location)\"")])
        }
        return LocatedDocument.read(SourceFile(name: String(location.drop { $0 == "/" }), text: text))
    }
}

extension TextSource {
    /// Loads the file `/openapi.yaml` and returns the description and its diagnostics as lines of text.
    package func load(_ location: String = "/openapi.yaml") -> (description: OpenAPIDescription?, problems: [String]) {
        let (description, problems) = OpenAPILoader(source: self).load(location)
        return (description, problems.map(Self.line))
    }

    /// Checks the file `/openapi.yaml` and returns the diagnostics as lines of text.
    package func check(_ location: String = "/openapi.yaml") -> [String] {
        OpenAPILoader(source: self).check(location).problems.map(Self.line)
    }

    private static func line(_ problem: Diagnostic) -> String {
        let location = problem.range.map { "\($0.file.name):\($0.start.line):\($0.start.column): " } ?? ""
        let suggestion = problem.suggestion.map { "; \($0)" } ?? ""
        return "\(location)\(problem.severity): \(problem.message)\(suggestion) [\(problem.id)]"
    }
}
