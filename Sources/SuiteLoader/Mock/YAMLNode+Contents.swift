import YAML

extension YAMLNode {
    /// The members of a map; none of any other node.
    var members: [YAMLMapping.Element] { mapping.map(Array.init) ?? [] }

    /// The elements of a list; none of any other node.
    var elements: [YAMLNode] { sequence.map(Array.init) ?? [] }
}
