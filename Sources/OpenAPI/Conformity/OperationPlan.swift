/// What of an operation decides whether an exchange conforms, as flat tables.
///
/// Texts are places in ``texts``; those of header names and media types are in lower case.
final class OperationPlan: Sendable {
    /// A place in ``texts``.
    struct Text: Sendable {
        var start = 0
        var count = 0
    }

    /// A parameter of the request, or a header of a response.
    struct Field: Sendable {
        /// What the plan can tell of its values.
        enum Reading: Sendable {
            /// All of it: it is one text.
            case scalar
            /// That there is none, unless its name is there.
            case ownName
            /// That there is none, unless there is anything in its part of the message.
            case nothing
        }

        var name = Text()
        var location = Parameter.Location.header
        var reading = Reading.nothing
        var isRequired = false
        var isDeprecated = false
        /// For a path parameter its number among those of the path; -1 when it has none.
        var number = -1
        var types: ValueShape.Types = []
        /// The index among ``OperationPlan/schemas``; -1 for none.
        var schema = -1
        var item = -1
    }

    /// A body of one media type.
    struct Media: Sendable {
        var type = Text()
        var subtype = Text()
        var hasParameters = false
        /// Whether its items have a schema.
        var hasItemSchema = false
        var types: ValueShape.Types = []
        var isScalar = false
        var schema = -1
        var item = -1
    }

    /// A response.
    struct Answer: Sendable {
        var status: Response.Status
        var headers: Range<Int> = 0..<0
        var content: Range<Int> = 0..<0
        var item = -1
    }

    /// What one way to prove who sends a request asks for.
    struct Proof: Sendable {
        /// What is looked for.
        enum Kind: Sendable {
            /// A header of any value.
            case header
            /// The header `Authorization` with a scheme.
            case scheme
            /// The header `Authorization` of any value.
            case authorization
            /// Something that the plan does not look for.
            case other
        }

        var kind: Kind
        var name = Text()
    }

    let texts: [UInt8]
    /// Whether nothing can be told of the operation's exchanges.
    let isOpaque: Bool
    let isDeprecated: Bool
    let item: Int
    let parameters: [Field]
    /// Whether a parameter is read from cookies.
    let hasCookies: Bool
    let hasBody: Bool
    let requiresBody: Bool
    let body: Range<Int>
    let media: [Media]
    let headers: [Field]
    let answers: [Answer]
    /// The ways to prove who sends a request, any one of which is enough: ranges of ``proofs``.
    let security: [Range<Int>]
    let proofs: [Proof]
    let schemas: [ContractSchema]
    let contentType: Text
    let contentEncoding: Text
    let authorization: Text
    let cookie: Text

    init(_ operation: ContractOperation, _ schemes: [SecurityScheme]) {
        var tables = OperationTables()
        let model = operation.operation
        contentType = tables.text("content-type")
        contentEncoding = tables.text("content-encoding")
        authorization = tables.text("authorization")
        cookie = tables.text("cookie")
        isDeprecated = model.isDeprecated
        item = operation.item
        let names = model.template.parameterNames
        parameters = operation.parameters.map { tables.field($0, pathNames: names) }
        hasCookies = parameters.contains { $0.location == .cookie }
        hasBody = model.requestBody != nil
        requiresBody = model.requestBody?.isRequired == true
        body = tables.append(operation.body)
        answers = operation.answers.map { answer in
            let headers = tables.append(answer.headers)
            let content = tables.append(answer.content)
            return Answer(status: answer.response.status, headers: headers, content: content, item: answer.item)
        }
        security = model.security.map { tables.append($0, schemes) }
        texts = tables.texts
        isOpaque = tables.isOpaque
        media = tables.media
        headers = tables.headers
        proofs = tables.proofs
        schemas = tables.schemas
    }
}
