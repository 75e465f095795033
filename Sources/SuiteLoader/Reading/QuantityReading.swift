import YAML

extension LoadContext {
    /// The nanoseconds of a duration; what is wrong is reported and gives nil.
    func duration(_ node: YAMLNode) -> Int64? {
        quantity(node, noun: "duration", unit: "s", read: QuantityReader.duration)
    }

    /// The bytes of a size; what is wrong is reported and gives nil.
    func size(_ node: YAMLNode) -> Int64? {
        quantity(node, noun: "size", unit: "KB", read: QuantityReader.size)
    }

    private func quantity(
        _ node: YAMLNode, noun: String, unit: String,
        read: (String) throws(QuantityReader.Problem) -> Int64
    ) -> Int64? {
        guard let scalar = node.scalar else {
            reportType(node, expected: "a \(noun)")
            return nil
        }
        switch NodeForms(of: scalar) {
        case .number:
            report(
                "invalid-\(noun)", "a \(noun) needs a unit", node.range,
                suggestion: "write for example \"\(scalar.text)\(unit)\"")
            return nil
        case .string: break
        default:
            reportType(node, expected: "a \(noun)")
            return nil
        }
        if scalar.text.contains("${") {
            report("expression-not-allowed", "a \(noun) cannot hold an expression", node.range)
            return nil
        }
        do {
            return try read(scalar.text)
        } catch {
            report("invalid-\(noun)", error.message, node.range, suggestion: error.suggestion)
            return nil
        }
    }
}
