import Diagnostics
import JSONPath
import SuiteModel
import YAML

/// Reads `snapshot`.
struct SnapshotReader {
    /// What the readers share.
    let context: LoadContext
    /// Reads the matchers of redacted parts.
    let matchers: MatcherReader

    /// The expectation that a node is: `true`, a name, or a map; nil for `false`, which removes a default.
    func snapshot(_ node: YAMLNode) -> SnapshotExpectation? {
        var expectation = SnapshotExpectation(range: node.range)
        if let scalar = node.scalar {
            if !scalar.isString { return node.isTrue ? expectation : nil }
            expectation.name = name(node)
            return expectation
        }
        MapReader(context, SnapshotKey.schema).read(node) { key, _, value in
            switch key {
            case .name:
                expectation.name = name(value)
                expectation.range = value.range
            case .ignore: expectation.ignored = paths(value)
            case .keep: expectation.kept = paths(value)
            case .redact:
                for (key, operand) in value.members {
                    let path = context.jsonPath(key)
                    let matcher = matchers.matcher(operand)
                    guard let path else { continue }
                    expectation.redactions.append(
                        SnapshotExpectation.Redaction(path: path, range: key.range, matcher: matcher))
                }
            }
        }
        return expectation
    }

    private func name(_ node: YAMLNode) -> String {
        let name = matchers.templates.name(node, what: "the name of a snapshot")
        if name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
            context.report(
                "invalid-snapshot", "the name of a snapshot is no path", node.range,
                suggestion: "the files are in __snapshots__ beside the suite; write \"\(SnapshotName.stem([name]))\"")
        }
        return name
    }

    private func paths(_ node: YAMLNode) -> [JSONPath] {
        guard let sequence = node.sequence else { return context.jsonPath(node).map { [$0] } ?? [] }
        var paths: [JSONPath] = []
        for element in sequence {
            guard element.scalar?.isString == true else {
                context.reportType(element, expected: "a JSONPath")
                continue
            }
            if let path = context.jsonPath(element) { paths.append(path) }
        }
        return paths
    }
}
