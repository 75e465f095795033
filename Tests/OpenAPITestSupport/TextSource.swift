import Diagnostics
package import OpenAPI
package import YAML

/// Files that are texts, by their locations.
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
    /// What loading the file `/openapi.yaml` gives: the description, and its problems as lines of text.
    package func load(_ location: String = "/openapi.yaml") -> (description: OpenAPIDescription?, problems: [String]) {
        let (description, problems) = OpenAPILoader(source: self).load(location)
        return (description, problems.map(Self.line))
    }

    /// What checking the file `/openapi.yaml` tells, as lines of text.
    package func check(_ location: String = "/openapi.yaml") -> [String] {
        OpenAPILoader(source: self).check(location).problems.map(Self.line)
    }

    private static func line(_ problem: Diagnostic) -> String {
        let place = problem.range.map { "\($0.file.name):\($0.start.line):\($0.start.column): " } ?? ""
        let suggestion = problem.suggestion.map { "; \($0)" } ?? ""
        return "\(place)\(problem.severity): \(problem.message)\(suggestion) [\(problem.id)]"
    }
}
