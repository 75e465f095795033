/// What an object of a kind may have.
struct ObjectRule: Sendable {
    /// The members that have a name of their own.
    var members: [String: MemberRule]
    /// The names in the order in which they are suggested.
    var names: [String]
    /// What members with other names are; nil when there may be none.
    var others: MemberShape?
    /// Pairs of members that exclude each other.
    var exclusive: [(String, String)]
    /// Whether a member that is not known says nothing instead of being wrong, as in schemas.
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

/// What an object may have under a name.
struct MemberRule: Sendable {
    var name: String
    var shape: MemberShape
    var isRequired = false
    /// The first version that has it.
    var since = OpenAPIVersion.swagger2
    /// The last version that has it, or that requires it.
    var until = OpenAPIVersion.openAPI32

    static func required(
        _ name: String, _ shape: MemberShape, until: OpenAPIVersion = .openAPI32
    ) -> MemberRule {
        MemberRule(name: name, shape: shape, isRequired: true, until: until)
    }

    static func optional(
        _ name: String, _ shape: MemberShape, since: OpenAPIVersion = .swagger2
    ) -> MemberRule {
        MemberRule(name: name, shape: shape, since: since)
    }
}

/// What the value of a member has to be.
indirect enum MemberShape: Sendable {
    case any
    case text
    /// A text that is not misread when it is written as a number, such as a version.
    case pattern
    case boolean
    case number
    /// An integer from 0 on.
    case count
    case choice([String])
    case list(MemberShape)
    /// An object with any names.
    case map(MemberShape)
    /// An object whose names are names of components.
    case components(ObjectKind)
    case object(ObjectKind)
    /// An object, or a Reference Object that leads to one.
    case reference(ObjectKind)
    /// A schema, or `true` or `false` in its place, as `additionalProperties` has always allowed.
    case schemaOrBoolean
    /// A schema, or a list of them.
    case schemaOrList
    /// The name of a type of JSON, or a list of them.
    case types
    /// A boolean in 3.0, a number since 3.1.
    case exclusiveBound

    /// Whether null is a value, or a mistake with a message of its own.
    var allowsNull: Bool {
        switch self {
        case .any, .types: true
        default: false
        }
    }
}

/// The kinds of objects that descriptions are made of.
enum ObjectKind: Hashable, Sendable {
    case root, info, contact, license, server, serverVariable, components, paths, pathItem, operation, externalDocs
    case parameter, requestBody, mediaType, encoding, responses, response, callback, example, link, header, tag
    case schema, discriminator, xml, securityScheme, flows, flow, securityRequirement
    // Swagger 2.0 has its own form of these.
    case swaggerRoot, swaggerPaths, swaggerPathItem, swaggerOperation, swaggerParameter, swaggerItems
    case swaggerResponses, swaggerResponse, swaggerHeader, swaggerSecurityScheme

    /// What messages call such an object.
    var noun: String {
        switch self {
        case .root, .swaggerRoot: "the description"
        case .info: "\"info\""
        case .contact: "the contact"
        case .license: "the license"
        case .server: "a server"
        case .serverVariable: "a server's variable"
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

    /// The ways to the members whose objects are of this kind, by the first tokens of a pointer.
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

    /// What stands in a section of components.
    static func ofSection(_ name: String) -> ObjectKind? {
        let kinds: [ObjectKind] = [
            .schema, .response, .parameter, .example, .requestBody, .header, .securityScheme, .link, .callback,
            .pathItem, .mediaType,
        ]
        return kinds.first { $0.section?.last == name }
    }
}
