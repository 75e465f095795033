import Diagnostics
public import JSON

/// A difference between an exchange and its description.
public struct ContractFinding: Sendable {
    /// What is different.
    public var rule: ContractRule
    /// Whether it is an error, or a warning alone.
    public var isError: Bool
    /// The operation: `GET /books/{id}`; nil when there is none.
    public var operation: String?
    /// The place in the exchange: `response body $.items[3].price`, `query limit`.
    public var subject: String
    /// One sentence without a final full stop: `expected number, got "12" (string)`.
    public var message: String
    /// What to do; nil when the message says it.
    public var suggestion: String?
    /// The place in the description.
    public var place: DescriptionNode?
    /// What was expected, when it is a value.
    public var expected: JSONValue?
    /// What was found, when it is a value.
    public var actual: JSONValue?
    /// The first places of a difference that is in several, each with what is different there.
    public var instances: [String] = []

    /// The place in the description as text: `openapi.yaml:41:13 (#/components/schemas/Book)`.
    public var placeText: String? {
        guard let place else { return nil }
        guard let range = place.range else { return place.placeText }
        return "\(range.file.name):\(range.start.line):\(range.start.column) (#\(place.pointer))"
    }
}
