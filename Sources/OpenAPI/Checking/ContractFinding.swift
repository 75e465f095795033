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

/// A way in which an exchange can differ from its description; its raw value is the id that suites and reports use.
public enum ContractRule: String, Sendable, Hashable, CaseIterable {
    /// The path, or the method on it, is not documented.
    case undocumentedOperation = "undocumented-operation"
    /// The status is not documented, neither itself nor by its class nor by a default.
    case undocumentedStatus = "undocumented-status"
    /// The response's media type is not documented.
    case undocumentedContentType = "undocumented-content-type"
    /// The response's body does not follow its schema.
    case responseBody = "response-body"
    /// The value of a header of the response does not follow its schema.
    case responseHeaders = "response-headers"
    /// A header that the response must have is not there.
    case missingResponseHeader = "missing-response-header"
    /// A parameter in the path, query, headers or cookies is missing or does not follow its schema.
    case requestParameters = "request-parameters"
    /// The request's body is missing or does not follow its schema.
    case requestBody = "request-body"
    /// The request's media type is not documented.
    case requestContentType = "request-content-type"
    /// A request without the credentials that the operation requires was answered as if it had them.
    case missingSecurity = "missing-security"
    /// The operation, or a parameter that was sent, is deprecated.
    case deprecatedOperation = "deprecated-operation"
    /// The server failed, and the description does not say that it may.
    case serverError = "server-error"
    /// A schema of the description cannot be used, so that nothing is held against it.
    case unusableSchema = "unusable-schema"

    /// One sentence on what the rule finds, for lists of rules.
    public var summary: String {
        switch self {
        case .undocumentedOperation: "the path, or the method on it, is not documented"
        case .undocumentedStatus: "the status is not documented: itself, its class (2XX) or a default"
        case .undocumentedContentType: "the response's media type is not documented"
        case .responseBody: "the response's body does not follow its schema"
        case .responseHeaders: "a header of the response does not follow its schema"
        case .missingResponseHeader: "a header that the response must have is not there"
        case .requestParameters: "a parameter is missing, not documented, or does not follow its schema"
        case .requestBody: "the request's body is missing or does not follow its schema"
        case .requestContentType: "the request's media type is not documented"
        case .missingSecurity: "a request without the required credentials was answered as if it had them"
        case .deprecatedOperation: "the operation, or a parameter that was sent, is deprecated"
        case .serverError: "the server answered 5xx, and the description does not say that it may"
        case .unusableSchema: "a schema of the description cannot be used, so nothing is held against it"
        }
    }

    /// Whether the rule is about the request: `request: false` switches these off.
    public var isAboutRequest: Bool {
        switch self {
        case .undocumentedOperation, .requestParameters, .requestBody, .requestContentType, .missingSecurity: true
        case .undocumentedStatus, .undocumentedContentType, .responseBody, .responseHeaders,
            .missingResponseHeader, .deprecatedOperation, .serverError, .unusableSchema:
            false
        }
    }
}
