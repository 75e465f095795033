import JSON
import RunModel
import SuiteModel
import YAML

/// Reads the keys of a map that begin with `x-` as properties, for reports that other tools read.
enum ExtensionReader {
    /// The properties of a test: a map's members have their own names, so that every tool finds the name that it looks for.
    static func properties(ofTest node: YAMLNode) -> [Annotations.Property] {
        properties(of: node, readsMaps: true)
    }

    /// The properties of a suite: a map is left out, as most such maps hold what is used elsewhere by its anchor.
    static func properties(ofSuite node: YAMLNode) -> [Annotations.Property] {
        properties(of: node, readsMaps: false)
    }

    private static func properties(of node: YAMLNode, readsMaps: Bool) -> [Annotations.Property] {
        guard let mapping = node.mapping else { return [] }
        var properties: [Annotations.Property] = []
        for (key, value) in mapping {
            guard let name = key.scalar?.text, name.hasPrefix("x-") else { continue }
            guard let members = value.mapping else {
                properties.append(Annotations.Property(name: name, value: text(of: value)))
                continue
            }
            guard readsMaps else { continue }
            for (key, value) in members {
                guard let name = key.scalar?.text else { continue }
                properties.append(Annotations.Property(name: name, value: text(of: value)))
            }
        }
        return properties
    }

    /// A value as text: that of a scalar, the elements of a list of scalars with commas, otherwise JSON.
    private static func text(of node: YAMLNode) -> String {
        if let scalar = node.scalar { return scalar.text }
        guard let elements = node.sequence else { return node.json.serialized() }
        var texts: [String] = []
        for element in elements {
            guard let scalar = element.scalar else { return node.json.serialized() }
            texts.append(scalar.text)
        }
        return texts.joined(separator: ",")
    }
}
