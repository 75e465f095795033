/// An index into a program's nodes.
typealias NodeIndex = Int32

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
