import Diagnostics
import JSON
import YAML

extension YAMLNode {
    /// Whether the node is the boolean `true`.
    var isTrue: Bool { scalar?.value == .bool(true) }

    /// Whether the node is an alias without an anchor: nothing, written with some characters.
    var isUndefinedAlias: Bool {
        guard isNull, scalar?.text.isEmpty == true else { return false }
        let range = range
        return range.start < range.end && range.text.utf8.first == UInt8(ascii: "*")
    }
}
