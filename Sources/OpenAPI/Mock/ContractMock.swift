import JSON
import Synchronization

/// Answers requests as a description documents: with its examples, or with values made from its schemas.
///
/// What a request gets wrong is refused, if possible with a response that is documented. The same request always gets the
/// same answer.
public final class ContractMock: Sendable {
    /// A header field.
    public typealias Field = (name: String, value: String)

    /// An answer.
    public struct Answer: Sendable {
        /// The status.
        public var status: Int
        /// The header fields, `Content-Type` among them.
        public var headers: [Field] = []
        /// The body; empty for none.
        public var body: [UInt8] = []
        /// The operation that the request was for: `GET /books/{id}`.
        public var operation: String?
    }

    /// What is wrong with a request.
    struct Fault {
        var status: Int
        var detail: String
        var errors: [ContractFinding] = []
    }

    let contract: Contract
    let operations: [Operation]
    private let router: OperationRouter
    let sampler: SchemaSampler
    private let bodies = Mutex<[MockBody.Key: MockBody]>([:])

    /// Prepares a description.
    ///
    /// - Parameter seed: What values are drawn from that no example gives.
    public init(_ description: OpenAPIDescription, seed: UInt64 = 1) {
        contract = Contract(description, name: description.root.file.name, assertsFormat: true)
        operations = description.operations
        router = OperationRouter(operations)
        sampler = SchemaSampler(description, direction: .response, seed: seed)
    }

    /// The answer to a request.
    ///
    /// - Parameters:
    ///   - target: The path with the query, as sent.
    ///   - headers: The header fields, in order.
    public func answer(method: String, target: String, headers: [Field], body: [UInt8]) -> Answer {
        let url = "http://mock.invalid" + (target.hasPrefix("/") ? target : "/" + target)
        switch router.route(method: method, url: url) {
        case .unknown(let path, let nearest):
            let hint = nearest.map { "; the nearest is \($0)" } ?? ""
            return problem(
                Fault(status: 404, detail: "the description has no path \(path)\(hint)"),
                members: nearest.map { [("nearest", .string($0))] } ?? [])
        case .otherMethods(let path, let methods):
            return otherMethod(method, path, methods)
        case .operation(let index, _):
            var answer = answer(
                operations[index], index,
                ContractExchange(
                    method: operations[index].method, url: url, requestHeaders: headers, requestBody: body, status: 200)
            )
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
        var answer = problem(Fault(status: 405, detail: "\(path) does not take \(method), only \(list)"))
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
        guard let (response, status) = Self.usual(operation) else { return Answer(status: 204) }
        return self.answer(response, status: status, operation, index, accept, preference)
    }

    /// The response of success, or else any, with its status.
    static func usual(_ operation: Operation) -> (response: Response, status: Int)? {
        func status(_ response: Response) -> Int {
            switch response.status {
            case .exact(let status): status
            case .range(let digit): digit * 100
            case .fallback: 200
            }
        }
        func first(_ isWanted: (Response) -> Bool) -> Response? { operation.responses.first(where: isWanted) }
        let response =
            first { if case .exact(let code) = $0.status { code / 100 == 2 } else { false } }
            ?? first { $0.status == .range(2) } ?? first { status($0) / 100 == 3 } ?? first { $0.status == .fallback }
            ?? operation.responses.first
        return response.map { ($0, status($0)) }
    }

    /// What is wrong with a request; nil for nothing.
    private func fault(_ operation: Operation, _ index: Int, _ exchange: ContractExchange) -> Fault? {
        var settings = ContractSettings()
        for rule in ContractRule.allCases where !rule.isAboutRequest { settings.severities[rule] = .off }
        let findings = contract.check(exchange, settings: settings, operation: index).findings.filter(\.isError)
        if let finding = findings.first(where: { $0.rule == .missingSecurity }) {
            // The check says what the answer would be, which is not known here yet.
            let text = finding.message.split(separator: ", which was not sent").first.map(String.init)
            return Fault(status: 401, detail: text ?? finding.message)
        }
        if let finding = findings.first(where: { $0.rule == .requestContentType }) {
            return Fault(status: 415, detail: finding.message, errors: [finding])
        }
        guard let first = findings.first else { return nil }
        let isInPath = findings.contains { $0.subject.hasPrefix("path ") }
        let isInBody = findings.allSatisfy { $0.rule == .requestBody }
        let statuses = isInBody ? [422, 400] : isInPath ? [400, 422, 404] : [400, 422]
        let documented = statuses.first { status in operation.responses.contains { $0.status == .exact(status) } }
        return Fault(status: documented ?? 400, detail: "\(first.subject): \(first.message)", errors: findings)
    }

    // MARK: Answers

    private func answer(
        _ response: Response, status: Int, _ operation: Operation, _ index: Int, _ accept: String?,
        _ preference: MockPreference
    ) -> Answer {
        var answer = Answer(status: status, headers: headers(of: response))
        guard !response.content.isEmpty else { return answer }
        guard let (media, type) = AcceptHeader(accept).choose(from: response.content) else {
            let offered = response.content.map(\.range.text).joined(separator: ", ")
            return refusal(
                Fault(status: 406, detail: "there is \(offered), and the request accepts \(accept ?? "none")"),
                operation,
                index, nil)
        }
        let key = MockBody.Key(node: media.node, example: preference.example)
        let known = bodies.withLock { $0[key] }
        let body = known ?? MockBody(media, type: type, example: preference.example, sampler)
        switch body.content {
        case .bytes(let bytes):
            if known == nil { bodies.withLock { $0[key] = body } }
            answer.body = bytes
        case .unknownExample(let names):
            return problem(
                Fault(
                    status: 404,
                    detail: "there is no example \"\(preference.example ?? "")\", but "
                        + (names.isEmpty ? "none at all" : names.joined(separator: ", "))))
        case .failure(let reason):
            return problem(Fault(status: 500, detail: "no body of \(operation.title) can be made: \(reason)"))
        }
        answer.headers.append(("Content-Type", type))
        return answer
    }

    /// The headers of a response: those that must be there, and those whose value is given.
    private func headers(of response: Response) -> [Field] {
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
            // What a header cannot hold would end the connection.
            fields.append(
                (
                    header.name,
                    String(
                        String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
                ))
        }
        return fields
    }

    // MARK: Refusals

    /// The answer to a request that is wrong, as it is documented.
    private func refusal(_ fault: Fault, _ operation: Operation, _ index: Int, _ accept: String?) -> Answer {
        var fields: [Field] = []
        if fault.status == 401 { fields.append(("WWW-Authenticate", challenge(operation))) }
        guard let response = operation.response(for: fault.status) else {
            var answer = problem(fault)
            answer.headers += fields
            return answer
        }
        fields += headers(of: response)
        guard !response.content.isEmpty else {
            // A body would not be documented.
            return Answer(status: fault.status, headers: fields + [("Problem", Self.headerText(fault.detail))])
        }
        let value = JSONValue.object(Self.object(of: fault))
        for media in response.content where media.range.isJSON || !media.range.isConcrete {
            guard media.schema.map({ sampler.accepts(value, $0) }) ?? true else { continue }
            let type = media.range.instance
            return Answer(
                status: fault.status, headers: fields + [("Content-Type", type)], body: value.serializedBytes())
        }
        let media = AcceptHeader(accept).choose(from: response.content)?.media ?? response.content[0]
        let type = media.range.instance
        guard case .bytes(let bytes) = MockBody(media, type: type, example: nil, sampler).content else {
            return problem(fault)
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

    private static func headerText(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(500).map { $0.value >= 0x20 && $0.value < 0x7F ? $0 : "?" }))
    }

    /// A problem in the form of RFC 9457.
    private func problem(_ fault: Fault, members: [(String, JSONValue)] = []) -> Answer {
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
                        "message": .string(finding.message),
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
