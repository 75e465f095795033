public import JSON

/// A value in which exactly one thing does not follow a schema.
public struct NegativeSample: Sendable {
    /// What is wrong.
    public enum Fault: Sendable, Hashable {
        /// A member that must be there is not.
        case missing
        /// The value has another type.
        case type
        /// The value is none of those that are listed.
        case enumeration
        /// The number is below or above what is allowed.
        case bounds
        /// The text is shorter or longer than allowed.
        case length
        /// The text does not match a pattern or a format.
        case pattern
    }

    /// The value as a whole.
    public var value: JSONValue
    /// What is wrong.
    public var fault: Fault
    /// The member that it is wrong in; empty for the whole.
    public var member: String
    /// What is wrong, as it completes a name: `without title`, `with a text as price`.
    public var phrase: String
}
