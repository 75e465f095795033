public import Basics
import Diagnostics
public import JSON

/// A difference between an exchange and its description.
public struct ContractFinding: Sendable {
    /// The rule that the exchange breaks.
    public var rule: ContractRule
    /// A Boolean value that indicates whether the difference is an error rather than a warning.
    public var isError: Bool
    /// The operation, such as `GET /books/{id}`, or `nil` if none was found.
    public var operation: String?
    /// The location in the exchange, such as `response body $.items[3].price` or `query limit`.
    public var subject: String
    /// The message, without a period: `expected number, got "12" (string)`.
    public var message: MessageText
    /// A suggested fix, or `nil` if the message is sufficient.
    public var suggestion: MessageText?
    /// The location in the description.
    public var location: DescriptionNode?
    /// The expected value, if the difference is about a value.
    public var expected: JSONValue?
    /// The actual value, if the difference is about a value.
    public var actual: JSONValue?
    /// The first locations of a difference that occurs several times, each with its details.
    public var instances: [MessageText] = []
    /// The location in the body, if the difference is about a body that was parsed.
    public var path: NormalizedPath?
    /// The parameter of the request or the header of the response, if the difference is about one.
    public var place: Place?

    /// The location and the name of a parameter or header.
    public struct Place: Sendable, Hashable {
        /// The part of the message that contains it.
        public var location: Parameter.Location
        /// The name.
        public var name: String
    }

    /// The location in the description as a string: `openapi.yaml:41:13 (#/components/schemas/Book)`.
    public var locationText: String? {
        guard let location else { return nil }
        guard let range = location.range else { return location.locationText }
        return "\(range.file.name):\(range.start.line):\(range.start.column) (#\(location.pointer))"
    }
}

/// A rule that an exchange can break. The raw value is the identifier in suites and reports.
public enum ContractRule: String, Sendable, Hashable, CaseIterable {
    /// The path or its method is not documented.
    case undocumentedOperation = "undocumented-operation"
    /// Neither the status, nor its class, nor a default response is documented.
    case undocumentedStatus = "undocumented-status"
    /// The response's media type is not documented.
    case undocumentedContentType = "undocumented-content-type"
    /// The response's body is not valid against its schema.
    case responseBody = "response-body"
    /// The value of a response header is not valid against its schema.
    case responseHeaders = "response-headers"
    /// A required response header is missing.
    case missingResponseHeader = "missing-response-header"
    /// A parameter in the path, query, headers, or cookies is missing or not valid against its schema.
    case requestParameters = "request-parameters"
    /// The request's body is missing or not valid against its schema.
    case requestBody = "request-body"
    /// The request's media type is not documented.
    case requestContentType = "request-content-type"
    /// The server accepted a request without the credentials that the operation requires.
    case missingSecurity = "missing-security"
    /// The operation or a parameter that was sent is deprecated.
    case deprecatedOperation = "deprecated-operation"
    /// The server returned an undocumented server error.
    case serverError = "server-error"
    /// A schema of the description cannot be compiled, so values are not validated against it.
    case unusableSchema = "unusable-schema"

    /// A one-sentence description of the rule, for lists of rules.
    public var summary: String {
        switch self {
        case .undocumentedOperation: "the path or its method is not documented"
        case .undocumentedStatus: "neither the status nor its class (such as 2XX) nor a default is documented"
        case .undocumentedContentType: "the response's media type is not documented"
        case .responseBody: "the response body does not match its schema"
        case .responseHeaders: "a response header does not match its schema"
        case .missingResponseHeader: "a required response header is missing"
        case .requestParameters: "a parameter is missing, undocumented, or does not match its schema"
        case .requestBody: "the request body is missing or does not match its schema"
        case .requestContentType: "the request's media type is not documented"
        case .missingSecurity: "a request without the required credentials was accepted"
        case .deprecatedOperation: "the operation or a parameter in the request is deprecated"
        case .serverError: "the server responded with an undocumented 5xx status"
        case .unusableSchema: "a schema of the description is invalid, so nothing is validated against it"
        }
    }

    /// A Boolean value that indicates whether the rule concerns the request. `request: false` turns these rules off.
    public var isAboutRequest: Bool {
        switch self {
        case .undocumentedOperation, .requestParameters, .requestBody, .requestContentType, .missingSecurity: true
        case .undocumentedStatus, .undocumentedContentType, .responseBody, .responseHeaders,
            .missingResponseHeader, .deprecatedOperation, .serverError, .unusableSchema:
            false
        }
    }
}
