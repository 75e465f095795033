/// The keywords that check arrays.
final class ArrayKeywords: Sendable {
    let minimumCount: Int
    let maximumCount: Int
    let isUnique: Bool
    /// Schemas of the first elements: `prefixItems`, or `items` as an array.
    let prefix: [NodeIndex]
    /// The schema of the others: `items`, or `additionalItems`; -1 for none.
    let rest: NodeIndex
    /// Whether the keywords are those of the drafts before 2020-12: `items` as an array and `additionalItems`.
    let usesAdditionalItems: Bool
    /// -1 for none.
    let contains: NodeIndex
    let minimumContained: Int
    let maximumContained: Int
    /// Whether elements that `contains` applies to count as evaluated.
    let containsEvaluates: Bool

    init(
        minimumCount: Int, maximumCount: Int, isUnique: Bool, prefix: [NodeIndex], rest: NodeIndex,
        usesAdditionalItems: Bool, contains: NodeIndex, minimumContained: Int, maximumContained: Int,
        containsEvaluates: Bool
    ) {
        self.minimumCount = minimumCount
        self.maximumCount = maximumCount
        self.isUnique = isUnique
        self.prefix = prefix
        self.rest = rest
        self.usesAdditionalItems = usesAdditionalItems
        self.contains = contains
        self.minimumContained = minimumContained
        self.maximumContained = maximumContained
        self.containsEvaluates = containsEvaluates
    }

    /// The keyword of the first elements' schemas.
    var prefixKeyword: String { usesAdditionalItems ? "items" : "prefixItems" }
    /// The keyword of the other elements' schema.
    var restKeyword: String { usesAdditionalItems ? "additionalItems" : "items" }
}
