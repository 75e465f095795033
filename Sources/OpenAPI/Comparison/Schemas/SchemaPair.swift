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
