import Synchronization

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

/// A value that the first task to ask makes, and that all others read without waiting for each other.
///
/// As `AtomicLazyReference`, whose reads cost several times as much where the compiler does not specialise them.
///
/// `@unchecked`, as the value is behind a pointer: it is written once, under the lock and before ``isMade`` is set, and
/// read only by those who have seen that.
final class MadeOnce<Value: Sendable>: @unchecked Sendable {
    private let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    private let isMade = Atomic(false)
    private let making = Mutex<Void>(())

    init() {}

    deinit {
        if isMade.load(ordering: .acquiring) { place.deinitialize(count: 1) }
        place.deallocate()
    }

    /// The value, made at the first call.
    func value(_ make: () -> Value) -> Value {
        if isMade.load(ordering: .acquiring) { return place.pointee }
        return making.withLock { _ in
            if !isMade.load(ordering: .acquiring) {
                place.initialize(to: make())
                isMade.store(true, ordering: .releasing)
            }
            return place.pointee
        }
    }
}
