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
