/// Why no value of a schema was made.
public struct SampleFailure: Error, Sendable {
    /// The reason, as one sentence without a final full stop.
    public var message: String
    /// The schema that stands in the way, where it is known.
    public var node: DescriptionNode?
}
