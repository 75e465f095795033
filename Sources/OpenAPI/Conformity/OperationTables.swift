/// The tables of an ``OperationPlan`` while they are made.
struct OperationTables {
    private(set) var texts: [UInt8] = []
    private(set) var media: [OperationPlan.Media] = []
    private(set) var headers: [OperationPlan.Field] = []
    private(set) var proofs: [OperationPlan.Proof] = []
    private(set) var schemas: [ContractSchema] = []
    /// Whether there is something that the tables cannot express.
    private(set) var isOpaque = false

    /// Keeps a text.
    mutating func text(_ text: String) -> OperationPlan.Text {
        // Texts are compared by their characters, which are bytes in ASCII alone.
        if !text.utf8.allSatisfy({ $0 < 0x80 }) { isOpaque = true }
        texts += text.utf8
        return OperationPlan.Text(start: texts.count - text.utf8.count, count: text.utf8.count)
    }

    /// A parameter, or a header of a response.
    ///
    /// - Parameter pathNames: The names of the path's parameters, in order.
    mutating func field(_ field: ContractOperation.Field, pathNames: [String] = []) -> OperationPlan.Field {
        let parameter = field.parameter
        var own = OperationPlan.Field()
        own.location = parameter.location
        own.name = text(parameter.location == .header ? parameter.name.lowercased() : parameter.name)
        own.isRequired = parameter.isRequired
        own.isDeprecated = parameter.isDeprecated
        if parameter.location == .path { own.number = pathNames.firstIndex(of: parameter.name) ?? -1 }
        let shape = field.schema?.valueShape() ?? ValueShape()
        own.types = shape.types
        own.schema = keep(field.schema)
        own.item = field.item
        own.reading = Self.reading(of: parameter, shape.types)
        return own
    }

    private static func reading(of parameter: Parameter, _ types: ValueShape.Types) -> OperationPlan.Field.Reading {
        let isScalar = parameter.content == nil && !types.contains(.array) && !types.contains(.object)
        switch (parameter.location, parameter.style) {
        case (.path, .simple), (.header, .simple): return isScalar ? .scalar : .ownName
        case (.query, .form), (.query, .spaceDelimited), (.query, .pipeDelimited):
            // An exploded object takes its members from names of their own.
            if parameter.content == nil, parameter.isExploded, types.contains(.object) { return .nothing }
            return isScalar ? .scalar : .ownName
        default: return .nothing
        }
    }

    /// The headers of a response.
    mutating func append(_ fields: [ContractOperation.Field]) -> Range<Int> {
        let start = headers.count
        for field in fields { headers.append(self.field(field)) }
        return start..<headers.count
    }

    /// The media types of a body.
    mutating func append(_ content: [ContractOperation.Content]) -> Range<Int> {
        let start = media.count
        for entry in content {
            var own = OperationPlan.Media()
            let range = entry.media.range
            own.type = text(range.type)
            own.subtype = text(range.subtype)
            own.hasParameters = !range.parameters.isEmpty
            own.hasItemSchema = entry.itemSchema != nil
            own.schema = keep(entry.schema)
            own.item = entry.item
            if let schema = entry.schema, !own.hasParameters, Self.canBeText(range) {
                own.types = schema.valueShape().types
                own.isScalar = !own.types.contains(.array) && !own.types.contains(.object)
            }
            media.append(own)
        }
        return start..<media.count
    }

    /// Whether a body of a media type may be `text/plain`, whose values are read out of its text.
    private static func canBeText(_ range: MediaRange) -> Bool {
        range.type == "*" || range.type == "text" && (range.subtype == "plain" || range.subtype == "*")
    }

    /// What a security requirement asks for.
    mutating func append(_ requirement: SecurityRequirement, _ schemes: [SecurityScheme]) -> Range<Int> {
        let start = proofs.count
        for (name, _) in requirement.schemes {
            // What the description does not have asks for nothing.
            guard let scheme = schemes.first(where: { $0.name == name }) else { continue }
            switch scheme.kind {
            case .apiKey(.header, let name):
                proofs.append(OperationPlan.Proof(kind: .header, name: text(name.lowercased())))
            case .apiKey(.query, _), .apiKey(.cookie, _): proofs.append(OperationPlan.Proof(kind: .other))
            case .apiKey, .mutualTLS: continue
            case .http(let scheme, _):
                proofs.append(OperationPlan.Proof(kind: .scheme, name: text(scheme.lowercased())))
            case .oauth2, .openIDConnect: proofs.append(OperationPlan.Proof(kind: .authorization))
            }
        }
        return start..<proofs.count
    }

    private mutating func keep(_ schema: ContractSchema?) -> Int {
        guard let schema else { return -1 }
        schemas.append(schema)
        return schemas.count - 1
    }
}
