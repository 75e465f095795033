import Basics
import JSON
import RegularExpressions

/// A compiler for a schema and all schemas that it refers to. It uses a work list instead of recursion.
struct SchemaCompiler {
    let options: JSONSchemaOptions
    var registry: SchemaRegistry
    var nodes: [SchemaNode] = []
    /// The place of each node.
    var locations: [LocationIndex] = []
    /// The nodes that have an index but are not compiled yet.
    private var pending: [NodeIndex] = []
    var applicators: [Applicator] = []
    var lists: [NodeIndex] = []
    var discriminators: [Discriminator] = []
    /// The discriminators of `anyOf` and `oneOf`, keyed by the start of their list of branches.
    var hints: [Int32: BranchHint] = [:]
    var pendingHints: [(start: Int32, count: Int32, discriminator: JSONObject)] = []
    var values: [ValueSet] = []
    var numbers: [NumberKeywords] = []
    var strings: [StringKeywords] = []
    var arrays: [ArrayKeywords] = []
    var objects: [ObjectKeywords] = []
    /// The expressions by pattern, because schemas often repeat a pattern.
    var patterns: [ExactText: RegularExpression] = [:]
    /// The names that dynamic references use, with their row numbers.
    private var dynamicNames: [ExactText: Int32] = [:]
    private var dynamicAnchors: [[Int32: NodeIndex]] = []

    /// The maximum number of entries in the table of dynamic anchors.
    private static let maximumTableSize = 4_000_000

    init(resources: JSONSchemaResources, options: JSONSchemaOptions) {
        self.options = options
        registry = SchemaRegistry(given: resources, maximumSchemas: options.limits.maximumSchemas)
    }

    /// Compiles the schema at a pointer in a document.
    mutating func compile(_ document: JSONValue, pointer: JSONPointer) throws(JSONSchemaError) -> Program {
        let uri = URIReference(options.baseURI ?? "").normalized.withoutFragment
        let dialect = SchemaDialect(options.dialect)
        let start: LocationIndex
        if pointer.tokens.isEmpty {
            let resource = try registry.register(document, uri: uri, dialect: dialect)
            start = registry.resources[Int(resource)].root
        } else {
            let resource = try registry.registerContainer(document, uri: uri, dialect: dialect)
            start = try registry.schema(at: pointer, in: resource)
        }
        let root = try node(at: start)
        try compilePending()
        try refuseEndlessRecursion()
        shortenReferences()
        findHints()
        findDiscriminators()
        return Program(
            nodes: nodes, root: root, applicators: applicators, lists: lists, discriminators: discriminators,
            hints: hints, values: values, numbers: numbers,
            strings: strings, arrays: arrays, objects: objects, dynamicAnchors: try dynamicTable(),
            resourceCount: registry.resources.count, locations: locationTable(), isPartial: isPartial)
    }

    private func locationTable() -> LocationTable {
        LocationTable(
            parents: registry.locations.map(\.parent), tokens: registry.locations.map(\.token), locations: locations,
            resourceURIs: registry.resources.map(\.uri), resourceRoots: registry.resources.map(\.root))
    }

    /// Returns the node of a schema's place. A new node is compiled later.
    mutating func node(at location: LocationIndex) throws(JSONSchemaError) -> NodeIndex {
        let known = registry.locations[Int(location)].node
        if known >= 0 { return known }
        guard nodes.count < options.limits.maximumSchemas else {
            throw registry.schemaError(
                "the schema is too large: more than \(options.limits.maximumSchemas) schemas", at: location)
        }
        let index = NodeIndex(nodes.count)
        nodes.append(SchemaNode())
        locations.append(location)
        registry.locations[Int(location)].node = index
        pending.append(index)
        return index
    }

    /// Returns the node of a schema that is the value of a keyword, or inside such a value.
    mutating func node(
        _ location: LocationIndex, _ tokens: String..., value: JSONValue
    ) throws(JSONSchemaError) -> NodeIndex {
        var inner = location
        for token in tokens {
            guard let child = registry.knownChild(inner, token) else {
                // This is reached only if a keyword is compiled whose shape has no schemas, which no dialect does.
                return try node(at: registry.child(inner, token, value))
            }
            inner = child
        }
        return try node(at: inner)
    }

    private mutating func compilePending() throws(JSONSchemaError) {
        repeat {
            while let index = pending.popLast() { try compile(index) }
            try findDynamicAnchors()
        } while !pending.isEmpty
    }

    private mutating func compile(_ index: NodeIndex) throws(JSONSchemaError) {
        let location = locations[Int(index)]
        nodes[Int(index)].resource = registry.locations[Int(location)].resource
        switch registry.locations[Int(location)].value {
        case .bool(let accepts):
            try checkBooleanSchema(at: location)
            if !accepts {
                nodes[Int(index)].types = []
                nodes[Int(index)].isNever = true
            }
        case .object(let schema):
            var builder = NodeBuilder(location: location, dialect: registry.dialect(at: location))
            try read(schema, into: &builder)
            finish(index, builder)
        case let other:
            throw registry.schemaError(
                "a schema must be an object or a boolean, got \(ValueDescription.typed(other))", at: location)
        }
    }

    private func checkBooleanSchema(at location: LocationIndex) throws(JSONSchemaError) {
        guard registry.dialect(at: location).draft == .draft4 else { return }
        let keyword = registry.locations[Int(location)].token
        if keyword == "additionalProperties" || keyword == "additionalItems" { return }
        throw registry.schemaError(
            "a draft 4 schema must be an object; write {} for true and {\"not\": {}} for false", at: location)
    }

    /// Returns the row number of the schemas with a dynamic anchor.
    mutating func dynamicAnchor(_ name: String) -> Int32 {
        if let known = dynamicNames[ExactText(name)] { return known }
        let number = Int32(dynamicAnchors.count)
        dynamicNames[ExactText(name)] = number
        dynamicAnchors.append([:])
        return number
    }

    /// Compiles the possible targets of dynamic references in the resources that are in use.
    private mutating func findDynamicAnchors() throws(JSONSchemaError) {
        guard !dynamicNames.isEmpty else { return }
        let used = Set(nodes.map(\.resource)).sorted()
        for (name, number) in dynamicNames.sorted(by: { $0.value < $1.value }) {
            for resource in used where dynamicAnchors[Int(number)][resource] == nil {
                guard let location = registry.resources[Int(resource)].dynamicAnchors[name] else { continue }
                dynamicAnchors[Int(number)][resource] = try node(at: location)
            }
        }
    }

    /// Returns the dynamic anchors as one flat table.
    private func dynamicTable() throws(JSONSchemaError) -> [NodeIndex] {
        let count = registry.resources.count
        guard dynamicAnchors.count <= SchemaCompiler.maximumTableSize / max(1, count) else {
            throw registry.schemaError(
                "the schema is too large: \(dynamicAnchors.count) dynamic anchors in \(count) resources",
                at: locations[0])
        }
        var table = [NodeIndex](repeating: -1, count: dynamicAnchors.count * count)
        for (name, nodes) in dynamicAnchors.enumerated() {
            for (resource, node) in nodes { table[name * count + Int(resource)] = node }
        }
        return table
    }

    /// Redirects nodes past plain references to their targets, unless the evaluation must record the resources.
    private mutating func shortenReferences() {
        for index in nodes.indices {
            var end = index
            var steps = 0
            // No cycles are left. The limit prevents quadratic time for long chains.
            while steps < 64, nodes[end].isReferenceOnly,
                case .reference(let target, _) = applicators[Int(nodes[end].applicators)],
                dynamicAnchors.isEmpty || nodes[end].resource == nodes[Int(target)].resource
            {
                end = Int(target)
                steps += 1
            }
            if end != index { nodes[index].forward = NodeIndex(end) }
        }
    }
}

extension SchemaCompiler {
    /// Stores the keywords of a schema in its node.
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
        // Members and elements that only an ignored `then` or `else` describes would count as unevaluated.
        let dependsOnCondition = isPartial && (builder.then >= 0 || builder.otherwise >= 0)
        node.unevaluatedItems = dependsOnCondition ? -1 : builder.unevaluatedItems
        if node.unevaluatedItems >= 0 { node.checkedTypes.insert(.array) }
        node.unevaluatedProperties = dependsOnCondition ? -1 : builder.unevaluatedProperties
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

extension SchemaCompiler {
    /// Rejects schemas that apply themselves to the same value, because their evaluation would never end.
    mutating func refuseEndlessRecursion() throws(JSONSchemaError) {
        /// The position of the search in one node: the node and its remaining successors.
        struct Step {
            let node: Int
            var successors: [NodeIndex]
        }
        enum State { case new, open, done }
        var states = [State](repeating: .new, count: nodes.count)
        for start in nodes.indices where states[start] == .new {
            var way = [Step(node: start, successors: inPlaceSuccessors(start))]
            states[start] = .open
            while let last = way.indices.last {
                guard let next = way[last].successors.popLast() else {
                    states[way[last].node] = .done
                    way.removeLast()
                    continue
                }
                switch states[Int(next)] {
                case .done: break
                case .new:
                    states[Int(next)] = .open
                    way.append(Step(node: Int(next), successors: inPlaceSuccessors(Int(next))))
                case .open:
                    let cycle = way.map(\.node).drop { $0 != Int(next) }
                    throw endlessRecursion(Array(cycle))
                }
            }
        }
    }

    private func endlessRecursion(_ cycle: [Int]) -> JSONSchemaError {
        // The reference closes the cycle, so the error points to it rather than to its target.
        let culprit = cycle.last { nodes[$0].applicatorCount > 0 && hasReference($0) } ?? cycle[0]
        let shown = cycle.prefix(5).map { "#\(registry.pointer(of: locations[$0]))" }
        let way = (shown + (cycle.count > 5 ? ["…"] : []) + [shown[0]]).joined(separator: " → ")
        return registry.schemaError(
            "infinite recursion: the schema refers to itself for the same value (\(way)); a reference must go "
                + "through a keyword such as \"properties\" or \"items\"",
            at: locations[culprit])
    }

    private func hasReference(_ node: Int) -> Bool {
        for applicator in range(of: node) {
            if case .reference = applicator { return true }
        }
        return false
    }

    private func range(of node: Int) -> ArraySlice<Applicator> {
        guard nodes[node].applicatorCount > 0 else { return [] }
        let start = Int(nodes[node].applicators)
        return applicators[start..<(start + Int(nodes[node].applicatorCount))]
    }

    /// Returns the nodes that a node applies to the same value.
    private func inPlaceSuccessors(_ node: Int) -> [NodeIndex] {
        var result: [NodeIndex] = []
        for applicator in range(of: node) {
            switch applicator {
            case .reference(let target, _), .not(let target): result.append(target)
            // The target is known only during the evaluation. The depth limit covers such a cycle.
            case .dynamicReference: break
            case .allOf(let start, let count), .anyOf(let start, let count, _),
                .oneOf(let start, let count, _):
                result += lists[Int(start)..<Int(start + count)]
            case .conditional(let condition, let then, let otherwise):
                result += [condition, then, otherwise].filter { $0 >= 0 }
            }
        }
        if nodes[node].object >= 0 { result += objects[Int(nodes[node].object)].dependentSchemas.map(\.node) }
        return result
    }
}
