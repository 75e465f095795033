import JSONSchema

/// An operation with its schemas and its places in the coverage.
final class ContractOperation: Sendable {
    /// A parameter of a request or a header of a response.
    struct Field: Sendable {
        let parameter: Parameter
        let schema: ContractSchema?
        /// The place in the coverage; -1 for none.
        let item: Int
    }

    /// A body of one media type.
    struct Content: Sendable {
        let media: MediaType
        let schema: ContractSchema?
        let itemSchema: ContractSchema?
        let headers: [String: [Field]]
        let item: Int
    }

    /// A response.
    struct Answer: Sendable {
        let response: Response
        let headers: [Field]
        let content: [Content]
        let item: Int
    }

    let operation: Operation
    /// `GET /books/{id}`.
    let title: String
    let parameters: [Field]
    let body: [Content]
    let answers: [Answer]
    let item: Int
    /// The security schemes that ``operation`` may name.
    private let schemes: [SecurityScheme]
    private let made = MadeOnce<OperationPlan>()

    init(_ operation: Operation, _ schemas: ContractSchemas, _ parts: inout [ContractPart]) {
        self.operation = operation
        let title = operation.title
        self.title = title
        schemes = schemas.description.securitySchemes
        item = parts.count
        parts.append(ContractPart(.operation, of: title))
        parameters = operation.parameters.map { parameter in
            parts.append(
                ContractPart(.parameter, of: title, name: "\(parameter.location.rawValue) \(parameter.name)"))
            return Self.field(parameter, .request, schemas, parts.count - 1)
        }
        // What is lost counts, as it cannot be covered.
        for reference in operation.unknownParameters {
            parts.append(ContractPart(.parameter, of: title, name: "$ref \(reference)"))
        }
        if let reference = operation.unknownRequestBody {
            parts.append(ContractPart(.request, of: title, name: "$ref \(reference)"))
        }
        body =
            operation.requestBody?.content.map { media in
                parts.append(ContractPart(.request, of: title, name: media.range.text))
                return Self.content(media, .request, schemas, parts.count - 1)
            } ?? []
        answers = operation.responses.map { response in
            let item = parts.count
            let status = response.status.description
            parts.append(ContractPart(.response, of: title, name: status))
            let content = response.content.map { media in
                parts.append(ContractPart(.responseContent, of: title, name: "\(status) \(media.range.text)"))
                return Self.content(media, .response, schemas, parts.count - 1)
            }
            return Answer(
                response: response, headers: response.headers.map { Self.field($0, .response, schemas, -1) },
                content: content, item: item)
        }
    }

    /// What conforming exchanges are recognized by, made at the first call.
    var plan: OperationPlan { made.value { OperationPlan(self, schemes) } }

    /// The answer for a status: its own, then that of its class, then the default.
    func answer(for status: Int) -> Answer? {
        answers.first { $0.response.status == .exact(status) }
            ?? answers.first { $0.response.status == .range(status / 100) }
            ?? answers.first { $0.response.status == .fallback }
    }

    private static func field(
        _ parameter: Parameter, _ direction: OpenAPIExtension.Direction, _ schemas: ContractSchemas, _ item: Int
    ) -> Field {
        let schema = parameter.schema ?? parameter.content?.schema
        return Field(
            parameter: parameter, schema: schema.map { ContractSchema($0, direction, schemas) }, item: item)
    }

    private static func content(
        _ media: MediaType, _ direction: OpenAPIExtension.Direction, _ schemas: ContractSchemas, _ item: Int
    ) -> Content {
        var headers: [String: [Field]] = [:]
        for encoding in media.encodings where !encoding.headers.isEmpty {
            headers[encoding.property] = encoding.headers.map { field($0, direction, schemas, -1) }
        }
        return Content(
            media: media, schema: media.schema.map { ContractSchema($0, direction, schemas) },
            itemSchema: media.itemSchema.map { ContractSchema($0, direction, schemas) }, headers: headers, item: item)
    }
}

extension [ContractOperation.Content] {
    /// The entry that matches a media type most specifically.
    func bestMatch(for mediaType: MediaRange) -> ContractOperation.Content? {
        var best: (entry: ContractOperation.Content, rank: Int)?
        for entry in self {
            guard let rank = entry.media.range.specificity(for: mediaType) else { continue }
            if rank > best?.rank ?? -1 { best = (entry, rank) }
        }
        return best?.entry
    }
}
