public import JSON

/// What can be done next with what a response holds (Link Object).
public struct Link: Sendable {
    /// The name.
    public var name: String
    /// The `operationId` that it leads to.
    public var operationID: String?
    /// The reference to the operation that it leads to.
    public var operationReference: String?
    /// The values of that one's parameters: constants, or runtime expressions such as `$response.body#/id`.
    public var parameters: [(name: String, value: JSONValue)]
    /// What it is sent: a constant or a runtime expression.
    public var requestBody: JSONValue?
    /// Where it stands; where its `$ref` leads.
    public var node: DescriptionNode
}
