import RegularExpressions

/// The keywords that check objects.
final class ObjectKeywords: Sendable {
    /// One of `patternProperties`.
    struct Pattern: Sendable {
        let expression: RegularExpression
        let node: NodeIndex
    }

    /// One of `dependentRequired`, or of `dependencies` with names.
    struct RequiredNames: Sendable {
        let name: String
        let names: [String]
        let keyword: String
    }

    /// One of `dependentSchemas`, or of `dependencies` with a schema.
    struct DependentSchema: Sendable {
        let name: String
        let node: NodeIndex
        let keyword: String
    }

    /// What `additionalProperties` says.
    enum Additional: Sendable, Equatable {
        case allowed
        case forbidden
        case schema(NodeIndex)
    }

    /// The least number of members: that of `minProperties`, or of required names when these are more.
    let minimumCount: Int
    /// The number of `minProperties` itself.
    let statedMinimumCount: Int
    let maximumCount: Int
    /// The names of `properties` and `required`.
    let properties: PropertyTable
    let patterns: [Pattern]
    let additional: Additional
    /// The node of `additionalProperties`; -1 for none.
    let additionalNode: NodeIndex
    /// The node of `propertyNames`; -1 for none.
    let names: NodeIndex
    let dependentNames: [RequiredNames]
    let dependentSchemas: [DependentSchema]
    /// Whether names that `properties` does not have matter.
    let readsAllMembers: Bool
    /// Whether they matter only in that they are forbidden.
    let forbidsOthers: Bool

    init(
        minimumCount: Int, maximumCount: Int, properties: PropertyTable, patterns: [Pattern], additional: Additional,
        additionalNode: NodeIndex, names: NodeIndex, dependentNames: [RequiredNames],
        dependentSchemas: [DependentSchema]
    ) {
        statedMinimumCount = minimumCount
        self.minimumCount = max(minimumCount, properties.requiredCount)
        self.maximumCount = maximumCount
        self.properties = properties
        self.patterns = patterns
        self.additional = additional
        self.additionalNode = additionalNode
        self.names = names
        self.dependentNames = dependentNames
        self.dependentSchemas = dependentSchemas
        forbidsOthers = additional == .forbidden && patterns.isEmpty && names < 0
        readsAllMembers = !patterns.isEmpty || additionalNode >= 0 || names >= 0
    }
}
