public import JSON

/// One way in which a value does not follow a schema.
public struct JSONSchemaViolation: Sendable, Hashable, CustomStringConvertible {
    /// What a violation says about the value.
    public enum Kind: Sendable, Hashable {
        /// The value does not follow the schema.
        case invalid
        /// A bound of the evaluation was reached, so the value could not be judged.
        case limit
    }

    /// What the violation says.
    public let kind: Kind
    /// The place in the value.
    public let instancePath: NormalizedPath
    /// The way through the schema, references included: `/properties/a/$ref/type`.
    public let schemaPath: JSONPointer
    /// The place of the keyword itself: the URI of its schema resource with a JSON Pointer as fragment.
    public let schemaLocation: String
    /// The keyword that does not hold, such as `type`; `false` for the schema `false`.
    public let keyword: String
    /// One sentence without a final full stop: `expected integer, got "x" (string)`.
    public let message: String
    /// What was expected, where it is a value.
    public let expected: JSONValue?
    /// What was found; nil where that is a large value, so that a violation does not keep a whole document.
    public let actual: JSONValue?
    /// For `anyOf` and `oneOf`: the violations of the branches, those of the branch that fits best first.
    public let causes: [JSONSchemaViolation]

    /// Makes a violation.
    public init(
        kind: Kind = .invalid, instancePath: NormalizedPath, schemaPath: JSONPointer, schemaLocation: String,
        keyword: String, message: String, expected: JSONValue? = nil, actual: JSONValue? = nil,
        causes: [JSONSchemaViolation] = []
    ) {
        self.kind = kind
        self.instancePath = instancePath
        self.schemaPath = schemaPath
        self.schemaLocation = schemaLocation
        self.keyword = keyword
        self.message = message
        self.expected = expected
        self.actual = actual
        self.causes = causes
    }

    /// The place in the value and the message: `$.a[2]: expected integer, got "x" (string)`.
    public var description: String { "\(instancePath.shorthand): \(message)" }
}
