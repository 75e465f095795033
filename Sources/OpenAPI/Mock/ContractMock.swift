import Basics
import JSON
import Synchronization

/// A mock that responds to requests as a description documents, with its examples or with values generated from
/// schemas.
///
/// The mock rejects invalid requests, with a documented response if possible. It is deterministic: the same request
/// always gets the same response.
public final class ContractMock: Sendable {
    /// A header field.
    public typealias Field = (name: String, value: String)

    /// A response of the mock.
    public struct Answer: Sendable {
        /// The status code.
        public var status: Int
        /// The header fields, including `Content-Type`.
        public var headers: [Field] = []
        /// The body, which may be empty.
        public var body: [UInt8] = []
        /// The operation of the request, such as `GET /books/{id}`.
        public var operation: String?
    }

    /// An error in a request.
    struct Fault {
        var status: Int
        var detail: String
        var errors: [ContractFinding] = []
    }

    let contract: Contract
    let operations: [Operation]
    private let router: MockRouter
    let sampler: SchemaSampler
    private let bodies = Mutex<[MockBody.Key: MockBody]>([:])

    /// Creates a mock of a description.
    ///
    /// - Parameter seed: The seed for generated values, which are used where no example exists.
    public init(_ description: OpenAPIDescription, seed: UInt64 = 1) {
        contract = Contract(description, name: description.root.file.name, assertsFormat: true)
        operations = description.operations
        router = MockRouter(operations)
        sampler = SchemaSampler(description, direction: .response, seed: seed)
    }

    /// Returns the response to a request.
    ///
    /// - Parameters:
    ///   - method: The request method.
    ///   - target: The path and query, as sent.
    ///   - headers: The header fields, in order.
    ///   - body: The request body.
    public func answer(method: String, target: String, headers: [Field], body: [UInt8]) -> Answer {
        let path = target.hasPrefix("/") ? target : "/" + target
        let origin = "http://mock.invalid"
        switch router.route(method: method, path: URLParts(origin + path).path) {
        case .unknown:
            guard case .unknown(let path, let nearest) = contract.router.route(method: method, url: origin + path)
            else {
                return problem(Fault(status: 404, detail: "the description has no path \(path)"))
            }
            let hint = nearest.map { "; the closest match is \($0)" } ?? ""
            return problem(
                Fault(status: 404, detail: "the description has no path \(path)\(hint)"),
                members: nearest.map { [("nearest", .string($0))] } ?? [])
        case .otherMethods(let path, let methods):
            return otherMethod(method, path, methods)
        case .operation(let index, let documented):
            let query = path.firstIndex(of: "?").map { path[$0...] } ?? ""
            var answer = answer(
                operations[index], index,
                ContractExchange(
                    method: operations[index].method, url: origin + documented + query, requestHeaders: headers,
                    requestBody: body, status: 200))
            answer.operation = operations[index].title
            return answer
        }
    }

    private func otherMethod(_ method: String, _ path: String, _ methods: [String]) -> Answer {
        var allowed = methods
        if allowed.contains("GET"), !allowed.contains("HEAD") { allowed.append("HEAD") }
        if !allowed.contains("OPTIONS") { allowed.append("OPTIONS") }
        let list = allowed.joined(separator: ", ")
        if method == "OPTIONS" { return Answer(status: 204, headers: [("Allow", list)]) }
        var answer = problem(
            Fault(status: 405, detail: "\(path) does not support \(method); supported methods: \(list)"))
        answer.headers.append(("Allow", list))
        return answer
    }

    // MARK: Operations

    private func answer(_ operation: Operation, _ index: Int, _ exchange: ContractExchange) -> Answer {
        let accept = exchange.requestHeaders.joined(named: "accept")
        let preference = MockPreference(exchange.requestHeaders.joined(named: "prefer") ?? "")
        if let code = preference.code {
            guard let response = operation.response(for: code) else {
                return problem(
                    Fault(status: 404, detail: "\(operation.title) has no response \(code) in the description"))
            }
            return self.answer(response, status: code, operation, index, accept, preference)
        }
        if let fault = fault(operation, index, exchange) { return refusal(fault, operation, index, accept) }
        guard let (response, status) = Self.usual(operation, accept) else { return Answer(status: 204) }
        return self.answer(response, status: status, operation, index, accept, preference)
    }

    /// Returns the default response with its status: the lowest success that matches `Accept`, or else any response.
    static func usual(_ operation: Operation, _ accept: String?) -> (response: Response, status: Int)? {
        func status(_ response: Response) -> Int {
            switch response.status {
            case .exact(let status): status
            case .range(let digit): digit * 100
            case .fallback: 200
            }
        }
        func exact(_ digit: Int) -> [Response] {
            operation.responses.filter { if case .exact(let code) = $0.status { code / 100 == digit } else { false } }
                .sorted { status($0) < status($1) }
        }
        let successes = exact(2) + operation.responses.filter { $0.status == .range(2) }
        let header = AcceptHeader(accept)
        // An empty response matches only as the first success, not because the others lack an accepted type.
        let fitting =
            successes.first?.content.isEmpty == true
            ? successes.first : successes.first { header.choose(from: $0.content) != nil }
        let response =
            fitting ?? successes.first ?? exact(3).first ?? operation.responses.first { $0.status == .range(3) }
            ?? operation.responses.first { $0.status == .fallback }
            ?? operation.responses.first { status($0) >= 200 }
        return response.map { ($0, status($0)) }
    }

    /// Returns the error in a request, or `nil` for a valid request.
    private func fault(_ operation: Operation, _ index: Int, _ exchange: ContractExchange) -> Fault? {
        var credentials = MockCredentials(contract.description, exchange)
        if let problem = credentials.problem(of: operation) { return Fault(status: 401, detail: problem) }
        var settings = ContractSettings()
        for rule in ContractRule.allCases where !rule.isAboutRequest || rule == .missingSecurity {
            settings.severities[rule] = .off
        }
        let findings = contract.check(exchange, settings: settings, operation: index).findings.filter(\.isError)
        if let finding = findings.first(where: { $0.rule == .requestContentType }) {
            return Fault(status: 415, detail: finding.message.text, errors: [finding])
        }
        guard let first = findings.first else { return nil }
        let isInPath = findings.contains { $0.subject.hasPrefix("path ") }
        let isInBody = findings.allSatisfy { $0.rule == .requestBody }
        let statuses = isInBody ? [422, 400] : isInPath ? [400, 422, 404] : [400, 422]
        let documented = statuses.first { status in operation.responses.contains { $0.status == .exact(status) } }
        return Fault(status: documented ?? 400, detail: "\(first.subject): \(first.message)", errors: findings)
    }

    // MARK: Responses

    private func answer(
        _ response: Response, status: Int, _ operation: Operation, _ index: Int, _ accept: String?,
        _ preference: MockPreference
    ) -> Answer {
        var answer = Answer(status: status, headers: headers(of: response))
        guard !response.content.isEmpty else { return answer }
        guard let (media, type) = AcceptHeader(accept).choose(from: response.content) else {
            let offered = response.content.map(\.range.text).joined(separator: ", ")
            return refusal(
                Fault(
                    status: 406,
                    detail: "the response is available as \(offered), but the request accepts \(accept ?? "none")"),
                operation,
                index, nil)
        }
        let body = body(media, type, example: preference.example)
        switch body.content {
        case .bytes(let bytes): answer.body = bytes
        case .unknownExample(let names):
            return problem(
                Fault(
                    status: 404,
                    detail: "unknown example \"\(preference.example ?? "")\"; "
                        + (names.isEmpty
                            ? "the response has no examples" : "known examples: \(names.joined(separator: ", "))")))
        case .emptyExample:
            return problem(
                Fault(
                    status: 404, detail: "the example \"\(preference.example ?? "")\" has no value in the description"))
        }
        if let problem = body.problem {
            answer.headers.append(("Problem", Self.headerText("the body does not match its schema: \(problem)")))
        }
        answer.headers.append(("Content-Type", type))
        return answer
    }

    /// Returns the body for a media type, created on first use.
    func body(_ media: MediaType, _ type: String, example: String?) -> MockBody {
        let key = MockBody.Key(node: media.node, type: type, example: example)
        if let known = bodies.withLock({ $0[key] }) { return known }
        let body = MockBody(media, type: type, example: example, sampler)
        // Clients can ask for any type of a range and for any example name, so such bodies are not cached.
        if media.range.isConcrete, case .bytes = body.content { bodies.withLock { $0[key] = body } }
        return body
    }

    /// Returns the headers of a response that are required or have a documented value.
    func headers(of response: Response) -> [Field] {
        var fields: [Field] = []
        for header in response.headers {
            let given = header.examples.lazy.compactMap(\.value).first { value in
                header.schema.map { self.sampler.accepts(value, $0) } ?? true
            }
            let isGiven = header.schema.flatMap { sampler.description.resolved($0) }.map { schema in
                ["example", "examples", "default", "enum", "const"].contains { schema.value[$0] != nil }
            }
            guard given != nil || header.isRequired || isGiven == true else { continue }
            let schema = header.schema ?? header.content?.schema
            let value = given ?? schema.flatMap { try? sampler.sample($0, name: header.name) } ?? .string(header.name)
            let text = ParameterText.field(header, value)
            // Characters that are invalid in a header would close the connection.
            fields.append(
                (
                    header.name,
                    String(
                        String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
                ))
        }
        return fields
    }
}

/// Responses to invalid requests.
extension ContractMock {
    /// Returns a documented response to an invalid request: an example, or problem details if the schema permits them.
    func refusal(_ fault: Fault, _ operation: Operation, _ index: Int, _ accept: String?) -> Answer {
        var fields: [Field] = []
        if fault.status == 401 { fields.append(("WWW-Authenticate", challenge(operation))) }
        guard let response = operation.response(for: fault.status) else {
            var answer = problem(fault)
            answer.headers += fields
            return answer
        }
        // The challenge must be one that the client understands, but a documented value may be arbitrary.
        fields += headers(of: response).filter { field in
            !fields.contains { $0.name.lowercased() == field.name.lowercased() }
        }
        guard !response.content.isEmpty else {
            // The description documents no body for this response.
            return Answer(status: fault.status, headers: fields + [("Problem", Self.headerText(fault.detail))])
        }
        let chosen =
            AcceptHeader(accept).choose(from: response.content) ?? AcceptHeader(nil).choose(from: response.content)
        guard let (media, type) = chosen else { return problem(fault) }
        let problem = JSONValue.object(Self.object(of: fault))
        if !MockBody.hasExample(media, type, sampler), MediaRange(type).isJSON,
            media.schema.map({ sampler.accepts(problem, $0) }) ?? true
        {
            return Answer(
                status: fault.status, headers: fields + [("Content-Type", type)], body: problem.serializedBytes())
        }
        guard case .bytes(let bytes) = body(media, type, example: nil).content else {
            return self.problem(fault)
        }
        return Answer(
            status: fault.status,
            headers: fields + [("Content-Type", type), ("Problem", Self.headerText(fault.detail))], body: bytes)
    }

    private func challenge(_ operation: Operation) -> String {
        for requirement in operation.security {
            for (name, _) in requirement.schemes {
                switch contract.description.securityScheme(named: name)?.kind {
                case .http(let scheme, _)?:
                    return "\(scheme.prefix(1).uppercased())\(scheme.dropFirst()) realm=\"mock\""
                case .oauth2?, .openIDConnect?: return "Bearer realm=\"mock\""
                case .apiKey(_, let name)?: return "ApiKey name=\"\(Self.headerText(name).replacing("\"", with: ""))\""
                case .mutualTLS?, nil: continue
                }
            }
        }
        return "Bearer realm=\"mock\""
    }

    /// Returns the first 500 characters of a string, with `?` for characters that a header cannot contain.
    static func headerText(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(500).map { $0.value >= 0x20 && $0.value < 0x7F ? $0 : "?" }))
    }

    /// Returns a problem details response (RFC 9457).
    func problem(_ fault: Fault, members: [(String, JSONValue)] = []) -> Answer {
        var object = Self.object(of: fault)
        for (name, value) in members { object[name] = value }
        return Answer(
            status: fault.status, headers: [("Content-Type", "application/problem+json")],
            body: JSONValue.object(object).serializedBytes())
    }

    private static func object(of fault: Fault) -> JSONObject {
        var object: JSONObject = [
            "type": "about:blank", "title": .string(title(of: fault.status)),
            "status": .number(JSONNumber(fault.status)), "detail": .string(fault.detail),
        ]
        if !fault.errors.isEmpty {
            object["errors"] = .array(
                fault.errors.map { finding in
                    [
                        "rule": .string(finding.rule.rawValue), "place": .string(finding.subject),
                        "message": .string(finding.message.text),
                    ]
                })
        }
        return object
    }

    private static func title(of status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        default: "Internal Server Error"
        }
    }
}
