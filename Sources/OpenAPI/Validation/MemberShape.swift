/// What the value of a member has to be.
indirect enum MemberShape: Sendable {
    case any
    case text
    /// A text that is not misread when it is written as a number, such as a version.
    case pattern
    case boolean
    case number
    /// An integer from 0 on.
    case count
    case choice([String])
    case list(MemberShape)
    /// An object with any names.
    case map(MemberShape)
    /// An object whose names are names of components.
    case components(ObjectKind)
    case object(ObjectKind)
    /// An object, or a Reference Object that leads to one.
    case reference(ObjectKind)
    /// A schema, or `true` or `false` in its place, as `additionalProperties` has always allowed.
    case schemaOrBoolean
    /// A schema, or a list of them.
    case schemaOrList
    /// The name of a type of JSON, or a list of them.
    case types
    /// A boolean in 3.0, a number since 3.1.
    case exclusiveBound

    /// Whether null is a value, or a mistake with a message of its own.
    var allowsNull: Bool {
        switch self {
        case .any, .types: true
        default: false
        }
    }
}
