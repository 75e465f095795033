/// A parameter of an operation (Parameter Object), or a header of a response or part (Header Object).
public struct Parameter: Sendable {
    /// The location of a parameter in a request.
    public enum Location: String, Sendable, Hashable, CaseIterable {
        case path
        case query
        /// The whole query as a single value (OpenAPI 3.2).
        case querystring
        case header
        case cookie
    }

    /// A style for serializing values (section "Style Values").
    public enum Style: String, Sendable, Hashable, CaseIterable {
        /// `;color=blue,black`
        case matrix
        /// `.blue.black`
        case label
        /// `blue,black`
        case simple
        /// `color=blue&color=black`
        case form
        /// `blue%20black`
        case spaceDelimited
        /// `blue%7Cblack`
        case pipeDelimited
        /// `color[R]=100&color[G]=200`
        case deepObject
        /// `color=blue; color=black`: like `form`, but joined and escaped as in cookies (OpenAPI 3.2).
        case cookie
    }

    /// The name. Header names are case-insensitive.
    public var name: String
    /// The location in a request.
    public var location: Location
    /// A Boolean value that indicates whether the parameter is required.
    public var isRequired: Bool
    /// A Boolean value that indicates whether the parameter is deprecated.
    public var isDeprecated: Bool
    /// A Boolean value that indicates whether the parameter can be sent without a value.
    public var allowsEmptyValue: Bool
    /// The serialization style of the value.
    public var style: Style
    /// A Boolean value that indicates whether each element or member is a separate parameter.
    public var isExploded: Bool
    /// A Boolean value that indicates whether reserved characters are sent without encoding.
    public var allowsReserved: Bool
    /// The schema of the value, or `nil` if the parameter has ``content`` or no schema.
    public var schema: DescriptionNode?
    /// The media type of the serialized value, if the parameter has `content` instead of a schema.
    public var content: MediaType?
    /// The examples of the value.
    public var examples: [Example]
    /// The description of the parameter.
    public var description: String?
    /// The location in the description, after resolving `$ref`.
    public var node: DescriptionNode
}
