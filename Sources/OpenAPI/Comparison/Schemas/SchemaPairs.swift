/// The pairs of schemas in a comparison. Each pair is compared once, regardless of the number of uses.
struct SchemaPairs {
    private struct Key: Hashable {
        var old: Int
        var new: Int
    }

    let old: OpenAPIDescription
    let new: OpenAPIDescription
    let options: ComparisonOptions
    private(set) var pairs: [SchemaPair] = []
    private var oldViews: SchemaViews
    private var newViews: SchemaViews
    private var positions: [Key: Int] = [:]

    /// Creates an empty collection.
    init(old: OpenAPIDescription, new: OpenAPIDescription, options: ComparisonOptions) {
        self.old = old
        self.new = new
        self.options = options
        oldViews = SchemaViews(old)
        newViews = SchemaViews(new)
        _ = position([], [])
    }

    /// The maximum number of pairs, for schemas that merge with themselves endlessly. Further pairs are ignored.
    private static let maximumCount = 250_000

    /// Returns the index of a pair, which ``compareAll()`` compares later.
    mutating func position(_ oldSchemas: [DescriptionNode], _ newSchemas: [DescriptionNode]) -> Int {
        let key = Key(old: oldViews.position(of: oldSchemas), new: newViews.position(of: newSchemas))
        if let known = positions[key] { return known }
        // The pair at index 0 consists of empty schemas.
        guard pairs.count < Self.maximumCount else { return 0 }
        let position = pairs.count
        pairs.append(SchemaPair(old: key.old, new: key.new))
        positions[key] = position
        return position
    }

    /// Returns the view of schemas in the old description.
    mutating func oldView(_ schemas: [DescriptionNode]) -> SchemaView { oldViews.view(of: schemas) }

    /// Returns the view of schemas in the new description.
    mutating func newView(_ schemas: [DescriptionNode]) -> SchemaView { newViews.view(of: schemas) }

    /// Compares all pairs, including nested ones.
    mutating func compareAll() {
        var next = 0
        while next < pairs.count {
            var comparer = SchemaComparer(
                old: oldViews.all[pairs[next].old], new: newViews.all[pairs[next].new],
                equivalence: StructuralEquivalence(old: old, new: new))
            comparer.compare(in: &self)
            pairs[next].findings = comparer.findings
            pairs[next].edges = comparer.edges
            next += 1
        }
        markDifferences()
    }

    /// Marks each pair that differs or leads to a pair that differs.
    private mutating func markDifferences() {
        var parents = [[Int]](repeating: [], count: pairs.count)
        var pending: [Int] = []
        for (position, pair) in pairs.enumerated() {
            for edge in pair.edges { parents[edge.target].append(position) }
            let differs = pair.findings.contains { if case .allOf = $0.kind { false } else { true } }
            if differs {
                pairs[position].differs = true
                pending.append(position)
            }
        }
        while let position = pending.popLast() {
            for parent in parents[position] where !pairs[parent].differs {
                pairs[parent].differs = true
                pending.append(parent)
            }
        }
    }
}

/// A schema of the old description with its counterpart, their differences, and their nested pairs.
struct SchemaPair {
    /// An edge from a pair to a nested pair.
    struct Edge {
        /// The relation of the nested pair to the outer one.
        enum Kind: Equatable {
            /// A property.
            case property(isReadOnly: Bool, isWriteOnly: Bool)
            /// An element, or an additional property.
            case element
            /// The same value: an alternative, or the consequence of a condition.
            case same
            /// The only element of an array, which a scalar equals if a parameter is serialized without brackets.
            case single
        }

        var kind: Kind
        /// The component of the path.
        var step: String
        /// The index of the nested pair.
        var target: Int
    }

    /// The index of the old schema's view.
    let old: Int
    /// The index of the new schema's view.
    let new: Int
    var findings: [SchemaFinding] = []
    var edges: [Edge] = []
    /// Whether the new schema is an array that can contain a value of the old schema as its only element.
    var isWrapped: Bool { edges.contains { $0.kind == .single } }
    /// Whether the pair or any nested pair differs.
    var differs = false
}
