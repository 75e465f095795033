/// All pairs of schemas that a comparison meets: each is compared once, whatever leads to it.
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

    /// Beyond this number of pairs, nothing further is compared: schemas that are merged with themselves without end.
    private static let largestCount = 250_000

    /// The position of a pair; its comparison is left to ``compareAll()``.
    mutating func position(_ oldSchemas: [DescriptionNode], _ newSchemas: [DescriptionNode]) -> Int {
        let key = Key(old: oldViews.position(of: oldSchemas), new: newViews.position(of: newSchemas))
        if let known = positions[key] { return known }
        // The first pair is that of nothing and nothing.
        guard pairs.count < Self.largestCount else { return 0 }
        let position = pairs.count
        pairs.append(SchemaPair(old: key.old, new: key.new))
        positions[key] = position
        return position
    }

    /// The view of schemas of the old description.
    mutating func oldView(_ schemas: [DescriptionNode]) -> SchemaView { oldViews.view(of: schemas) }

    /// The view of schemas of the new description.
    mutating func newView(_ schemas: [DescriptionNode]) -> SchemaView { newViews.view(of: schemas) }

    /// Compares all pairs, and those that they lead to.
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

    /// Marks each pair that differs or leads to one that does.
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

/// A schema of the old description beside one of the new: what differs, and the pairs inside.
struct SchemaPair {
    /// A way from a pair to one inside it.
    struct Edge {
        /// What is at the end of it.
        enum Kind: Equatable {
            /// A member.
            case property(isReadOnly: Bool, isWriteOnly: Bool)
            /// An element, or a member without a name of its own.
            case element
            /// The same value: an alternative, or a condition's consequence.
            case same
            /// The one element that a scalar is where a parameter is written without brackets.
            case single
        }

        var kind: Kind
        /// The piece of the path.
        var step: String
        /// The position of the pair.
        var target: Int
    }

    /// The position of the old schema's view.
    let old: Int
    /// The position of the new schema's view.
    let new: Int
    var findings: [SchemaFinding] = []
    var edges: [Edge] = []
    /// Whether the new schema is an array that may hold a value of the old one as its only element.
    var isWrapped: Bool { edges.contains { $0.kind == .single } }
    /// Whether something differs in it or in what it leads to.
    var differs = false
}
