package import SuiteModel
import YAML

/// What a map of the suite language may hold, without regard to who reads it.
package struct MapDescription: Sendable {
    /// A key that is understood.
    package struct Entry: Sendable {
        /// The key.
        package var name: String
        /// What its value may be.
        package var kind: ValueKind
        /// What it means, in one sentence for people who write suites.
        package var documentation: String
        /// Whether the map must have it.
        package var isRequired = false
    }

    /// The name of the definition in the JSON Schema.
    package var name: String
    /// The map in words: `a test`.
    package var title: String
    /// What the map is, in one sentence.
    package var documentation: String
    /// The keys that are understood, in the order in which they are best written.
    package var entries: [Entry]
    /// Whether keys that begin with `x-` are kept and ignored.
    package var allowsExtensions = false
    /// Keys that belong elsewhere, and where.
    package var misplaced: [String: String] = [:]
}

/// What the value of a key may be: the reader checks it, and the JSON Schema says it.
package indirect enum ValueKind: Sendable {
    /// A string without expressions.
    case string
    /// A string that may hold expressions.
    case template
    /// A string, number or boolean, taken as the text that is written; it may hold expressions.
    case text
    /// `true` or `false`.
    case boolean
    /// A whole number within bounds.
    case integer(ClosedRange<Int>)
    /// A number from 0 to 1.
    case fraction
    /// One of some versions, which YAML may take for numbers.
    case version([String])
    /// A number or text, both of which have an order, or an expression that gives one.
    case ordered
    /// A duration such as `2s`.
    case duration
    /// A size such as `64KB`.
    case size
    /// One of some words.
    case choice([String])
    /// A regular expression.
    case pattern
    /// Any value; strings in it may hold expressions.
    case value
    /// Nothing, which removes a default.
    case null
    /// The map with this name among the schema's definitions.
    case map(String)
    /// A map with names of the user's choice.
    case members(ValueKind)
    /// A list.
    case list(ValueKind)
    /// A list of exactly two.
    case pair(ValueKind)
    /// One of several kinds.
    case anyOf([ValueKind])
    /// A value or a map of operators.
    case matcher(Matcher.Domain)
    /// A status: a number, `2xx`, `200-204`, a list of these, or a map of operators.
    case status
    /// A map from JSONPath to matcher.
    case jsonPaths
    /// A JSON Schema, or the path of one.
    case schema
    /// The source of a capture that is one string.
    case captureSource

    /// The forms that a node of this kind can have.
    var forms: NodeForms {
        switch self {
        case .string, .template, .pattern, .captureSource, .choice: .string
        case .text: .scalar
        case .boolean: .boolean
        case .integer, .fraction: .number
        case .version: [.number, .string]
        case .ordered: [.number, .string]
        // A bare number has a better message than that of a wrong type.
        case .duration, .size: [.string, .number]
        case .value, .matcher: .any
        case .null: .null
        case .map, .members, .jsonPaths: .map
        case .list, .pair: .list
        case .anyOf(let kinds): kinds.reduce(into: []) { $0.formUnion($1.forms) }
        case .status: [.number, .string, .list, .map]
        case .schema: [.string, .boolean, .map]
        }
    }

    /// The kind in words that continue "expected".
    var phrase: String {
        switch self {
        case .string, .template, .pattern, .captureSource: "a string"
        case .text: "text"
        case .boolean: "true or false"
        case .integer: "an integer"
        case .fraction: "a number from 0 to 1"
        case .version: "a version"
        case .ordered: "a number or text"
        case .duration: "a duration"
        case .size: "a size"
        case .choice(let words) where words.count > 4: "one of \(words.prefix(3).joined(separator: ", ")), …"
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: " or ")
        case .value, .matcher: "a value"
        case .null: "null"
        case .map, .members, .jsonPaths: "a map"
        case .list: "a list"
        case .pair: "a list of two"
        case .anyOf(let kinds): Self.join(kinds)
        case .status: "a status"
        case .schema: "a schema or the path of one"
        }
    }

    /// Joins phrases with commas and "or"; null is what removes a default and is not worth a word.
    private static func join(_ kinds: [ValueKind]) -> String {
        var phrases: [String] = []
        for kind in kinds {
            if case .null = kind { continue }
            if !phrases.contains(kind.phrase) { phrases.append(kind.phrase) }
        }
        guard let last = phrases.popLast() else { return "null" }
        return phrases.isEmpty ? last : phrases.joined(separator: ", ") + " or " + last
    }
}

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

/// A map's description together with the keys as the reader switches over them.
final class MapSchema<Key: RawRepresentable<String> & CaseIterable & Hashable & Sendable>: Sendable {
    /// A key with what describes it.
    struct Row: Sendable {
        let key: Key
        let kind: ValueKind
        let documentation: String
        let isRequired: Bool

        /// Creates a row of the table.
        init(_ key: Key, _ kind: ValueKind, required: Bool = false, _ documentation: String) {
            self.key = key
            self.kind = kind
            self.documentation = documentation
            isRequired = required
        }
    }

    /// Keys of which a map has one alone.
    struct Choice: Sendable {
        /// The keys.
        let keys: Set<Key>
        /// What is wrong with several of them, as one sentence without a final full stop.
        let conflict: String
        /// What to say at the first of them.
        let first: String
        /// What to do; `KEY` stands for the key that is too many.
        var suggestion: String?
    }

    /// The description, for the JSON Schema and for messages.
    let description: MapDescription
    /// Keys of which a map has one alone.
    let choice: Choice?
    /// The bits of the positions of those keys.
    let choiceBits: UInt64
    /// The keys in the order of the description.
    let keys: [Key]
    /// The forms that each key's value may have.
    let forms: [NodeForms]
    /// The positions of required keys.
    let required: [Int]
    /// The names of ``keys``, packed.
    private let names: [(low: UInt64, high: UInt64)]

    /// Creates a schema from its table.
    init(
        _ name: String, title: String, _ documentation: String, rows: [Row], choice: Choice? = nil,
        allowsExtensions: Bool = false, misplaced: [String: String] = [:]
    ) {
        description = MapDescription(
            name: name, title: title, documentation: documentation,
            entries: rows.map {
                MapDescription.Entry(
                    name: $0.key.rawValue, kind: $0.kind, documentation: $0.documentation, isRequired: $0.isRequired)
            },
            allowsExtensions: allowsExtensions, misplaced: misplaced)
        keys = rows.map(\.key)
        forms = rows.map(\.kind.forms)
        self.choice = choice
        choiceBits = keys.enumerated().reduce(0) { bits, key in
            choice?.keys.contains(key.element) == true ? bits | 1 << UInt64(key.offset) : bits
        }
        required = rows.indices.filter { rows[$0].isRequired }
        // A name that is too long to be packed gives words that no name has.
        names = rows.map { PackedName($0.key.rawValue).map { ($0.low, $0.high) } ?? (0, .max) }
    }

    /// The position of a key, or nil when the map has no such key.
    func position(of name: String) -> Int? {
        PackedName(name).flatMap(position)
    }

    /// The position of the key that a scalar is, or nil when the map has no such key.
    func position(of key: YAMLNode) -> Int? {
        key.packedName.flatMap(position)
    }

    @inline(__always)
    private func position(of name: PackedName) -> Int? {
        let (low, high) = (name.low, name.high)
        var index = 0
        while index < names.count {
            if names[index].low == low, names[index].high == high { return index }
            index += 1
        }
        return nil
    }
}
