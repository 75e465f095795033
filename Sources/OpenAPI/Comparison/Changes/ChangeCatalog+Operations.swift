extension ChangeCatalog {
    /// The checks of operations with their parameters, bodies, and responses.
    static let operationTemplates: [Template] =
        operations + parameters + properties + bodies + responses + sentByTheAPI

    private static let operations: [Template] = [
        Template("endpoint-added", .info, "the operation was added"),
        Template(
            "api-removed-without-deprecation", .breaking, "the operation was removed without being deprecated first"),
        Template("api-removed-with-deprecation", .info, "the deprecated operation was removed"),
        Template(
            "api-removed-before-sunset", .breaking, "the operation was removed before its x-sunset {d|date}"),
        Template(
            "api-path-removed-without-deprecation", .breaking,
            "the operation and its path were removed without being deprecated first"),
        Template("api-path-removed-with-deprecation", .info, "the deprecated operation and its path were removed"),
        Template(
            "api-path-removed-before-sunset", .breaking,
            "the operation and its path were removed before the x-sunset {d|date}"),
        Template(
            "api-path-sunset-parse", .breaking, "the operation was removed, and its x-sunset {d|} is not a date"),
        Template("endpoint-deprecated", .info, "the operation was deprecated"),
        Template(
            "endpoint-deprecated-with-sunset", .info, "the operation was deprecated and will be removed {d|on a date}"),
        Template("endpoint-reactivated", .info, "the operation is no longer deprecated"),
        Template(
            "api-deprecated-sunset-missing", .breaking,
            "the operation was deprecated without an x-sunset date"),
        Template("api-deprecated-sunset-parse", .breaking, "the x-sunset {d|} of the operation is not a date"),
        Template(
            "api-sunset-date-too-small", .breaking,
            "the operation was deprecated with an x-sunset date that is too early{d|}"),
        Template(
            "sunset-deleted", .breaking, "the x-sunset date was removed from the operation, which is still deprecated"),
        Template(
            "api-sunset-date-changed-too-small", .breaking,
            "the x-sunset of the operation was moved to an earlier date{d|}"),
        Template("api-stability-decreased", .breaking, "the stability of the operation was lowered {d|}"),
        Template("api-stability-increased", .info, "the stability of the operation was raised {d|}"),
        Template(
            "api-invalid-stability-level", .breaking,
            "the x-stability-level {d|} of the operation is not draft, alpha, beta, or stable"),
        Template("api-operation-id-added", .info, "the operationId{d|} was added to the operation"),
        Template("api-operation-id-removed", .info, "the operationId{d|} was removed from the operation"),
        Template("api-tag-added", .info, "{d|a tag} was added to the operation"),
        Template("api-tag-removed", .info, "{d|a tag} was removed from the operation"),
    ]

    private static let parameters: [Template] =
        [
            Template("new-request-path-parameter", .breaking, "{s} was added to the path", "a path parameter"),
            Template("new-required-request-parameter", .breaking, "{s} was added and is required"),
            Template("new-optional-request-parameter", .info, "{s} was added and is optional"),
            Template(
                "new-required-request-default-parameter-to-existing-path", .breaking,
                "{s} was added to all operations of the path and is required"),
            Template(
                "new-optional-request-default-parameter-to-existing-path", .info,
                "{s} was added to all operations of the path and is optional"),
            Template("request-parameter-removed", .warning, "{s} was removed"),
            Template("request-parameter-removed-with-deprecation", .info, "{s}, which was deprecated, was removed"),
            Template(
                "request-parameter-removed-before-sunset", .breaking,
                "{s} was removed before its x-sunset {d|date}"),
            Template("request-parameter-sunset-parse", .breaking, "the x-sunset {d|} of {s} is not a date"),
            Template("request-parameter-became-required", .breaking, "{s} became required"),
            Template("request-parameter-became-optional", .info, "{s} became optional"),
            Template("request-parameter-deprecated", .info, "{s} was deprecated"),
            Template("request-parameter-reactivated", .info, "{s} is no longer deprecated"),
            Template(
                "request-parameter-deprecated-sunset-missing", .breaking,
                "{s} was deprecated without an x-sunset date"),
            Template(
                "request-parameter-sunset-date-too-small", .breaking,
                "{s} was deprecated with an x-sunset date that is too early{d|}"),
            Template(
                "request-parameter-sunset-deleted", .breaking,
                "the x-sunset date was removed from {s}, which is still deprecated"),
            Template(
                "request-parameter-sunset-date-changed-too-small", .breaking,
                "the x-sunset of {s} was moved to an earlier date{d|}"),
            Template("request-parameter-style-changed", .breaking, "the style of {s} changed {d|}"),
            Template(
                "request-parameter-explode-changed", .breaking,
                "the explode setting of {s} changed {d|}"),
            Template(
                "request-parameter-allow-empty-value-removed", .breaking,
                "{s} may no longer be sent without a value (allowEmptyValue)"),
        ].map { template in
            template.subject.isEmpty
                ? Template(template.id, template.level, template.phrase, "a request parameter") : template
        }

    private static let properties: [Template] =
        [
            Template("new-required-request-property", .breaking, "{s} was added and is required", "a request property"),
            Template(
                "new-required-request-property-with-default", .breaking,
                "{s} was added and is required, with a default",
                "a request property"),
            Template("new-optional-request-property", .info, "{s} was added and is optional", "a request property"),
            Template("request-property-removed", .warning, "{s} was removed", "a request property"),
            Template("request-property-became-required", .breaking, "{s} became required", "a request property"),
            Template(
                "request-property-became-required-with-default", .breaking, "{s} became required, with a default",
                "a request property"),
            Template("request-property-became-optional", .info, "{s} became optional", "a request property"),
            Template(
                "new-required-request-parameter-property", .breaking, "{s} was added and is required",
                "a property of a request parameter"),
            Template(
                "new-optional-request-parameter-property", .info, "{s} was added and is optional",
                "a property of a request parameter"),
            Template(
                "request-parameter-property-removed", .warning, "{s} was removed", "a property of a request parameter"),
            Template(
                "request-parameter-property-became-required", .breaking, "{s} became required",
                "a property of a request parameter"),
            Template(
                "request-parameter-property-became-optional", .info, "{s} became optional",
                "a property of a request parameter"),
            Template(
                "new-required-request-header-property", .breaking, "{s} was added and is required",
                "a property of a request header"),
            Template(
                "request-header-property-became-required", .breaking, "{s} became required",
                "a property of a request header"),
            Template(
                "request-header-property-became-enum", .breaking, "{s} was restricted to an enum{d|}",
                "a property of a request header"),
            Template(
                "response-required-property-added", .info, "{s} was added and is required", "a response property"),
            Template(
                "response-optional-property-added", .info, "{s} was added and is optional", "a response property"),
            Template(
                "response-required-write-only-property-added", .info, "{s} was added and is required",
                "a write-only response property"),
            Template(
                "response-optional-write-only-property-added", .info, "{s} was added and is optional",
                "a write-only response property"),
            Template(
                "response-required-property-removed", .breaking, "{s}, which was required, was removed",
                "a response property"),
            Template(
                "response-optional-property-removed", .warning, "{s}, which was optional, was removed",
                "a response property"),
            Template(
                "response-required-write-only-property-removed", .info, "{s}, which was required, was removed",
                "a write-only response property"),
            Template(
                "response-optional-write-only-property-removed", .info, "{s}, which was optional, was removed",
                "a write-only response property"),
            Template("response-property-became-optional", .breaking, "{s} became optional", "a response property"),
            Template("response-property-became-required", .info, "{s} became required", "a response property"),
            Template(
                "response-write-only-property-became-optional", .info, "{s} became optional",
                "a write-only response property"),
            Template(
                "response-write-only-property-became-required", .info, "{s} became required",
                "a write-only response property"),
        ] + mutability

    /// The checks of `readOnly` and `writeOnly`.
    private static let mutability: [Template] = ["request", "response"].flatMap { side in
        ["optional", "required"].flatMap { requirement in
            ["read-only", "write-only"].flatMap { kind in
                ["", "not-"].map { negation in
                    let id = "\(side)-\(requirement)-property-became-\(negation)\(kind)"
                    let isWarning = id == "response-required-property-became-not-write-only"
                    return Template(
                        id, isWarning ? .warning : .info,
                        negation.isEmpty ? "{s} became \(kind)" : "{s} is no longer \(kind)",
                        "\(requirement == "optional" ? "an optional" : "a required") \(side) property")
                }
            }
        }
    }

    private static let bodies: [Template] = [
        Template("request-body-added-required", .breaking, "a request body was added and is required"),
        Template("request-body-added-optional", .info, "a request body was added and is optional"),
        Template("request-body-removed", .breaking, "the request body was removed"),
        Template("request-body-became-required", .breaking, "the request body became required"),
        Template("request-body-became-optional", .info, "the request body became optional"),
        Template("request-body-media-type-added", .info, "{s} now accepts {d|another media type}", requestBody),
        Template(
            "request-body-media-type-removed", .breaking, "{s} no longer accepts {d|one of its media types}",
            requestBody),
        Template("request-body-media-type-schema-added", .breaking, "a schema was added to {s}{d|}", requestBody),
        Template("request-body-media-type-schema-removed", .info, "the schema of {s} was removed{d|}", requestBody),
        Template("response-body-media-type-schema-added", .info, "a schema was added to {s}{d|}", responseBody),
        Template(
            "response-body-media-type-schema-removed", .warning, "the schema of {s} was removed{d|}", responseBody),
    ]

    private static let responses: [Template] = [
        Template("response-success-status-added", .info, "the response {d|with a success status} was added"),
        Template("response-success-status-removed", .breaking, "the response {d|with a success status} was removed"),
        Template("response-non-success-status-added", .info, "the response {d|with a non-success status} was added"),
        Template(
            "response-non-success-status-removed", .info, "the response {d|with a non-success status} was removed"),
        Template("response-media-type-added", .info, "{s} can now be sent as {d|another media type}", responseBody),
        Template(
            "response-media-type-removed", .breaking, "{s} is no longer sent as {d|one of its media types}",
            responseBody),
        Template(
            "response-media-type-name-changed", .info, "the media type parameters of {s} changed {d|}",
            responseBody),
        Template(
            "response-media-type-name-generalized", .breaking, "the media type of {s} became more general{d|}",
            responseBody),
        Template(
            "response-media-type-name-specialized", .info, "the media type of {s} became more specific{d|}",
            responseBody),
        Template("response-header-added", .info, "{s} was added", header),
        Template("required-response-header-removed", .breaking, "{s}, which was required, was removed", header),
        Template(
            "optional-response-header-removed", .warning, "{s}, which was optional, was removed", header),
        Template("response-header-became-optional", .breaking, "{s} became optional", header),
        Template("response-header-became-required", .info, "{s} became required", header),
    ]

    private static let sentByTheAPI: [Template] = [
        Template("webhook-added", .info, "the webhook was added"),
        Template("webhook-removed", .breaking, "the webhook was removed"),
        Template("callback-added", .info, "the callback {d|} was added"),
        Template("callback-removed", .breaking, "the callback {d|} was removed"),
    ]

    private static let requestBody = "the request body"
    private static let responseBody = "the response body"
    private static let header = "a response header"
}

extension ChangeCatalog {
    /// The checks of the whole description and of security.
    static let descriptionTemplates: [Template] = [
        Template(
            "api-security-added", .info, "the security requirements of the operation now include {d|another scheme}"),
        Template(
            "api-security-removed", .info, "the security requirements of the operation no longer include {d|a scheme}"),
        Template("api-security-scope-added", .info, "the operation now requires {d|another scope}"),
        Template("api-security-scope-removed", .info, "the operation no longer requires {d|a scope}"),
        Template(
            "api-security-became-stricter", .breaking,
            "the operation now rejects requests that it accepted before{d|}"),
        Template(
            "api-global-security-added", .info, "the security requirements of the API now include {d|another scheme}"),
        Template(
            "api-global-security-removed", .info, "the security requirements of the API no longer include {d|a scheme}"),
        Template("api-global-security-scope-added", .info, "the API now requires {d|another scope}"),
        Template("api-global-security-scope-removed", .info, "the API no longer requires {d|a scope}"),
        Template(
            "api-global-security-became-stricter", .breaking,
            "operations without their own security now reject requests that they accepted before{d|}"),
        Template("api-security-component-added", .info, "{s} was added", scheme),
        Template("api-security-component-removed", .info, "{s} was removed", scheme),
        Template("api-security-component-type-changed", .info, "the type of {s} changed {d|}", scheme),
        Template(
            "api-security-component-api-key-changed", .breaking, "the API key location of {s} changed {d|}", scheme),
        Template(
            "api-security-component-http-scheme-changed", .breaking, "the HTTP scheme of {s} changed {d|}", scheme),
        Template(
            "api-security-component-openid-url-changed", .info, "the openIdConnectUrl of {s} changed {d|}", scheme),
        Template("api-security-component-oauth-flow-added", .info, "{d|a flow} was added to {s}", scheme),
        Template("api-security-component-oauth-flow-removed", .warning, "{d|a flow} was removed from {s}", scheme),
        Template(
            "api-security-component-oauth-url-changed", .info, "the authorizationUrl of {s} changed {d|}", scheme),
        Template(
            "api-security-component-oauth-token-url-changed", .info, "the tokenUrl of {s} changed {d|}", scheme),
        Template("api-security-component-oauth-scope-added", .info, "{d|a scope} was added to {s}", scheme),
        Template("api-security-component-oauth-scope-removed", .info, "{d|a scope} was removed from {s}", scheme),
        Template(
            "api-security-component-oauth-scope-changed", .info, "the description of {d|a scope} of {s} changed",
            scheme),
        Template("api-schema-removed", .info, "the schema {d|} was removed from the components"),
        Template("api-server-added", .info, "the server {d|} was added"),
        Template("api-server-removed", .warning, "the server {d|} was removed"),
        Template(
            "api-version-not-bumped", .info, "the API has breaking changes, but info.version is still {d|the same}"),
        Template(
            "api-version-decreased", .info, "the API has breaking changes, but info.version decreased {d|}"),
        Template(
            "api-major-version-not-bumped", .info,
            "the API has breaking changes, but the major version in info.version is the same{d|}"),
    ]

    private static let scheme = "a security scheme"
}
