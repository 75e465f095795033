import JSON

/// The tags that are known: those of YAML 1.2's core schema (section 10.3).
enum CoreTag: UInt8 {
    case none, string, integer, float, bool, null, map, sequence

    private static let prefix = "tag:yaml.org,2002:"

    /// The names of the tags, as they are usually written.
    static let names = "!!str, !!int, !!float, !!bool, !!null, !!map and !!seq"

    /// Creates the tag with a full name, or nil when it is not known.
    ///
    /// - Parameter name: The name with its handle resolved. The non-specific tag `!` makes a scalar a string.
    init?(name: String, isScalar: Bool) {
        if name == "!" {
            self = isScalar ? .string : .none
            return
        }
        guard name.hasPrefix(Self.prefix) else { return nil }
        switch name.dropFirst(Self.prefix.count) {
        case "str": self = .string
        case "int": self = .integer
        case "float": self = .float
        case "bool": self = .bool
        case "null": self = .null
        case "map": self = .map
        case "seq": self = .sequence
        default: return nil
        }
    }

    /// What a node with the tag is, in words.
    var typeDescription: String {
        switch self {
        case .none: "a value"
        case .string: "a string"
        case .integer: "an integer"
        case .float: "a number"
        case .bool: "a boolean"
        case .null: "null"
        case .map: "a map"
        case .sequence: "a list"
        }
    }

    /// Whether a scalar with a text can have the tag.
    func accepts(_ text: String) -> Bool {
        switch (self, CoreScalar(plain: text)) {
        case (.none, _), (.string, _), (.bool, .bool), (.null, .null): true
        case (.float, .number), (.float, .nonFinite): true
        case (.integer, .number(let number)): number.isInteger
        default: false
        }
    }
}
