/// A macro that goes through a list or a map.
struct Comprehension: Sendable {
    enum Kind: String, Sendable {
        case all
        case exists
        case existsOne
        case map
        case filter
        case sortBy
        case transformList
        case transformMap
        case transformMapEntry
    }

    let kind: Kind
    /// The list or map.
    let range: Int
    /// The place of the first variable; a second one is behind it.
    let slot: Int
    let names: [String]
    /// What an element must fulfil to be taken, for `map` and the transformations.
    let condition: Int?
    /// The predicate or the transformation.
    let body: Int

    var hasTwoVariables: Bool { names.count == 2 }
}
