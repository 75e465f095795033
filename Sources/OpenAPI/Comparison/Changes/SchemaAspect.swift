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

    /// Whether the client sends the part.
    var isRequest: Bool {
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
        changes("type-changed", "the type of {s} changed {d|to one that does not fit}", .breaking),
        widens("type-generalized", "the type of {s} became wider{d|}"),
        narrows("type-specialized", "the type of {s} became narrower{d|}"),
        changes(
            "type-compatible", "the type of {s} changed {d|to another one}, the same where values are sent as text",
            .info),
        widens("list-of-types-widened", "{s} may have a further type{d|}"),
        narrows("list-of-types-narrowed", "{s} may no longer have a type{d|}"),
        widens("became-nullable", "{s} may now be null"),
        narrows("became-not-nullable", "{s} may no longer be null"),
    ]

    private static let values: [SchemaAspect] = [
        narrows("became-enum", "{s} was limited to some values{d|}"),
        widens("became-not-enum", "{s} is no longer limited to some values{d|}", response: .warning),
        narrows("enum-value-removed", "{s} may no longer have {d|one of its values}"),
        widens("enum-value-added", "{s} may also have {d|a further value}", response: .warning),
        narrows("x-extensible-enum-value-removed", "{s} no longer lists {d|one of its values} in x-extensible-enum"),
        widens(
            "x-extensible-enum-value-added", "{s} also lists {d|a further value} in x-extensible-enum",
            response: .info),
        narrows("const-added", "{s} was limited to {d|one value}"),
        widens("const-removed", "{s} is no longer limited to {d|one value}"),
        changes("const-changed", "the one value of {s} changed {d|}", .breaking),
        changes("default-value-added", "{s} now has {d|a value} as its default", .info),
        changes("default-value-changed", "the default of {s} changed {d|}", .info),
        changes("default-value-removed", "{s} no longer has {d|a value} as its default", .info),
    ]

    private static let limits: [SchemaAspect] =
        [
            ("max", "maximum", true), ("min", "minimum", false),
            ("exclusive-max", "exclusive maximum", true), ("exclusive-min", "exclusive minimum", false),
            ("max-length", "greatest length", true), ("min-length", "least length", false),
            ("max-items", "greatest number of elements", true), ("min-items", "least number of elements", false),
            ("max-properties", "greatest number of properties", true),
            ("min-properties", "least number of properties", false),
            ("max-contains", "greatest number of matching elements", true),
            ("min-contains", "least number of matching elements", false),
        ].flatMap { stem, noun, isUpper in
            [
                narrows(
                    "\(stem)-\(isUpper ? "decreased" : "increased")",
                    "the \(noun) of {s} was \(isUpper ? "lowered" : "raised") {d|}"),
                widens(
                    "\(stem)-\(isUpper ? "increased" : "decreased")",
                    "the \(noun) of {s} was \(isUpper ? "raised" : "lowered") {d|}"),
                narrows("\(stem)-set", "{s} was given a \(noun){d|}", request: .warning),
                widens("\(stem)-unset", "{s} no longer has a \(noun){d|}"),
            ]
        } + [
            narrows("multiple-of-added", "{s} must now be a multiple of {d|a number}"),
            widens("multiple-of-removed", "{s} need no longer be a multiple of {d|a number}"),
            changes("multiple-of-changed", "what {s} must be a multiple of changed {d|}", .breaking),
        ]

    private static let strings: [SchemaAspect] = [
        narrows("pattern-added", "{s} was given a pattern{d|}"),
        widens("pattern-removed", "{s} no longer has a pattern{d|}", response: .info),
        changes("pattern-changed", "the pattern of {s} changed {d|}", .warning).with(response: .info),
        widens("pattern-generalized", "the pattern of {s} now matches everything{d|}", response: .info),
        changes("content-encoding-changed", "the encoding of the content of {s} changed {d|}", .breaking),
        changes("content-media-type-changed", "the media type of the content of {s} changed {d|}", .breaking),
        narrows("content-schema-added", "the content of {s} was given a schema"),
        widens("content-schema-removed", "the content of {s} no longer has a schema"),
    ]

    private static let objects: [SchemaAspect] = [
        narrows("additional-properties-disallowed", "{s} may no longer have properties that it does not name"),
        widens(
            "additional-properties-allowed", "{s} may now have properties that it does not name", response: .info),
        narrows("additional-properties-schema-added", "properties that {s} does not name were given a schema"),
        widens(
            "additional-properties-schema-removed", "properties that {s} does not name no longer have a schema",
            response: .warning),
        narrows("pattern-property-added", "{s} was given a schema for properties named {d|like a pattern}"),
        widens("pattern-property-removed", "{s} no longer has a schema for properties named {d|like a pattern}"),
        narrows("property-names-added", "the names of the properties of {s} were given a schema"),
        widens("property-names-removed", "the names of the properties of {s} no longer have a schema"),
        narrows("dependent-required-added", "{s} now requires properties where it has {d|another}"),
        widens("dependent-required-removed", "{s} no longer requires properties where it has {d|another}"),
        changes("dependent-required-changed", "what {s} requires where it has {d|a property} changed", .breaking),
        narrows("dependent-schema-added", "{s} now has to match a schema where it has {d|a property}"),
        widens("dependent-schema-removed", "{s} no longer has to match a schema where it has {d|a property}"),
        narrows("unevaluated-properties-added", "further properties of {s} were limited by unevaluatedProperties"),
        widens(
            "unevaluated-properties-removed",
            "further properties of {s} are no longer limited by unevaluatedProperties"),
    ]

    private static let arrays: [SchemaAspect] = [
        narrows("unique-items-added", "the elements of {s} must now be different"),
        widens("unique-items-removed", "the elements of {s} need no longer be different"),
        widens("prefix-items-added", "{s} was given a schema for {d|one more of its first elements}"),
        narrows("prefix-items-removed", "{s} no longer has a schema for {d|one of its first elements}"),
        narrows("contains-added", "{s} must now contain an element that matches a schema"),
        widens("contains-removed", "{s} need no longer contain an element that matches a schema"),
        narrows("unevaluated-items-added", "further elements of {s} were limited by unevaluatedItems"),
        widens("unevaluated-items-removed", "further elements of {s} are no longer limited by unevaluatedItems"),
    ]

    private static let composition: [SchemaAspect] = [
        narrows("all-of-added", "{s} must now match {d|a further schema} of its allOf too"),
        widens(
            "all-of-removed", "{s} need no longer match {d|one of the schemas} of its allOf", request: .warning,
            response: .info),
        changes("all-of-added-annotation-only", "the allOf of {s} has {d|a further schema} that only describes", .info),
        changes(
            "all-of-removed-annotation-only", "the allOf of {s} no longer has {d|a schema} that only described", .info),
        widens("any-of-added", "{s} may also match {d|a further schema} of its anyOf", response: .info),
        narrows("any-of-removed", "{s} may no longer match {d|one of the schemas} of its anyOf"),
        widens("one-of-added", "{s} may also match {d|a further schema} of its oneOf"),
        narrows("one-of-removed", "{s} may no longer match {d|one of the schemas} of its oneOf"),
        changes("wrapped-in-one-of", "{s} became a oneOf of which no schema is the former one", .breaking),
        changes("unwrapped-from-one-of", "{s} is no longer a oneOf, and is none of its schemas", .breaking),
        changes("wrapped-in-any-of", "{s} became an anyOf of which no schema is the former one", .breaking),
        changes("unwrapped-from-any-of", "{s} is no longer an anyOf, and is none of its schemas", .breaking),
        narrows("not-added", "{s} may no longer match a schema under not"),
        widens("not-removed", "{s} may now match what was under not"),
        changes("not-changed", "what {s} may not match changed", .warning),
        narrows("if-added", "{s} was given a condition (if)"),
        widens("if-removed", "{s} no longer has a condition (if)"),
        changes("if-changed", "the condition (if) of {s} changed", .warning),
        narrows("then-added", "{s} must now match a schema where its condition holds (then)"),
        widens("then-removed", "{s} need no longer match a schema where its condition holds (then)"),
        narrows("else-added", "{s} must now match a schema where its condition does not hold (else)"),
        widens("else-removed", "{s} need no longer match a schema where its condition does not hold (else)"),
    ]

    private static let discriminators: [SchemaAspect] = [
        ("added", "{s} was given a discriminator{d|}"),
        ("removed", "{s} no longer has a discriminator{d|}"),
        ("property-name-changed", "the property that discriminates {s} changed {d|}"),
        ("mapping-added", "the discriminator of {s} has a mapping for {d|a further value}"),
        ("mapping-deleted", "the discriminator of {s} no longer has a mapping for {d|a value}"),
        ("mapping-changed", "the discriminator of {s} maps {d|a value} to another schema"),
    ].map { name, phrase in
        var aspect = changes("discriminator-\(name)", phrase, .info)
        aspect.isForBodies = true
        return aspect
    }

    private static let annotations: [SchemaAspect] = [
        ("deprecated", "{s} was deprecated", .info),
        ("deprecated-with-sunset", "{s} was deprecated, and will go {d|on a date}", .info),
        ("deprecated-sunset-missing", "{s} was deprecated without a date (x-sunset) on which it goes", .breaking),
        ("deprecated-sunset-invalid", "the x-sunset {d|} of {s} is not a date", .breaking),
        ("sunset-date-too-small", "{s} was deprecated and goes too early{d|}", .breaking),
        ("reactivated", "{s} is no longer deprecated", .info),
        (
            "invalid-stability-level",
            "the x-stability-level {d|} of {s} is none of draft, alpha, beta and stable", .breaking
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
