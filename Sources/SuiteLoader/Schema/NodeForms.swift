import YAML

/// The forms that a node can have, as far as wrong types are told apart.
struct NodeForms: OptionSet, Sendable {
    let rawValue: UInt8

    static let null = NodeForms(rawValue: 1 << 0)
    static let boolean = NodeForms(rawValue: 1 << 1)
    static let number = NodeForms(rawValue: 1 << 2)
    static let string = NodeForms(rawValue: 1 << 3)
    static let list = NodeForms(rawValue: 1 << 4)
    static let map = NodeForms(rawValue: 1 << 5)

    static let scalar: NodeForms = [.boolean, .number, .string]
    static let any: NodeForms = [.null, .boolean, .number, .string, .list, .map]

    /// The form of a node.
    init(of node: YAMLNode) {
        self.init(node.form)
    }

    /// The form of a scalar.
    init(of scalar: YAMLScalar) {
        self.init(scalar.form)
    }

    private init(_ form: YAMLNode.Form) {
        switch form {
        case .null: self = .null
        case .boolean: self = .boolean
        case .number: self = .number
        case .string: self = .string
        case .sequence: self = .list
        case .mapping: self = .map
        }
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}
