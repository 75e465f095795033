import JSON

/// The answers to requests that are wrong.
extension ContractMock {
    /// The answer to a request that is wrong, as it is documented: with an example, or a problem where the schema allows it.
    func refusal(_ fault: Fault, _ operation: Operation, _ index: Int, _ accept: String?) -> Answer {
        var fields: [Field] = []
        if fault.status == 401 { fields.append(("WWW-Authenticate", challenge(operation))) }
        guard let response = operation.response(for: fault.status) else {
            var answer = problem(fault)
            answer.headers += fields
            return answer
        }
        // The challenge is one that the client understands; a documented one may be any text.
        fields += headers(of: response).filter { field in
            !fields.contains { $0.name.lowercased() == field.name.lowercased() }
        }
        guard !response.content.isEmpty else {
            // A body would not be documented.
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

    static func headerText(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(500).map { $0.value >= 0x20 && $0.value < 0x7F ? $0 : "?" }))
    }

    /// A problem in the form of RFC 9457.
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
