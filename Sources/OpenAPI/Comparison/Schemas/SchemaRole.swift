/// What a schema describes, from which the ids of its changes begin and their levels follow.
enum SchemaRole: String, CaseIterable, Sendable {
    case requestBody = "request-body"
    case requestProperty = "request-property"
    case requestReadOnlyProperty = "request-read-only-property"
    case requestParameter = "request-parameter"
    case requestParameterProperty = "request-parameter-property"
    case responseBody = "response-body"
    case responseProperty = "response-property"
    case responseWriteOnlyProperty = "response-write-only-property"
    case responseHeader = "response-header"

    /// Whether the client sends it.
    var isRequest: Bool {
        switch self {
        case .requestBody, .requestProperty, .requestReadOnlyProperty, .requestParameter, .requestParameterProperty:
            true
        case .responseBody, .responseProperty, .responseWriteOnlyProperty, .responseHeader: false
        }
    }

    /// Whether it is a parameter, a part of one, or a header: always sent as text.
    var isParameter: Bool {
        switch self {
        case .requestParameter, .requestParameterProperty, .responseHeader: true
        case .requestBody, .requestProperty, .requestReadOnlyProperty, .responseBody, .responseProperty,
            .responseWriteOnlyProperty:
            false
        }
    }

    /// Whether it is a member of a body.
    var isProperty: Bool {
        switch self {
        case .requestProperty, .requestReadOnlyProperty, .responseProperty, .responseWriteOnlyProperty: true
        case .requestBody, .requestParameter, .requestParameterProperty, .responseBody, .responseHeader: false
        }
    }

    /// The role of a member of what has this role.
    var property: SchemaRole {
        switch self {
        case .requestBody, .requestProperty: .requestProperty
        case .requestReadOnlyProperty: .requestReadOnlyProperty
        case .requestParameter, .requestParameterProperty: .requestParameterProperty
        case .responseBody, .responseProperty: .responseProperty
        case .responseWriteOnlyProperty: .responseWriteOnlyProperty
        case .responseHeader: .responseHeader
        }
    }

    /// The role of an element of what has this role: a parameter's element is still the parameter.
    var element: SchemaRole { isParameter ? self : property }

    /// What has this role, in general.
    var subject: String {
        switch self {
        case .requestBody: "the request body"
        case .requestProperty: "a request property"
        case .requestReadOnlyProperty: "a read-only request property"
        case .requestParameter: "a request parameter"
        case .requestParameterProperty: "a property of a request parameter"
        case .responseBody: "the response body"
        case .responseProperty: "a response property"
        case .responseWriteOnlyProperty: "a write-only response property"
        case .responseHeader: "a response header"
        }
    }
}
