import Synchronization

/// The parts of an operation that decide whether an exchange conforms, as flat tables.
///
/// Strings are ranges of ``texts``. Header names and media types are lowercase.
final class OperationPlan: Sendable {
    /// A range of ``texts``.
    struct Text: Sendable {
        var start = 0
        var count = 0
    }

    /// A request parameter or a response header.
    struct Field: Sendable {
        /// The part of a field that the plan can judge.
        enum Reading: Sendable {
            /// The presence and the value of the field, which is a single string.
            case scalar
            /// The absence of the field, unless its name occurs.
            case ownName
            /// The absence of the field, if its part of the message is empty.
            case nothing
        }

        var name = Text()
        var location = Parameter.Location.header
        var reading = Reading.nothing
        var isRequired = false
        var isDeprecated = false
        /// The index of a path parameter among those of its path, or -1 if the path does not contain it.
        var number = -1
        var types: ValueShape.Types = []
        /// The index in ``OperationPlan/schemas``, or -1 if there is none.
        var schema = -1
        var item = -1
    }

    /// A body in one media type.
    struct Media: Sendable {
        var type = Text()
        var subtype = Text()
        var hasParameters = false
        /// Whether the media type has an item schema.
        var hasItemSchema = false
        var types: ValueShape.Types = []
        var isScalar = false
        var schema = -1
        var item = -1
    }

    /// A documented response.
    struct Answer: Sendable {
        var status: Response.Status
        var headers: Range<Int> = 0..<0
        var content: Range<Int> = 0..<0
        var item = -1
    }

    /// The credential that one security scheme requires.
    struct Proof: Sendable {
        /// The kind of a credential.
        enum Kind: Sendable {
            /// A header with any value.
            case header
            /// The `Authorization` header with a specific scheme.
            case scheme
            /// The `Authorization` header with any value.
            case authorization
            /// A credential that the plan does not check.
            case other
        }

        var kind: Kind
        var name = Text()
    }

    let texts: [UInt8]
    /// Whether the plan cannot judge any exchange of the operation.
    let isOpaque: Bool
    let isDeprecated: Bool
    let item: Int
    let parameters: [Field]
    /// Whether any parameter is a cookie.
    let hasCookies: Bool
    let hasBody: Bool
    let requiresBody: Bool
    let body: Range<Int>
    let media: [Media]
    let headers: [Field]
    let answers: [Answer]
    /// The alternative security requirements, any of them sufficient, as ranges of ``proofs``.
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

/// The tables of an ``OperationPlan`` under construction.
struct OperationTables {
    private(set) var texts: [UInt8] = []
    private(set) var media: [OperationPlan.Media] = []
    private(set) var headers: [OperationPlan.Field] = []
    private(set) var proofs: [OperationPlan.Proof] = []
    private(set) var schemas: [ContractSchema] = []
    /// Whether the operation has a part that the tables cannot express.
    private(set) var isOpaque = false

    /// Stores a string and returns its range.
    mutating func text(_ text: String) -> OperationPlan.Text {
        // Strings compare by characters, which equal bytes only in ASCII.
        if !text.utf8.allSatisfy({ $0 < 0x80 }) { isOpaque = true }
        texts += text.utf8
        return OperationPlan.Text(start: texts.count - text.utf8.count, count: text.utf8.count)
    }

    /// Creates the entry of a request parameter or a response header.
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
            // The members of an exploded object appear under their own names.
            if parameter.content == nil, parameter.isExploded, types.contains(.object) { return .nothing }
            return isScalar ? .scalar : .ownName
        default: return .nothing
        }
    }

    /// Appends the headers of a response.
    mutating func append(_ fields: [ContractOperation.Field]) -> Range<Int> {
        let start = headers.count
        for field in fields { headers.append(self.field(field)) }
        return start..<headers.count
    }

    /// Appends the media types of a body.
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

    /// Returns whether a media type can match `text/plain`, whose values are parsed from strings.
    private static func canBeText(_ range: MediaRange) -> Bool {
        range.type == "*" || range.type == "text" && (range.subtype == "plain" || range.subtype == "*")
    }

    /// Appends the credentials of a security requirement.
    mutating func append(_ requirement: SecurityRequirement, _ schemes: [SecurityScheme]) -> Range<Int> {
        let start = proofs.count
        for (name, _) in requirement.schemes {
            // A scheme that the description does not define requires nothing.
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

/// A value that the first caller creates and all later callers read without locking.
///
/// This type resembles `AtomicLazyReference`, whose reads cost several times as much where the compiler does not
/// specialize them.
///
/// The type is `@unchecked Sendable` because the value is stored behind a pointer. It is written once, under the lock
/// and before ``isMade`` is set, and read only after ``isMade`` was observed.
final class MadeOnce<Value: Sendable>: @unchecked Sendable {
    private let location = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    private let isMade = Atomic(false)
    private let making = Mutex<Void>(())

    init() {}

    deinit {
        if isMade.load(ordering: .acquiring) { location.deinitialize(count: 1) }
        location.deallocate()
    }

    /// Returns the value, creating it on the first call.
    func value(_ make: () -> Value) -> Value {
        if isMade.load(ordering: .acquiring) { return location.pointee }
        return making.withLock { _ in
            if !isMade.load(ordering: .acquiring) {
                location.initialize(to: make())
                isMade.store(true, ordering: .releasing)
            }
            return location.pointee
        }
    }
}
