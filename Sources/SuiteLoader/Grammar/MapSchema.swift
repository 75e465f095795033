package import Basics
package import SuiteModel
import YAML

/// The allowed keys and values of a mapping in the suite language, independent of its reader.
package struct MapDescription: Sendable {
    /// An allowed key.
    package struct Entry: Sendable {
        /// The key.
        package var name: String
        /// The allowed values.
        package var kind: ValueKind
        /// The documentation for people who write suites, in one sentence.
        package var documentation: String
        /// Whether the key is required.
        package var isRequired = false
    }

    /// The name of the definition in the JSON Schema.
    package var name: String
    /// The name of the mapping in messages: `a test`.
    package var title: String
    /// The documentation of the mapping, in one sentence.
    package var documentation: String
    /// The allowed keys, in their preferred order.
    package var entries: [Entry]
    /// Whether keys that start with `x-` are allowed, which are ignored.
    package var allowsExtensions = false
    /// Keys that belong elsewhere, with a hint on their proper location.
    package var misplaced: [String: KeyHint] = [:]
}

/// Advice on a key that a mapping does not have, but that people write there.
package struct KeyHint: Sendable, ExpressibleByStringLiteral {
    /// The advice, as a clause.
    package let text: MessageText
    /// The keys of the mapping that were probably meant, which must not be reported as missing too.
    var meant: [String] = []
    /// Whether the key shows that the file is of another kind, so that all required keys are missing.
    var isOtherFile = false

    /// Creates advice that names no key of the mapping.
    package init(stringLiteral text: String) { self.init(text) }

    private init(_ text: String, meant: [String] = [], isOtherFile: Bool = false) {
        self.text = MessageText(words: text)
        self.meant = meant
        self.isOtherFile = isOtherFile
    }

    /// Advice to use another key of the mapping.
    static func key(_ name: String) -> Self { Self("did you mean \"\(name)\"?", meant: [name]) }

    /// Advice to write the key under one of the given keys.
    static func under(_ names: String...) -> Self {
        Self("it belongs under \(names.map { "\"\($0)\"" }.joined(separator: " or "))", meant: names)
    }

    /// Advice to write something else than a mapping with a key.
    static func instead(_ name: String, _ text: String) -> Self { Self(text, meant: [name]) }

    /// Advice to write a key of the mapping in a certain form.
    static func write(_ name: String, as text: String) -> Self { Self("write \"\(text)\"", meant: [name]) }

    /// The explanation that the file is of another kind.
    static func otherFile(_ text: String) -> Self { Self(text, isOtherFile: true) }
}

/// The allowed values of a key, which the reader checks and the JSON Schema describes.
package indirect enum ValueKind: Sendable {
    /// A string without expressions.
    case string
    /// A string that may contain expressions.
    case template
    /// A string, number, or Boolean that is used as written; it may contain expressions.
    case text
    /// `true` or `false`.
    case boolean
    /// An integer in a range.
    case integer(ClosedRange<Int>)
    /// An integer in a range, or an expression for one.
    case count(ClosedRange<Int>)
    /// A number from 0 to 1.
    case fraction
    /// A version number, which YAML may parse as a number.
    case version([String])
    /// A number or string, which can be ordered, or an expression for one.
    case ordered
    /// A duration such as `2s`, or an expression for one.
    case duration
    /// A duration such as `2s`, without expressions.
    case fixedDuration
    /// A rate such as `200/s`.
    case rate
    /// A size such as `64KB`, or an expression for one.
    case size
    /// One of several strings.
    case choice([String])
    /// A regular expression.
    case pattern
    /// Any value; strings in it may contain expressions.
    case value
    /// Any value that may contain matchers under `$match`.
    case partialValue
    /// A null, which removes a default.
    case null
    /// A mapping, by the name of its schema definition.
    case map(String)
    /// A mapping with arbitrary keys.
    case members(ValueKind)
    /// A sequence.
    case list(ValueKind)
    /// A sequence of exactly two elements.
    case pair(ValueKind)
    /// One of several kinds.
    case anyOf([ValueKind])
    /// An expression for a value of another kind that is allowed, too.
    case expression
    /// A value or a mapping of operators.
    case matcher(Matcher.Domain)
    /// A status: a number, `2xx`, `200-204`, a sequence of these, or a mapping of operators.
    case status
    /// A mapping from JSONPaths to matchers.
    case jsonPaths
    /// A JSON Schema, or the path of one.
    case schema
    /// The source of a capture in its string form.
    case captureSource

    /// The node forms that the kind allows.
    var forms: NodeForms {
        switch self {
        case .string, .template, .pattern, .captureSource, .choice, .expression: .string
        case .text: .scalar
        case .boolean: .boolean
        case .integer, .fraction: .number
        // A string that is not an expression gets the message of a wrong type.
        case .count: [.number, .string]
        case .version: [.number, .string]
        case .ordered: [.number, .string]
        // A number without a unit gets a better message than a wrong type.
        case .duration, .fixedDuration, .rate, .size: [.string, .number]
        case .value, .partialValue, .matcher: .any
        case .null: .null
        case .map, .members, .jsonPaths: .map
        case .list, .pair: .list
        case .anyOf(let kinds): kinds.reduce(into: []) { $0.formUnion($1.forms) }
        case .status: [.number, .string, .list, .map]
        case .schema: [.string, .boolean, .map]
        }
    }

    /// A description of the kind that continues "expected".
    var phrase: String {
        switch self {
        case .string, .template, .pattern, .captureSource: "a string"
        case .text: "a string"
        case .boolean: "a boolean"
        case .integer, .count: "an integer"
        case .fraction: "a number from 0 to 1"
        case .version: "a version"
        case .ordered: "a number or string"
        case .duration, .fixedDuration: "a duration"
        case .rate: "a rate"
        case .size: "a size"
        case .choice(let words) where words.count > 4: "one of \(words.prefix(3).joined(separator: ", ")), …"
        case .choice(let words) where words.count == 1: "\"\(words[0])\""
        case .choice(let words): "one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
        case .value, .partialValue, .matcher, .expression: "a value"
        case .null: "null"
        case .map, .members, .jsonPaths: "a mapping"
        case .list: "a sequence"
        case .pair: "a sequence of two values"
        case .anyOf(let kinds): Self.join(kinds)
        case .status: "a status"
        case .schema: "a schema or the path of a schema"
        }
    }

    /// Joins phrases with commas and "or". Null is omitted, because it only removes a default, and so are expressions
    /// for values of the other kinds.
    private static func join(_ kinds: [ValueKind]) -> String {
        var phrases: [String] = []
        for kind in kinds {
            switch kind {
            case .null, .expression: continue
            default: break
            }
            if !phrases.contains(kind.phrase) { phrases.append(kind.phrase) }
        }
        guard let last = phrases.popLast() else { return "null" }
        return phrases.isEmpty ? last : phrases.joined(separator: ", ") + " or " + last
    }
}

/// The forms of a node, as far as type errors distinguish them.
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

    /// Creates the form of a node.
    init(of node: YAMLNode) {
        self.init(node.form)
    }

    /// Creates the form of a scalar.
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

/// A table of the keys of a mapping.
protocol KeyTable: Sendable {
    /// The description, for the JSON Schema and for messages.
    var description: MapDescription { get }
    /// The cases of the enumeration without a row, which no reader ever receives.
    var missing: [String] { get }
}

/// The description of a mapping with its keys as an enumeration for the reader.
final class MapSchema<Key: RawRepresentable<String> & CaseIterable & Hashable & Sendable>: KeyTable {
    /// A key with its description.
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

    /// Mutually exclusive keys.
    struct Choice: Sendable {
        /// The keys.
        let keys: Set<Key>
        /// The error message if several of the keys are present: one sentence without a final period.
        let conflict: MessageText
        /// The message at the first of the keys.
        let first: MessageText
        /// The suggested fix; `KEY` is replaced by the redundant key.
        var suggestion: String?
    }

    /// The description, for the JSON Schema and for messages.
    let description: MapDescription
    /// The mutually exclusive keys, if any.
    let choice: Choice?
    /// A bit set of the positions of the mutually exclusive keys.
    let choiceBits: UInt64
    /// The keys, in the order of the description.
    let keys: [Key]
    /// The allowed forms of each key's value.
    let forms: [NodeForms]
    /// The positions of the required keys.
    let required: [Int]
    /// The packed names of ``keys``.
    private let names: [(low: UInt64, high: UInt64)]

    /// Creates a schema from its table.
    init(
        _ name: String, title: String, _ documentation: String, rows: [Row], choice: Choice? = nil,
        allowsExtensions: Bool = false, misplaced: [String: KeyHint] = [:]
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
        // A name that is too long to be packed gets a value that matches no name.
        names = rows.map { PackedName($0.key.rawValue).map { ($0.low, $0.high) } ?? (0, .max) }
    }

    /// The cases of the enumeration without a row, which no reader ever receives.
    var missing: [String] { Key.allCases.filter { !keys.contains($0) }.map(\.rawValue) }

    /// Returns the position of a key; nil if it is not allowed.
    func position(of name: String) -> Int? {
        PackedName(name).flatMap(position)
    }

    /// Returns the position of the key in a scalar; nil if it is not allowed.
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
