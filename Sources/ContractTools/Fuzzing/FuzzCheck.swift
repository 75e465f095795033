import OpenAPI

/// A check of a response that fuzzing makes. The raw value is its identifier on the command line and in reports.
public enum FuzzCheck: String, Sendable, Hashable, CaseIterable {
    /// The server failed with a status of 500 or an undocumented 5xx status.
    case serverError = "server-error"
    /// The server closed the connection or did not respond in time.
    case noResponse = "no-response"
    /// Neither the status, nor its class, nor a default response is documented.
    case undocumentedStatus = "undocumented-status"
    /// The response's media type is not documented.
    case undocumentedContentType = "undocumented-content-type"
    /// The response's body is not JSON, although its media type says so.
    case malformedBody = "malformed-body"
    /// The response's body is not valid against its schema.
    case responseBody = "response-body"
    /// The value of a response header is not valid against its schema.
    case responseHeaders = "response-headers"
    /// A required response header is missing.
    case missingResponseHeader = "missing-response-header"
    /// The server accepted a request that violates the description.
    case invalidRequestAccepted = "invalid-request-accepted"
    /// The server accepted a request without a required header.
    case missingHeaderAccepted = "missing-header-accepted"
    /// The server refused all valid requests of an operation.
    case validRequestRefused = "valid-request-refused"
    /// The server accepted a request without the required credentials, or with invalid ones.
    case ignoredCredentials = "ignored-credentials"
    /// The server accepted a method that the path does not support, or refused it without an `Allow` header.
    case unsupportedMethod = "unsupported-method"
    /// A deleted resource can still be read.
    case useAfterDelete = "use-after-delete"
    /// A resource that was created cannot be read.
    case createdNotFound = "created-not-found"
    /// A user can read the object of another user.
    case foreignObject = "foreign-object"
    /// A response took longer than the maximum time.
    case tooSlow = "too-slow"
    /// A response contains a stack trace, or an error a private key.
    case leakedDetails = "leaked-details"

    /// The fault that the check finds, for lists of checks.
    public var summary: String {
        switch self {
        case .serverError: "the server fails with status 500, or with an undocumented 5xx status"
        case .noResponse: "the server closes the connection or does not respond in time"
        case .undocumentedStatus: "the status of a response is not documented"
        case .undocumentedContentType: "the media type of a response is not documented"
        case .malformedBody: "a body with a JSON media type is not JSON"
        case .responseBody: "a body does not match its schema"
        case .responseHeaders: "a response header does not match its schema"
        case .missingResponseHeader: "a required response header is missing"
        case .invalidRequestAccepted: "a request that violates the description is accepted"
        case .missingHeaderAccepted: "a request without a required header is accepted"
        case .validRequestRefused: "all valid requests of an operation are refused"
        case .ignoredCredentials: "a request without valid credentials is accepted"
        case .unsupportedMethod: "an unsupported method is accepted, or refused without `Allow`"
        case .useAfterDelete: "a deleted resource can still be read"
        case .createdNotFound: "a created resource cannot be read"
        case .foreignObject: "a user can read the object of another user (with two `--identity`)"
        case .tooSlow: "a response takes longer than the maximum of `--max-response-time`"
        case .leakedDetails: "a response contains a stack trace, or an error a private key"
        }
    }

    /// The section of a standard that the fault violates, or `nil` if the description alone decides.
    public var standard: String? {
        switch self {
        case .serverError: "RFC 9110, section 15.6"
        case .unsupportedMethod: "RFC 9110, section 15.5.6"
        case .ignoredCredentials: "RFC 9110, section 15.5.2"
        case .undocumentedContentType: "RFC 9110, section 8.3"
        case .malformedBody: "RFC 8259, section 2"
        case .noResponse: "RFC 9112, section 9.6"
        default: nil
        }
    }

    /// Whether the status is the fault, so that all exchanges with one cause have the same status.
    var isStatus: Bool { self == .serverError || self == .undocumentedStatus }

    /// Creates the check for a rule of contracts about responses.
    init?(_ rule: ContractRule) {
        switch rule {
        case .undocumentedStatus: self = .undocumentedStatus
        case .undocumentedContentType: self = .undocumentedContentType
        case .responseBody: self = .responseBody
        case .responseHeaders: self = .responseHeaders
        case .missingResponseHeader: self = .missingResponseHeader
        case .serverError: self = .serverError
        case .undocumentedOperation, .requestParameters, .requestBody, .requestContentType, .missingSecurity,
            .deprecatedOperation, .unusableSchema:
            return nil
        }
    }
}

/// A part of a fuzz run, by the origin of its requests.
public enum FuzzPhase: String, Sendable, Hashable, CaseIterable {
    /// One valid request for each operation, from the examples and schemas of the description.
    case examples
    /// Every boundary and every violation of each constraint, one at a time.
    case coverage
    /// Random values, and values that programs often handle wrongly.
    case random
    /// Sequences that read what an earlier request has stored or deleted.
    case stateful
}

extension GeneratedTest.Intent {
    /// The phase that a test belongs to.
    var phase: FuzzPhase {
        switch self {
        case .valid: .examples
        case .variant, .invalid, .missingHeader, .unknownMediaType, .malformedBody, .unsupportedMethod,
            .withoutCredentials,
            .invalidCredentials:
            .coverage
        case .readsStored, .readsDeleted: .stateful
        }
    }

    /// Whether the request is valid.
    var isValid: Bool {
        switch self {
        case .valid, .variant, .readsStored, .readsDeleted: true
        case .invalid, .missingHeader, .unknownMediaType, .malformedBody, .unsupportedMethod, .withoutCredentials,
            .invalidCredentials:
            false
        }
    }
}
