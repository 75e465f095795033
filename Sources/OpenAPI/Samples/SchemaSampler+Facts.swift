import JSON

extension SchemaSampler {
    private static let maximumBranches = 16

    /// The facts of schemas in the branches that a value follows.
    func facts(_ schemas: [DescriptionNode], describing value: JSONValue) -> SchemaFacts {
        var choices = SampleChoices()
        var first: SchemaFacts?
        for _ in 0..<Self.maximumBranches {
            choices.rewind()
            var reader = FactReader(description)
            for schema in schemas { reader.read(schema, &choices) }
            if reader.facts.mayDescribe(value) { return reader.facts }
            first = first ?? reader.facts
            if !choices.advance() { break }
        }
        return first ?? SchemaFacts()
    }
}

extension SchemaFacts {
    /// Whether a value may be one that was made of these branches: its type and required members fit.
    fileprivate func mayDescribe(_ value: JSONValue) -> Bool {
        if let allowed, !allowed.contains(value) { return false }
        switch value {
        case .null: return types.contains(.null)
        case .bool: return types.contains(.boolean)
        case .number: return !types.isDisjoint(with: .number)
        case .string: return types.contains(.string)
        case .array: return types.contains(.array)
        case .object(let object):
            guard types.contains(.object), required.allSatisfy({ object.contains($0) }) else { return false }
            let isClosed = additional.contains { $0.value.boolValue == false } && patternProperties.isEmpty
            return !isClosed || object.allSatisfy { !schemas(of: $0.key).isEmpty }
        }
    }
}
