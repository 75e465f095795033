/// A parameter of an operation (Parameter Object), or a header of a response or part (Header Object).
public struct Parameter: Sendable {
    /// Where a parameter is sent.
    public enum Location: String, Sendable, Hashable, CaseIterable {
        case path
        case query
        /// The whole query as one value (3.2).
        case querystring
        case header
        case cookie
    }

    /// How a value becomes text (section "Style Values").
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
        /// `color=blue; color=black`: as `form`, joined and escaped as cookies are (3.2).
        case cookie
    }

    /// The name; header names are compared without regard to case.
    public var name: String
    /// Where it is sent.
    public var location: Location
    /// Whether it must be there.
    public var isRequired: Bool
    /// Whether it should no longer be used.
    public var isDeprecated: Bool
    /// Whether it may be sent without a value.
    public var allowsEmptyValue: Bool
    /// How its value becomes text.
    public var style: Style
    /// Whether each element or member is a parameter of its own.
    public var isExploded: Bool
    /// Whether reserved characters are sent as they are.
    public var allowsReserved: Bool
    /// The schema of its value; nil when it has ``content``, or says nothing.
    public var schema: DescriptionNode?
    /// The one media type in which its value is written, where it has no schema of its own.
    public var content: MediaType?
    /// Examples of its value.
    public var examples: [Example]
    /// What it is for.
    public var description: String?
    /// Where it stands; where its `$ref` leads.
    public var node: DescriptionNode
}
