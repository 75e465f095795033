import JSON

extension SchemaCompiler {
    /// Turns what was read of a schema into a node.
    mutating func finish(_ index: NodeIndex, _ builder: NodeBuilder) {
        var node = SchemaNode()
        node.resource = nodes[Int(index)].resource
        node.types = builder.isNullable ? builder.types.union(.null) : builder.types
        node.isReferenceOnly = builder.isReferenceOnly
        if !builder.values.isEmpty {
            node.values = Int32(values.count)
            node.valueCount = Int32(builder.values.count)
            values += builder.values
            node.checkedTypes = .all
        }
        let bounds = builder.allBounds
        if !bounds.isEmpty || builder.divisor != nil {
            node.number = Int32(numbers.count)
            numbers.append(NumberKeywords(bounds: bounds, divisor: builder.divisor))
            node.checkedTypes.formUnion([.number, .integer])
        }
        if let keywords = builder.stringKeywords {
            node.string = Int32(strings.count)
            strings.append(keywords)
            node.checkedTypes.insert(.string)
        }
        if let keywords = builder.arrayKeywords {
            node.array = Int32(arrays.count)
            arrays.append(keywords)
            node.checkedTypes.insert(.array)
        }
        if let keywords = builder.objectKeywords {
            node.object = Int32(objects.count)
            objects.append(keywords)
            node.checkedTypes.insert(.object)
        }
        node.unevaluatedItems = builder.unevaluatedItems
        if node.unevaluatedItems >= 0 { node.checkedTypes.insert(.array) }
        node.unevaluatedProperties = builder.unevaluatedProperties
        if node.unevaluatedProperties >= 0 { node.checkedTypes.insert(.object) }
        var own = builder.applicators
        noteHint(builder)
        if builder.condition >= 0 {
            own.append(.conditional(builder.condition, then: builder.then, otherwise: builder.otherwise))
        }
        if !own.isEmpty {
            node.applicators = Int32(applicators.count)
            node.applicatorCount = Int32(own.count)
            applicators += own
            node.checkedTypes = .all
        }
        nodes[Int(index)] = node
    }
}
