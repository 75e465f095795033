public import JSON

extension SchemaSampler {
    /// Values in which exactly one thing does not follow a schema, the most telling first.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - value: A value that follows it.
    ///   - name: What the value is called where it is none of an object.
    public func negatives(_ schema: DescriptionNode, from value: JSONValue, name: String = "") -> [NegativeSample] {
        var reader = FactReader(description)
        var choices = SampleChoices()
        reader.read(schema, &choices)
        guard let object = value.objectValue else {
            return faults(of: value, reader.facts, member: name).filter { !accepts($0.value, schema) }
        }
        var found: [NegativeSample] = []
        for member in reader.facts.required where object.contains(member) {
            var less = object
            less.removeValue(forKey: member)
            found.append(
                NegativeSample(value: .object(less), fault: .missing, member: member, phrase: "without \(member)"))
        }
        for property in reader.facts.properties {
            guard let present = object[property.name] else { continue }
            var inner = FactReader(description)
            var branches = SampleChoices()
            for schema in property.schemas { inner.read(schema, &branches) }
            for fault in faults(of: present, inner.facts, member: property.name) {
                var changed = object
                changed[property.name] = fault.value
                found.append(
                    NegativeSample(
                        value: .object(changed), fault: fault.fault, member: property.name, phrase: fault.phrase))
            }
        }
        // What another branch allows is no fault.
        return found.filter { !accepts($0.value, schema) }
    }

    private func faults(of value: JSONValue, _ facts: SchemaFacts, member: String) -> [NegativeSample] {
        var found: [NegativeSample] = []
        func add(_ wrong: JSONValue, _ fault: NegativeSample.Fault, _ phrase: String) {
            found.append(NegativeSample(value: wrong, fault: fault, member: member, phrase: phrase))
        }
        let words = member.isEmpty ? "the value" : member
        if facts.allowed != nil, value.stringValue != nil {
            add(.string("unknown-value"), .enumeration, "with an unknown \(words)")
        }
        if !facts.types.contains(.string) || (facts.allowed != nil && value.stringValue == nil) {
            add(.string("text"), .type, "with a text as \(words)")
        } else if facts.types.isDisjoint(with: .number) {
            add(.number(12345), .type, "with a number as \(words)")
        }
        if let lower = facts.lower, !facts.types.isDisjoint(with: .number), facts.steps.isEmpty,
            let number = SampleDecimal(
                units: lower.value.units - (lower.isExclusive && lower.value.scale == 0 ? 0 : 1),
                scale: lower.value.scale
            ).number
        {
            add(.number(number), .bounds, "with \(words) too small")
        }
        if let upper = facts.upper, !facts.types.isDisjoint(with: .number), facts.steps.isEmpty,
            let number = SampleDecimal(
                units: upper.value.units + (upper.isExclusive && upper.value.scale == 0 ? 0 : 1),
                scale: upper.value.scale
            ).number
        {
            add(.number(number), .bounds, "with \(words) too large")
        }
        if let text = value.stringValue {
            if facts.minimumLength == 1 {
                add(.string(""), .length, "with an empty \(words)")
            } else if facts.minimumLength > 1 {
                let cut = String(String.UnicodeScalarView(text.unicodeScalars.prefix(facts.minimumLength - 1)))
                add(.string(cut), .length, "with \(words) too short")
            }
            if let longest = facts.maximumLength, longest < 300 {
                let extended = SampleWords.fitted(text, (longest + 1)...(longest + 1))
                add(.string(extended), .length, "with \(words) too long")
            }
            if !facts.patterns.isEmpty || facts.format != nil {
                add(.string("not \(text)"), .pattern, "with \(words) of the wrong form")
            }
        }
        return found
    }
}
