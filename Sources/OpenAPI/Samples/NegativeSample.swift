public import JSON

/// A value in which exactly one thing does not follow a schema.
public struct NegativeSample: Sendable {
    /// The constraint that the value does not follow.
    public enum Fault: Sendable, Hashable {
        /// A member that must be there is missing.
        case missing
        /// The value has another type.
        case type
        /// The value is not one of those that are listed.
        case enumeration
        /// The number is below or above its bounds.
        case bounds
        /// The number is not a multiple.
        case multiple
        /// The text is shorter or longer than allowed.
        case length
        /// The text does not match a pattern or a format.
        case pattern
        /// The array or object has fewer or more elements or members than allowed.
        case count
        /// An element is there twice.
        case unique
        /// The object has a member that is not allowed.
        case additional
    }

    /// The value as a whole.
    public var value: JSONValue
    /// The constraint.
    public var fault: Fault
    /// The way to what is wrong, such as `owner.tags[0]`; empty for the whole.
    public var member: String
    /// The fault, as it completes a name: `without title`, `with a text as price`.
    public var phrase: String
}
