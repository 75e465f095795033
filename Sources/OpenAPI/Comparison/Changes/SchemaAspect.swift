/// A way in which a schema can change, with its effect in requests and in responses.
struct SchemaAspect: Sendable {
    /// The suffix of the identifiers.
    let name: String
    /// The sentence template. See ``ChangePhrase``.
    let phrase: String
    /// The level in requests, or `nil` if the change is not reported for requests.
    let request: ChangeLevel?
    /// The level in responses, or `nil` if the change is not reported for responses.
    let response: ChangeLevel?
    /// Whether the aspect applies only to bodies and their properties.
    var isForBodies = false
    /// Whether the aspect applies only to properties.
    var isForProperties = false

    /// Returns the identifier for a role, or `nil` if the aspect does not apply to the role.
    func id(for role: SchemaRole) -> String? {
        guard level(for: role) != nil else { return nil }
        // This identifier for bodies is older than the one for properties.
        if role == .responseBody, name == "enum-value-removed" { return "response-mediatype-enum-value-removed" }
        return "\(role.rawValue)-\(name)"
    }

    /// Returns the level for a role, or `nil` if the aspect does not apply to the role.
    func level(for role: SchemaRole) -> ChangeLevel? {
        guard let level = role.isRequest ? request : response else { return nil }
        if isForProperties, !role.isProperty { return nil }
        if isForBodies, role.isParameter { return nil }
        switch role {
        case .requestReadOnlyProperty: return Self.namesOfReadOnly.contains(name) ? .info : nil
        case .responseWriteOnlyProperty: return Self.namesOfWriteOnly.contains(name) ? .info : nil
        case .requestParameter, .requestParameterProperty:
            switch name {
            // Parameters are parsed from strings, so a nearly identical type needs no separate identifier.
            case "type-compatible": return nil
            case "type-specialized": return role == .requestParameterProperty ? .breaking : nil
            case "default-value-added", "default-value-changed", "default-value-removed": return .breaking
            default: return level
            }
        case .requestBody, .requestProperty: return name == "type-specialized" ? nil : level
        case .responseBody, .responseProperty, .responseHeader: return level
        }
    }

    /// The aspects to report for properties that requests should not contain.
    private static let namesOfReadOnly: Set<String> = [
        "enum-value-removed", "exclusive-max-decreased", "exclusive-min-increased", "max-decreased",
        "max-length-decreased", "min-increased", "min-length-increased", "type-changed",
    ]

    /// The aspects to report for properties that responses should not contain.
    private static let namesOfWriteOnly: Set<String> = ["enum-value-added", "type-changed"]
}

/// The part of a message that a schema describes. It determines the identifiers and levels of the schema's changes.
package enum SchemaRole: String, CaseIterable, Sendable {
    case requestBody = "request-body"
    case requestProperty = "request-property"
    case requestReadOnlyProperty = "request-read-only-property"
    case requestParameter = "request-parameter"
    case requestParameterProperty = "request-parameter-property"
    case responseBody = "response-body"
    case responseProperty = "response-property"
    case responseWriteOnlyProperty = "response-write-only-property"
    case responseHeader = "response-header"

    /// Whether the client sends the part.
    package var isRequest: Bool {
        switch self {
        case .requestBody, .requestProperty, .requestReadOnlyProperty, .requestParameter, .requestParameterProperty:
            true
        case .responseBody, .responseProperty, .responseWriteOnlyProperty, .responseHeader: false
        }
    }

    /// Whether the part is a parameter, part of a parameter, or a header, which are always sent as strings.
    var isParameter: Bool {
        switch self {
        case .requestParameter, .requestParameterProperty, .responseHeader: true
        case .requestBody, .requestProperty, .requestReadOnlyProperty, .responseBody, .responseProperty,
            .responseWriteOnlyProperty:
            false
        }
    }

    /// Whether the part is a property of a body.
    var isProperty: Bool {
        switch self {
        case .requestProperty, .requestReadOnlyProperty, .responseProperty, .responseWriteOnlyProperty: true
        case .requestBody, .requestParameter, .requestParameterProperty, .responseBody, .responseHeader: false
        }
    }

    /// The role of a property of this part.
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

    /// The role of an element of this part. An element of a parameter still has the role of the parameter.
    var element: SchemaRole { isParameter ? self : property }

    /// The general name of the part.
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

extension SchemaAspect {
    /// All aspects, in the order of the catalog.
    static let all: [SchemaAspect] =
        types + values + limits + strings + objects + arrays + composition + discriminators + annotations

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// Returns the aspect with a name.
    static func named(_ name: String) -> SchemaAspect? { byName[name] }

    /// Returns an aspect that makes fewer values valid.
    private static func narrows(
        _ name: String, _ phrase: String, request: ChangeLevel = .breaking, response: ChangeLevel = .info
    ) -> SchemaAspect {
        SchemaAspect(name: name, phrase: phrase, request: request, response: response)
    }

    /// Returns an aspect that makes more values valid.
    private static func widens(
        _ name: String, _ phrase: String, request: ChangeLevel = .info, response: ChangeLevel = .breaking
    ) -> SchemaAspect {
        SchemaAspect(name: name, phrase: phrase, request: request, response: response)
    }

    /// Returns an aspect with the same level in both directions.
    private static func changes(_ name: String, _ phrase: String, _ level: ChangeLevel) -> SchemaAspect {
        SchemaAspect(name: name, phrase: phrase, request: level, response: level)
    }

    private static let types: [SchemaAspect] = [
        changes("type-changed", "the type of {s} changed {d|to an incompatible type}", .breaking),
        widens("type-generalized", "the type of {s} became more general{d|}"),
        narrows("type-specialized", "the type of {s} became more specific{d|}"),
        changes(
            "type-compatible", "the type of {s} changed {d|to another type}, but the values are sent as the same text",
            .info),
        widens("list-of-types-widened", "a type was added to {s}{d|}"),
        narrows("list-of-types-narrowed", "a type was removed from {s}{d|}"),
        widens("became-nullable", "{s} may now be null"),
        narrows("became-not-nullable", "{s} may no longer be null"),
    ]

    private static let values: [SchemaAspect] = [
        narrows("became-enum", "{s} was restricted to an enum{d|}"),
        widens("became-not-enum", "{s} is no longer restricted to an enum{d|}", response: .warning),
        narrows("enum-value-removed", "{d|a value} was removed from the enum of {s}"),
        widens("enum-value-added", "{d|a value} was added to the enum of {s}", response: .warning),
        narrows("x-extensible-enum-value-removed", "{d|a value} was removed from the x-extensible-enum of {s}"),
        widens(
            "x-extensible-enum-value-added", "{d|a value} was added to the x-extensible-enum of {s}",
            response: .info),
        narrows("const-added", "{s} was restricted to {d|a single value}"),
        widens("const-removed", "{s} is no longer restricted to {d|a single value}"),
        changes("const-changed", "the const value of {s} changed {d|}", .breaking),
        changes("default-value-added", "{s} now defaults to {d|a value}", .info),
        changes("default-value-changed", "the default of {s} changed {d|}", .info),
        changes("default-value-removed", "{s} no longer defaults to {d|a value}", .info),
    ]

    private static let limits: [SchemaAspect] =
        [
            ("max", "maximum", true), ("min", "minimum", false),
            ("exclusive-max", "exclusive maximum", true), ("exclusive-min", "exclusive minimum", false),
            ("max-length", "maximum length", true), ("min-length", "minimum length", false),
            ("max-items", "maximum number of elements", true), ("min-items", "minimum number of elements", false),
            ("max-properties", "maximum number of properties", true),
            ("min-properties", "minimum number of properties", false),
            ("max-contains", "maximum number of matching elements", true),
            ("min-contains", "minimum number of matching elements", false),
        ].flatMap { stem, noun, isUpper in
            [
                narrows(
                    "\(stem)-\(isUpper ? "decreased" : "increased")",
                    "the \(noun) of {s} was \(isUpper ? "lowered" : "raised") {d|}"),
                widens(
                    "\(stem)-\(isUpper ? "increased" : "decreased")",
                    "the \(noun) of {s} was \(isUpper ? "raised" : "lowered") {d|}"),
                narrows(
                    "\(stem)-set", "\(noun.hasPrefix("e") ? "an" : "a") \(noun) was added to {s}{d|}", request: .warning
                ),
                widens("\(stem)-unset", "the \(noun) of {s} was removed{d|}"),
            ]
        } + [
            narrows("multiple-of-added", "{s} must now be a multiple of {d|a number}"),
            widens("multiple-of-removed", "{s} no longer has to be a multiple of {d|a number}"),
            changes("multiple-of-changed", "the multipleOf of {s} changed {d|}", .breaking),
        ]

    private static let strings: [SchemaAspect] = [
        narrows("pattern-added", "a pattern was added to {s}{d|}"),
        widens("pattern-removed", "the pattern of {s} was removed{d|}", response: .info),
        changes("pattern-changed", "the pattern of {s} changed {d|}", .warning).with(response: .info),
        widens("pattern-generalized", "the pattern of {s} now matches everything{d|}", response: .info),
        changes("content-encoding-changed", "the contentEncoding of {s} changed {d|}", .breaking),
        changes("content-media-type-changed", "the contentMediaType of {s} changed {d|}", .breaking),
        narrows("content-schema-added", "a contentSchema was added to {s}"),
        widens("content-schema-removed", "the contentSchema of {s} was removed"),
    ]

    private static let objects: [SchemaAspect] = [
        narrows("additional-properties-disallowed", "{s} no longer allows additional properties"),
        widens(
            "additional-properties-allowed", "{s} now allows additional properties", response: .info),
        narrows("additional-properties-schema-added", "a schema for additional properties was added to {s}"),
        widens(
            "additional-properties-schema-removed", "the schema for additional properties was removed from {s}",
            response: .warning),
        narrows("pattern-property-added", "a schema for properties matching {d|a pattern} was added to {s}"),
        widens("pattern-property-removed", "the schema for properties matching {d|a pattern} was removed from {s}"),
        narrows("property-names-added", "a schema for property names was added to {s}"),
        widens("property-names-removed", "the schema for property names was removed from {s}"),
        narrows("dependent-required-added", "{s} now requires more properties when {d|a property} is present"),
        widens("dependent-required-removed", "{s} no longer requires more properties when {d|a property} is present"),
        changes(
            "dependent-required-changed", "the properties that {s} requires when {d|a property} is present changed",
            .breaking),
        narrows("dependent-schema-added", "{s} must now match a schema when {d|a property} is present"),
        widens("dependent-schema-removed", "{s} no longer has to match a schema when {d|a property} is present"),
        narrows("unevaluated-properties-added", "the unevaluated properties of {s} are now restricted"),
        widens(
            "unevaluated-properties-removed",
            "the unevaluated properties of {s} are no longer restricted"),
    ]

    private static let arrays: [SchemaAspect] = [
        narrows("unique-items-added", "the elements of {s} must now be unique"),
        widens("unique-items-removed", "the elements of {s} no longer have to be unique"),
        widens("prefix-items-added", "a schema for {d|another leading element} was added to {s}"),
        narrows("prefix-items-removed", "the schema for {d|a leading element} was removed from {s}"),
        narrows("contains-added", "{s} must now contain an element that matches a schema"),
        widens("contains-removed", "{s} no longer has to contain an element that matches a schema"),
        narrows("unevaluated-items-added", "the unevaluated elements of {s} are now restricted"),
        widens("unevaluated-items-removed", "the unevaluated elements of {s} are no longer restricted"),
    ]

    private static let composition: [SchemaAspect] = [
        narrows("all-of-added", "{d|a schema} was added to the allOf of {s}"),
        widens(
            "all-of-removed", "{d|a schema} was removed from the allOf of {s}", request: .warning,
            response: .info),
        changes(
            "all-of-added-annotation-only", "{d|a schema} with only annotations was added to the allOf of {s}", .info),
        changes(
            "all-of-removed-annotation-only", "{d|a schema} with only annotations was removed from the allOf of {s}",
            .info),
        widens("any-of-added", "{d|a schema} was added to the anyOf of {s}", response: .info),
        narrows("any-of-removed", "{d|a schema} was removed from the anyOf of {s}"),
        widens("one-of-added", "{d|a schema} was added to the oneOf of {s}"),
        narrows("one-of-removed", "{d|a schema} was removed from the oneOf of {s}"),
        changes("wrapped-in-one-of", "{s} became a oneOf that does not include the previous schema", .breaking),
        changes("unwrapped-from-one-of", "{s} is no longer a oneOf, and its schema was not part of it", .breaking),
        changes("wrapped-in-any-of", "{s} became an anyOf that does not include the previous schema", .breaking),
        changes("unwrapped-from-any-of", "{s} is no longer an anyOf, and its schema was not part of it", .breaking),
        narrows("not-added", "a not schema was added to {s}"),
        widens("not-removed", "the not schema of {s} was removed"),
        changes("not-changed", "the not schema of {s} changed", .warning),
        narrows("if-added", "a condition (if) was added to {s}"),
        widens("if-removed", "the condition (if) of {s} was removed"),
        changes("if-changed", "the condition (if) of {s} changed", .warning),
        narrows("then-added", "{s} must now match a schema when its condition holds (then)"),
        widens("then-removed", "{s} no longer has to match a schema when its condition holds (then)"),
        narrows("else-added", "{s} must now match a schema when its condition does not hold (else)"),
        widens("else-removed", "{s} no longer has to match a schema when its condition does not hold (else)"),
    ]

    private static let discriminators: [SchemaAspect] = [
        ("added", "a discriminator was added to {s}{d|}"),
        ("removed", "the discriminator of {s} was removed{d|}"),
        ("property-name-changed", "the discriminator property of {s} changed {d|}"),
        ("mapping-added", "a mapping for {d|a value} was added to the discriminator of {s}"),
        ("mapping-deleted", "the mapping for {d|a value} was removed from the discriminator of {s}"),
        ("mapping-changed", "the discriminator of {s} now maps {d|a value} to another schema"),
    ].map { name, phrase in
        var aspect = changes("discriminator-\(name)", phrase, .info)
        aspect.isForBodies = true
        return aspect
    }

    private static let annotations: [SchemaAspect] = [
        ("deprecated", "{s} was deprecated", .info),
        ("deprecated-with-sunset", "{s} was deprecated and will be removed {d|on a date}", .info),
        ("deprecated-sunset-missing", "{s} was deprecated without an x-sunset date", .breaking),
        ("deprecated-sunset-invalid", "the x-sunset {d|} of {s} is not a date", .breaking),
        ("sunset-date-too-small", "{s} was deprecated with an x-sunset date that is too early{d|}", .breaking),
        ("reactivated", "{s} is no longer deprecated", .info),
        (
            "invalid-stability-level",
            "the x-stability-level {d|} of {s} is not draft, alpha, beta, or stable", .breaking
        ),
        ("stability-decreased", "the stability of {s} was lowered {d|}", .breaking),
        ("stability-increased", "the stability of {s} was raised {d|}", .info),
    ].map { (name: String, phrase: String, level: ChangeLevel) in
        var aspect = changes(name, phrase, level)
        aspect.isForProperties = true
        return aspect
    }

    private func with(response: ChangeLevel) -> SchemaAspect {
        SchemaAspect(name: name, phrase: phrase, request: request, response: response)
    }
}
