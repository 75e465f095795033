import OpenAPI

/// A test of a generated suite: a request of an operation, and the expectations about its response.
struct GeneratedTest {
    /// The relation of a test's request to the description, which determines the faults that its response can show.
    enum Intent: Hashable {
        /// The request is valid. If `isCertain`, every resource in its path exists on a conforming server.
        case valid(isCertain: Bool)
        /// The request is valid, with an unusual value.
        case variant(isCertain: Bool)
        /// A parameter or the body violates a constraint.
        case invalid
        /// A required header is missing.
        case missingHeader
        /// The body has an undocumented media type.
        case unknownMediaType
        /// The body cannot be parsed.
        case malformedBody
        /// The path does not support the method.
        case unsupportedMethod
        /// The request lacks the required credentials.
        case withoutCredentials
        /// The request has credentials that no server accepts.
        case invalidCredentials
        /// The request reads a resource after an operation has stored it.
        case readsStored
        /// The request reads a resource after an operation has deleted it.
        case readsDeleted

        /// The name of the intent in records of requests.
        var id: String {
            switch self {
            case .valid, .variant: "valid"
            case .invalid: "invalid"
            case .missingHeader: "missing-header"
            case .unknownMediaType: "unknown-media-type"
            case .malformedBody: "malformed-body"
            case .unsupportedMethod: "unsupported-method"
            case .withoutCredentials: "without-credentials"
            case .invalidCredentials: "invalid-credentials"
            case .readsStored: "reads-stored"
            case .readsDeleted: "reads-deleted"
            }
        }
    }

    /// The unique name, in which `${…}` is an expression.
    var name: String
    /// The index of the operation.
    var operation: Int
    var intent: Intent
    /// The name of the test whose effect this one reads, or `nil` if it reads none.
    var follows: String?
    /// Whether the values are random.
    var isRandom = false
    /// The condition under which the test runs, or `nil` if it always runs.
    var condition: SuiteNode?
    var tags: [String] = []
    var request: RequestParts
    /// The expectations, or `nil` if there are none besides those of the contract.
    var expect: SuiteNode?
    /// The captured values, by variable name.
    var captures: [(String, SuiteNode)] = []
    /// The captured variables with the identifier of the resource that the request creates. Others may belong to another.
    var identifiers: Set<String> = []
    /// The name that the request gives to the resource that it creates, if it chooses one.
    var chosen: ChosenName?
    /// Whether the following tests use the chosen name, as a variable.
    var definesName = false
    /// Whether a value in the path is unusual, so that software in front of the operation may refuse or change it.
    var hasUnusualPath = false

    /// The test as a node of the suite.
    var node: SuiteNode {
        var entries: [(String, SuiteNode)] = [("name", .text(name))]
        if let condition { entries.append(("if", condition)) }
        if !tags.isEmpty { entries.append(("tags", .list(tags.map { .text(SuiteNode.escaped($0)) }))) }
        entries.append(("request", request.node))
        if let expect { entries.append(("expect", expect)) }
        if !captures.isEmpty { entries.append(("capture", .map(captures))) }
        return .map(entries)
    }
}
