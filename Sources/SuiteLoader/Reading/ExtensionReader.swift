import JSON
import RunModel
import SuiteModel
import YAML

/// Reads the `x-` keys of a mapping as properties, for reports that other tools process.
enum ExtensionReader {
    /// Returns the properties of a test. The members of a mapping become separate properties, so that tools find their
    /// names.
    static func properties(ofTest node: YAMLNode) -> [Annotations.Property] {
        properties(of: node, readsMaps: true)
    }

    /// Returns the properties of a suite without mappings, because most mappings only define values for reuse by
    /// anchors.
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

    /// Returns a value as a string: a scalar, the comma-separated elements of a sequence of scalars, or JSON.
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
