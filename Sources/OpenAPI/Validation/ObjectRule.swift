/// The rule for the members of an object.
struct ObjectRule: Sendable {
    /// The members with fixed names.
    var members: [String: MemberRule]
    /// The names in the order of suggestions.
    var names: [String]
    /// The shape of members with other names, or `nil` if they are not allowed.
    var others: MemberShape?
    /// The pairs of mutually exclusive members.
    var exclusive: [(String, String)]
    /// Whether unknown members have no effect instead of being errors, as in schemas.
    var ignoresUnknown: Bool

    init(
        _ rules: [MemberRule], others: MemberShape? = nil, exclusive: [(String, String)] = [],
        ignoresUnknown: Bool = false
    ) {
        members = Dictionary(rules.map { ($0.name, $0) }) { first, _ in first }
        names = rules.map(\.name)
        self.others = others
        self.exclusive = exclusive
        self.ignoresUnknown = ignoresUnknown
    }
}

/// The rule for a member of an object.
struct MemberRule: Sendable {
    var name: String
    var shape: MemberShape
    var isRequired = false
    /// The first version that has the member.
    var since = OpenAPIVersion.swagger2
    /// The last version that has the member, or that requires it.
    var until = OpenAPIVersion.openAPI32

    /// Returns the rule for a required member.
    static func required(
        _ name: String, _ shape: MemberShape, until: OpenAPIVersion = .openAPI32
    ) -> MemberRule {
        MemberRule(name: name, shape: shape, isRequired: true, until: until)
    }

    /// Returns the rule for an optional member.
    static func optional(
        _ name: String, _ shape: MemberShape, since: OpenAPIVersion = .swagger2
    ) -> MemberRule {
        MemberRule(name: name, shape: shape, since: since)
    }
}

/// The required form of a member's value.
indirect enum MemberShape: Sendable {
    case any
    case text
    /// A string that YAML could misread as a number, such as a version.
    case pattern
    case boolean
    case number
    /// A non-negative integer.
    case count
    case choice([String])
    case list(MemberShape)
    /// An object with arbitrary names.
    case map(MemberShape)
    /// An object whose names are component names.
    case components(ObjectKind)
    case object(ObjectKind)
    /// An object, or a Reference Object for one.
    case reference(ObjectKind)
    /// A schema or a Boolean, which `additionalProperties` has always allowed.
    case schemaOrBoolean
    /// A schema or an array of schemas.
    case schemaOrList
    /// A JSON type or an array of types.
    case types
    /// A Boolean in OpenAPI 3.0, or a number since 3.1.
    case exclusiveBound

    /// Whether `null` is a value, or an error with a message of its own.
    var allowsNull: Bool {
        switch self {
        case .any, .types: true
        default: false
        }
    }
}

/// A kind of object in a description.
enum ObjectKind: Hashable, Sendable {
    case root, info, contact, license, server, serverVariable, components, paths, pathItem, operation, externalDocs
    case parameter, requestBody, mediaType, encoding, responses, response, callback, example, link, header, tag
    case schema, discriminator, xml, securityScheme, flows, flow, securityRequirement
    // Swagger 2.0 has a different form of these objects.
    case swaggerRoot, swaggerPaths, swaggerPathItem, swaggerOperation, swaggerParameter, swaggerItems
    case swaggerResponses, swaggerResponse, swaggerHeader, swaggerSecurityScheme

    /// The name of the object in messages.
    var noun: String {
        switch self {
        case .root, .swaggerRoot: "the description"
        case .info: "\"info\""
        case .contact: "the contact"
        case .license: "the license"
        case .server: "a server"
        case .serverVariable: "a server variable"
        case .components: "\"components\""
        case .paths, .swaggerPaths: "\"paths\""
        case .pathItem, .swaggerPathItem: "a path"
        case .operation, .swaggerOperation: "an operation"
        case .externalDocs: "\"externalDocs\""
        case .parameter, .swaggerParameter: "a parameter"
        case .requestBody: "a request body"
        case .mediaType: "a media type"
        case .encoding: "an encoding"
        case .responses, .swaggerResponses: "\"responses\""
        case .response, .swaggerResponse: "a response"
        case .callback: "a callback"
        case .example: "an example"
        case .link: "a link"
        case .header, .swaggerHeader: "a header"
        case .tag: "a tag"
        case .schema: "a schema"
        case .discriminator: "a discriminator"
        case .xml: "\"xml\""
        case .securityScheme, .swaggerSecurityScheme: "a security scheme"
        case .flows: "\"flows\""
        case .flow: "a flow"
        case .securityRequirement: "a security requirement"
        case .swaggerItems: "\"items\""
        }
    }

    /// The path to the section with components of this kind.
    var section: [String]? {
        switch self {
        case .schema: ["components", "schemas"]
        case .response: ["components", "responses"]
        case .parameter: ["components", "parameters"]
        case .example: ["components", "examples"]
        case .requestBody: ["components", "requestBodies"]
        case .header: ["components", "headers"]
        case .securityScheme: ["components", "securitySchemes"]
        case .link: ["components", "links"]
        case .callback: ["components", "callbacks"]
        case .pathItem: ["components", "pathItems"]
        case .mediaType: ["components", "mediaTypes"]
        case .swaggerParameter: ["parameters"]
        case .swaggerResponse: ["responses"]
        default: nil
        }
    }

    /// Returns the kind of the components in a section.
    static func ofSection(_ name: String) -> ObjectKind? {
        let kinds: [ObjectKind] = [
            .schema, .response, .parameter, .example, .requestBody, .header, .securityScheme, .link, .callback,
            .pathItem, .mediaType,
        ]
        return kinds.first { $0.section?.last == name }
    }
}
