import JSON

/// What a schema compiles to: nodes that name each other and their keywords by index, so that cycles are no matter.
final class Program: Sendable {
    let nodes: [SchemaNode]
    let root: NodeIndex
    let applicators: [Applicator]
    /// The schemas of `allOf`, `anyOf` and `oneOf`.
    let lists: [NodeIndex]
    let discriminators: [Discriminator]
    /// The branches that OpenAPI's discriminators name, by the start of the list of branches.
    let hints: [Int32: BranchHint]
    let values: [ValueSet]
    let numbers: [NumberKeywords]
    let strings: [StringKeywords]
    let arrays: [ArrayKeywords]
    let objects: [ObjectKeywords]
    /// For each name that dynamic references ask for, and each resource: the node that has it there, or -1.
    let dynamicAnchors: [NodeIndex]
    /// How many resources nodes can belong to.
    let resourceCount: Int
    let locations: LocationTable

    /// Whether the resources that an evaluation came through have to be remembered.
    let usesDynamicScope: Bool

    init(
        nodes: [SchemaNode], root: NodeIndex, applicators: [Applicator], lists: [NodeIndex],
        discriminators: [Discriminator], hints: [Int32: BranchHint], values: [ValueSet],
        numbers: [NumberKeywords], strings: [StringKeywords], arrays: [ArrayKeywords], objects: [ObjectKeywords],
        dynamicAnchors: [NodeIndex], resourceCount: Int, locations: LocationTable
    ) {
        self.nodes = nodes
        self.root = root
        self.applicators = applicators
        self.lists = lists
        self.discriminators = discriminators
        self.hints = hints
        self.values = values
        self.numbers = numbers
        self.strings = strings
        self.arrays = arrays
        self.objects = objects
        self.dynamicAnchors = dynamicAnchors
        usesDynamicScope = !dynamicAnchors.isEmpty
        self.resourceCount = resourceCount
        self.locations = locations
    }
}
