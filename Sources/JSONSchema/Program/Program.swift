import Basics
import JSON

/// A compiled schema with all schemas that it refers to. Nodes refer to each other by index, which permits cycles.
final class Program: Sendable {
    let nodes: [SchemaNode]
    let root: NodeIndex
    let applicators: [Applicator]
    /// The schemas of `allOf`, `anyOf`, and `oneOf`.
    let lists: [NodeIndex]
    let discriminators: [Discriminator]
    /// The branch hints of OpenAPI discriminators, keyed by the start of their list of branches.
    let hints: [Int32: BranchHint]
    let values: [ValueSet]
    let numbers: [NumberKeywords]
    let strings: [StringKeywords]
    let arrays: [ArrayKeywords]
    let objects: [ObjectKeywords]
    /// The nodes for each dynamic anchor name and resource, or -1 where the resource lacks the anchor.
    let dynamicAnchors: [NodeIndex]
    /// The number of resources that nodes can belong to.
    let resourceCount: Int
    let locations: LocationTable
    /// Whether values may lack members, so that several branches of `oneOf` may match.
    let isPartial: Bool

    /// Whether evaluation must record the dynamic scope.
    let usesDynamicScope: Bool

    init(
        nodes: [SchemaNode], root: NodeIndex, applicators: [Applicator], lists: [NodeIndex],
        discriminators: [Discriminator], hints: [Int32: BranchHint], values: [ValueSet],
        numbers: [NumberKeywords], strings: [StringKeywords], arrays: [ArrayKeywords], objects: [ObjectKeywords],
        dynamicAnchors: [NodeIndex], resourceCount: Int, locations: LocationTable,
        isPartial: Bool
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
        self.isPartial = isPartial
    }
}

/// A compiled schema. Its keywords are indices into the arrays of the program, with -1 for absent ones.
struct SchemaNode: Sendable {
    /// The types that `type` allows.
    var types: TypeSet = .all
    /// The types whose values need checks beyond the type.
    var checkedTypes: TypeSet = []
    /// Whether this is the schema `false`.
    var isNever = false
    /// Whether no value is allowed because the member is `writeOnly`.
    var isWriteOnly = false
    /// Whether this is only a reference to another node.
    var isReferenceOnly = false
    /// The node to evaluate instead of this one, or -1.
    var forward: NodeIndex = -1
    /// The schema resource of the node.
    var resource: Int32 = 0
    /// The start of the `enum` and `const` values.
    var values: Int32 = -1
    var valueCount: Int32 = 0
    var number: Int32 = -1
    var string: Int32 = -1
    var array: Int32 = -1
    var object: Int32 = -1
    /// The start of the keywords that apply schemas to the same value.
    var applicators: Int32 = -1
    var applicatorCount: Int32 = 0
    var unevaluatedItems: NodeIndex = -1
    var unevaluatedProperties: NodeIndex = -1
}

/// A keyword that applies schemas to the value itself. Lists of schemas are ranges of the program's `lists`.
enum Applicator: Sendable {
    /// `$ref`, or a keyword that behaves like it.
    case reference(NodeIndex, keyword: ReferenceKeyword)
    /// A `$dynamicRef` or `$recursiveRef` whose target depends on the dynamic scope.
    case dynamicReference(initial: NodeIndex, anchor: Int32, keyword: ReferenceKeyword)
    case allOf(start: Int32, count: Int32)
    /// `discriminator` is an index into the program's discriminators, or -1.
    case anyOf(start: Int32, count: Int32, discriminator: Int32)
    case oneOf(start: Int32, count: Int32, discriminator: Int32)
    case not(NodeIndex)
    /// `if` with `then` and `else`, which may be absent (-1).
    case conditional(NodeIndex, then: NodeIndex, otherwise: NodeIndex)
}

/// A keyword that refers to another schema.
enum ReferenceKeyword: String, Sendable {
    case ref = "$ref"
    case dynamicRef = "$dynamicRef"
    case recursiveRef = "$recursiveRef"
}

/// The locations of a program's nodes, used only to report violations.
struct LocationTable: Sendable {
    /// The parent of each place, or -1 for a document. ``tokens`` has the place's last token.
    let parents: [LocationIndex]
    let tokens: [String]
    /// The place of each node.
    let locations: [LocationIndex]
    /// The URI of each resource. ``resourceRoots`` has its place.
    let resourceURIs: [String]
    let resourceRoots: [LocationIndex]

    /// Returns the location of a node for a message, without the URI if the node is in `resource`.
    func shortLocation(of node: NodeIndex, from resource: Int32, in program: Program) -> String {
        let target = program.nodes[Int(node)].resource
        let location = location(of: node, resource: target, [])
        return target == resource ? String(location.dropFirst(resourceURIs[Int(resource)].count)) : location
    }

    /// Returns the absolute location of a node or a location inside it.
    func location(of node: NodeIndex, resource: Int32, _ tokens: [String]) -> String {
        let root = resourceRoots[Int(resource)]
        var way: [String] = tokens.reversed()
        var location = locations[Int(node)]
        while location >= 0, location != root, parents[Int(location)] >= 0 {
            way.append(self.tokens[Int(location)])
            location = parents[Int(location)]
        }
        return resourceURIs[Int(resource)] + "#" + URIReference.fragment(of: JSONPointer(tokens: way.reversed()))
    }
}
