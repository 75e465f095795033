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

/// A compiled schema: what it asks for, as indices into the lists of its program; -1 stands for nothing.
struct SchemaNode: Sendable {
    /// The types that `type` allows.
    var types: TypeSet = .all
    /// The types of values for which more than the type is to be checked.
    var checkedTypes: TypeSet = []
    /// Whether this is the schema `false`.
    var isNever = false
    /// Whether nothing is allowed because the member is `writeOnly`.
    var isWriteOnly = false
    /// Whether this is nothing but a reference to another node.
    var isReferenceOnly = false
    /// The node to go on with in the place of this one.
    var forward: NodeIndex = -1
    /// The schema resource this belongs to.
    var resource: Int32 = 0
    /// `enum` and `const`.
    var values: Int32 = -1
    var valueCount: Int32 = 0
    var number: Int32 = -1
    var string: Int32 = -1
    var array: Int32 = -1
    var object: Int32 = -1
    /// The keywords that apply schemas to the same value.
    var applicators: Int32 = -1
    var applicatorCount: Int32 = 0
    var unevaluatedItems: NodeIndex = -1
    var unevaluatedProperties: NodeIndex = -1
}

/// A keyword that applies schemas to the value itself; lists of schemas are ranges of the program's `lists`.
enum Applicator: Sendable {
    /// `$ref`, and what behaves like it.
    case reference(NodeIndex, keyword: ReferenceKeyword)
    /// A `$dynamicRef` or `$recursiveRef` whose target depends on the resources the evaluation came through.
    case dynamicReference(initial: NodeIndex, anchor: Int32, keyword: ReferenceKeyword)
    case allOf(start: Int32, count: Int32)
    /// `discriminator` is an index into the program's list of them, or -1.
    case anyOf(start: Int32, count: Int32, discriminator: Int32)
    case oneOf(start: Int32, count: Int32, discriminator: Int32)
    case not(NodeIndex)
    /// `if` with `then` and `else`, which may be missing (-1).
    case conditional(NodeIndex, then: NodeIndex, otherwise: NodeIndex)
}

/// A keyword that refers to another schema.
enum ReferenceKeyword: String, Sendable {
    case ref = "$ref"
    case dynamicRef = "$dynamicRef"
    case recursiveRef = "$recursiveRef"
}

/// Where the nodes of a program come from; read only when a violation is reported.
struct LocationTable: Sendable {
    /// For each place: the place it is inside of, or -1, and its token.
    let parents: [PlaceIndex]
    let tokens: [String]
    /// For each node: its place.
    let places: [PlaceIndex]
    /// For each resource: its URI and its place.
    let resourceURIs: [String]
    let resourceRoots: [PlaceIndex]

    /// The location of a node for a message: without the URI when that is the one of `resource`.
    func shortLocation(of node: NodeIndex, from resource: Int32, in program: Program) -> String {
        let target = program.nodes[Int(node)].resource
        let location = location(of: node, resource: target, [])
        return target == resource ? String(location.dropFirst(resourceURIs[Int(resource)].count)) : location
    }

    /// The absolute location of a node, or of something inside of it.
    func location(of node: NodeIndex, resource: Int32, _ tokens: [String]) -> String {
        let root = resourceRoots[Int(resource)]
        var way: [String] = tokens.reversed()
        var place = places[Int(node)]
        while place >= 0, place != root, parents[Int(place)] >= 0 {
            way.append(self.tokens[Int(place)])
            place = parents[Int(place)]
        }
        return resourceURIs[Int(resource)] + "#" + URIReference.fragment(of: JSONPointer(tokens: way.reversed()))
    }
}
