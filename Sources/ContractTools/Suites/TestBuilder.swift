import Basics
import JSON
import OpenAPI

/// A builder of the tests of one operation.
struct TestBuilder {
    /// A parameter with the value to send.
    struct Sent {
        var parameter: Parameter
        var value: JSONValue
    }

    let description: OpenAPIDescription
    let sampler: SchemaSampler

    /// Returns a value for a parameter.
    ///
    /// - Returns: The value, and whether it comes from the description.
    /// - Throws: ``SampleFailure`` if no value can be generated.
    func value(of parameter: Parameter) throws(SampleFailure) -> (value: JSONValue, isGiven: Bool) {
        let schema = parameter.schema ?? parameter.content?.schema
        for example in parameter.examples + (parameter.content?.examples ?? []) {
            if let value = example.value, schema.map({ sampler.accepts(value, $0) }) ?? true { return (value, true) }
        }
        guard let schema else { return (.string(parameter.name), false) }
        return (try sampler.sample(schema, name: parameter.name), isGiven(schema))
    }

    /// Returns whether a schema specifies values.
    private func isGiven(_ schema: DescriptionNode) -> Bool {
        let target = description.resolved(schema) ?? schema
        return ["example", "examples", "default", "enum", "const"].contains { name in
            schema.value[name] != nil || target.value[name] != nil
        }
    }

    /// Returns whether to send an optional parameter. A generated string would seldom match anything.
    func isWorthSending(_ parameter: Parameter, _ value: JSONValue, isGiven: Bool) -> Bool {
        if parameter.isRequired { return true }
        if parameter.isDeprecated { return false }
        if isGiven { return true }
        switch value {
        case .bool, .number: return true
        case .null, .string, .array, .object: return false
        }
    }

    /// Adds a query, header, or cookie parameter to a request.
    func add(_ sent: Sent, to parts: inout RequestParts) {
        let (parameter, value) = (sent.parameter, sent.value)
        switch parameter.location {
        case .path: break
        case .query where parameter.content != nil:
            parts.query.append((parameter.name, .text(SuiteNode.escaped(value.serialized()))))
        case .query: addQuery(parameter, value, to: &parts)
        case .querystring:
            if let object = value.objectValue, parameter.content?.range.isJSON != true {
                for (name, member) in object { parts.query.append((name, SuiteNode(member))) }
            } else {
                parts.pairs.append(PercentEncoding.encode(value.serialized()))
            }
        case .header:
            parts.headers.append((parameter.name, .text(SuiteNode.escaped(ParameterText.field(parameter, value)))))
        case .cookie:
            if parameter.isExploded, let object = value.objectValue {
                for (name, member) in object {
                    parts.cookies.append((name, .text(SuiteNode.escaped(ParameterText.scalar(member)))))
                }
            } else {
                parts.cookies.append((parameter.name, .text(SuiteNode.escaped(ParameterText.field(parameter, value)))))
            }
        }
    }

    private func addQuery(_ parameter: Parameter, _ value: JSONValue, to parts: inout RequestParts) {
        switch value {
        case .array(let elements) where parameter.style == .form:
            let isScalar = elements.allSatisfy { $0.arrayValue == nil && $0.objectValue == nil }
            let style = parameter.isExploded ? "repeat" : "comma"
            if isScalar, !elements.isEmpty, parts.queryStyle == nil || parts.queryStyle == style {
                parts.query.append((parameter.name, SuiteNode(value)))
                parts.queryStyle = style
            } else {
                parts.pairs += ParameterText.query(parameter, value)
            }
        case .object(let object) where parameter.style == .deepObject:
            parts.query.append((parameter.name, SuiteNode(.object(object))))
        case .object(let object) where parameter.style == .form && parameter.isExploded:
            for (name, member) in object { parts.query.append((name, SuiteNode(member))) }
        case .array, .object: parts.pairs += ParameterText.query(parameter, value)
        case .null: parts.query.append((parameter.name, .text("")))
        case .bool, .number, .string: parts.query.append((parameter.name, SuiteNode(value)))
        }
    }

    // MARK: Expectations

    /// Returns the expected success status with its response, or `nil` if none is documented.
    static func success(_ operation: Operation) -> (node: SuiteNode, response: Response?)? {
        let exact = operation.responses.filter {
            if case .exact(let status) = $0.status { status / 100 == 2 } else { false }
        }
        if let first = exact.first {
            let statuses = exact.map { SuiteNode.plain($0.status.description) }
            return (statuses.count == 1 ? statuses[0] : .list(statuses), first)
        }
        if let range = operation.responses.first(where: { $0.status == .range(2) }) { return (.text("2xx"), range) }
        let redirect = operation.responses.first {
            if case .exact(let status) = $0.status { status / 100 == 3 } else { $0.status == .range(3) }
        }
        if let redirect {
            return (redirect.status == .range(3) ? .text("3xx") : .plain(redirect.status.description), redirect)
        }
        if let other = operation.responses.first(where: { $0.status == .fallback }) { return (.text("2xx"), other) }
        // Since OpenAPI 3.1, an operation may omit its responses.
        if operation.responses.isEmpty { return (.text("2xx"), nil) }
        return nil
    }

    /// Returns the expectations for a successful response: the status, and the media type if it is unique.
    static func expectation(_ status: SuiteNode, _ response: Response?) -> SuiteNode {
        guard let content = response?.content, content.count == 1, let type = content.first?.range, type.isConcrete
        else {
            if case .list = status { return .map([("status", status)]) }
            return status
        }
        return .map([
            ("status", status), ("headers", .map([("Content-Type", .map([("contains", .text(type.essence))]))])),
        ])
    }

    /// Returns the expectation for a resource that may not exist: success, or 404 if documented.
    static func lenient(_ operation: Operation, _ status: SuiteNode, _ response: Response?) -> SuiteNode {
        let isRedirect =
            switch response?.status {
            case .exact(let status)?: status / 100 == 3
            case .range(let digit)?: digit == 3
            case .fallback?, nil: false
            }
        let success = isRedirect ? status : .text("2xx")
        guard operation.response(for: 404) != nil else { return success }
        return .map([("status", .list([success, .plain("404")]))])
    }

    /// Returns the documented statuses for an invalid request, or `nil` if there are none.
    static func refusal(_ operation: Operation, among statuses: [Int]) -> SuiteNode? {
        let documented = statuses.filter { status in operation.responses.contains { $0.status == .exact(status) } }
        if documented.count == 1 { return .plain("\(documented[0])") }
        if documented.count > 1 { return .list(documented.map { .plain("\($0)") }) }
        let isOpen = operation.responses.contains { $0.status == .range(4) || $0.status == .fallback }
        return isOpen && statuses.contains(400) ? .text("4xx") : nil
    }
}

/// A request of a generated suite.
struct RequestParts {
    var method: String
    /// The path, in which `${…}` is an expression.
    var path: String
    /// The query pairs that are part of the URL, because `query` would serialize them differently.
    var pairs: [String] = []
    var query: [(String, SuiteNode)] = []
    var queryStyle: String?
    var headers: [(String, SuiteNode)] = []
    var cookies: [(String, SuiteNode)] = []
    var body: (key: String, node: SuiteNode)?
    var contentType: String?
    var auth: SuiteNode?
    var followsRedirects = true

    /// The URL with the query pairs.
    var url: String { pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&") }

    /// Whether the request changes nothing, by its method (RFC 9110, section 9.2.1).
    var onlyReads: Bool { ["GET", "HEAD", "OPTIONS"].contains(method) }

    /// The request as a node of the suite.
    var node: SuiteNode {
        var entries: [(String, SuiteNode)] = []
        if !query.isEmpty { entries.append(("query", .map(query))) }
        if let queryStyle { entries.append(("queryStyle", .text(queryStyle))) }
        if !headers.isEmpty { entries.append(("headers", .map(headers))) }
        if !cookies.isEmpty { entries.append(("cookies", .map(cookies))) }
        if let body { entries.append((body.key, body.node)) }
        if let contentType { entries.append(("contentType", .text(contentType))) }
        if let auth { entries.append(("auth", auth)) }
        if !followsRedirects { entries.append(("redirects", .plain("false"))) }
        if entries.isEmpty { return .text("\(method) \(url)") }
        var start: [(String, SuiteNode)] = method == "GET" ? [] : [("method", .text(method))]
        start.append(("url", .text(url)))
        return .map(start + entries)
    }
}
