import JSON
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
        guard let scalar = node.scalar else {
            self = node.kind == .mapping ? .map : .list
            return
        }
        self.init(of: scalar)
    }

    /// The form of a scalar.
    init(of scalar: YAMLScalar) {
        if scalar.isString {
            self = .string
            return
        }
        switch scalar.value {
        case .null: self = .null
        case .bool: self = .boolean
        case .number: self = .number
        // What is left is `.inf` and `.nan`, which are numbers to YAML though not to JSON.
        case .string, .array, .object: self = .number
        }
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}
