import Diagnostics
import JSON
import Testing
import YAML

/// The result of parsing a text.
struct Reading {
    let documents: [YAMLNode]
    let diagnostics: [Diagnostic]

    init(_ text: String, limits: YAMLLimits = .init()) {
        self.init(bytes: Array(text.utf8), limits: limits)
    }

    init(bytes: [UInt8], limits: YAMLLimits = .init()) {
        (documents, diagnostics) = YAMLStream.parse(SourceFile(name: "a.yaml", text: bytes), limits: limits)
    }

    /// The root of the first document.
    var root: YAMLNode {
        get throws { try #require(documents.first) }
    }

    /// The IDs and ranges, such as `duplicate-key 3:1-3:2`.
    var problems: [String] {
        diagnostics.map { diagnostic in
            guard let range = diagnostic.range else { return diagnostic.id }
            return "\(diagnostic.id) \(location(range))"
        }
    }

    var rendered: String { TextRenderer(color: false).render(diagnostics) }
}

/// Returns the start and end of a range, such as `3:1-3:2`.
func location(_ range: SourceRange) -> String {
    "\(range.start.line):\(range.start.column)-\(range.end.line):\(range.end.column)"
}
