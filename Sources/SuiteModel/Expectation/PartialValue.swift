/// A value of `like` or `strictLike` that contains matchers.
public indirect enum PartialValue: Sendable {
    /// The only key of a mapping that holds a matcher.
    public static let key = "$match"

    /// A value without matchers at any depth.
    case value(ValueTemplate)
    /// A matcher for the value at this position, which may be missing.
    case matcher(Matcher)
    /// A sequence with a matcher in at least one element.
    case array([PartialValue])
    /// A mapping with a matcher in at least one member, in source order.
    case object([Member])

    /// A member of an object that contains matchers.
    public struct Member: Sendable {
        /// The name of the member; it may contain expressions.
        public var name: Template
        /// The value of the member.
        public var value: PartialValue

        /// Creates a member.
        public init(name: Template, value: PartialValue) {
            self.name = name
            self.value = value
        }
    }
}
