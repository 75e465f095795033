import Diagnostics
import JSON
import YAML

/// The properties of any bytes that are parsed as YAML.
enum YAMLProperties {
    private static let limits = YAMLLimits(maximumDepth: 50, maximumExpandedNodes: 2_000, maximumDiagnostics: 20)

    static func check(_ input: [UInt8]) throws(PropertyViolation) {
        let file = SourceFile(name: "input.yaml", text: input)
        let (documents, diagnostics) = YAMLStream.parse(file, limits: limits)
        let isText = String(validating: input, as: UTF8.self) != nil
        for diagnostic in diagnostics { try check(diagnostic, isText: isText) }
        try require(diagnostics.count <= limits.maximumDiagnostics, "\(diagnostics.count) diagnostics")
        let hasErrors = diagnostics.contains { $0.severity == .error }
        _ = TextRenderer(color: true).render(diagnostics).utf8.count
        _ = JSONRenderer().render(diagnostics).utf8.count
        _ = GitHubRenderer().render(diagnostics).utf8.count
        for document in documents {
            // Every node has at least one byte or follows one, and aliases in each document may add as many again.
            var walk = YAMLWalk(
                limits: limits, maximumCount: 2 * input.count + limits.maximumExpandedNodes + 8, isText: isText,
                checksText: !hasErrors)
            try walk.check(document, parent: nil, depth: 0)
            try checkJSON(document)
        }
        try checkAgreement(input)
    }

    private static func check(_ diagnostic: Diagnostic, isText: Bool) throws(PropertyViolation) {
        try require(!diagnostic.id.isEmpty && !diagnostic.message.isEmpty, "a diagnostic without a message")
        for range in [diagnostic.range].compactMap(\.self) + diagnostic.related.compactMap(\.range) {
            try YAMLWalk.check(range, isText: isText, "of \(diagnostic.message)")
        }
    }

    private static func checkJSON(_ document: YAMLNode) throws(PropertyViolation) {
        let json = document.json
        guard let again = try? JSONParser().parse(json.serializedBytes()) else {
            throw PropertyViolation("the JSON cannot be read: \(json)")
        }
        try require(again == json, "the JSON is written as \(again) instead of \(json)")
    }

    /// Checks that JSON has the same value as YAML, except where YAML 1.1, which the parser follows, differs.
    private static func checkAgreement(_ input: [UInt8]) throws(PropertyViolation) {
        // YAML treats surrogate escapes, tabs between tokens and long keys differently from JSON.
        let isPlain = input.allSatisfy { ($0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\")) || $0 == 0x0A }
        let parser = JSONParser(limits: JSONParser.Limits(maximumDepth: 40), duplicateMembers: .reject)
        guard isPlain, input.count < 1_000, let value = try? parser.parse(input) else { return }
        // The value is serialized again, because YAML requires indentation and no line break before a colon.
        let file = SourceFile(name: "input.json", text: value.serializedBytes(.pretty))
        let (nodes, diagnostics) = YAMLStream.parse(file, limits: limits)
        try require(diagnostics.isEmpty, "JSON is no YAML: \(diagnostics.map(\.message))")
        try require(nodes.map(\.json) == [value], "\(value) is read as \(nodes.map(\.json))")
    }
}
