import JSON
import YAML

extension YAMLNode {
    /// Whether the node is the boolean `true`.
    var isTrue: Bool { scalar?.value == .bool(true) }
}
