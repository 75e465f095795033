import Basics
import JSON

/// Checks of the request's body.
extension ContractCheck {
    /// Validates the request's body against the request body of the operation.
    mutating func checkRequestBody(_ operation: ContractOperation) {
        let hasBody = exchange.requestBody.map { !$0.isEmpty } ?? true
        let declared = exchange.requestHeaders.first(named: "content-type")
        guard let documented = operation.operation.requestBody else {
            // A request body whose reference cannot be resolved still counts as documented.
            let isDocumented = operation.operation.node["requestBody"]?.value.objectValue != nil
            if hasBody, exchange.requestBody != nil, !isDocumented {
                outcome.undocumented.append("\(operation.title): request body")
                add(
                    .requestBody, at: "request body", "the request has a body, but the operation documents none",
                    location: operation.operation.node, isError: false)
            }
            return
        }
        guard hasBody else {
            if documented.isRequired {
                add(
                    .requestBody, at: "request body", "the request has no body, but the operation requires one",
                    location: documented.node)
            }
            return
        }
        guard let declared else {
            // A client that does not expect a media type may send any of them.
            if exchange.isExpectation, let body = exchange.requestBody {
                if let content = operation.body.first(where: { $0.media.range.isJSON }) {
                    check(body, as: content.media.range, content)
                }
                return
            }
            if !operation.body.isEmpty {
                add(
                    .requestContentType, at: "header Content-Type",
                    "the body has no Content-Type; documented media types: \(names(operation.body))",
                    location: documented.node)
            }
            return
        }
        let type = contract.mediaType(declared)
        guard let content = operation.body.bestMatch(for: type) else {
            if operation.body.isEmpty { return }
            outcome.undocumented.append("\(operation.title): request \(type.essence)")
            add(
                .requestContentType, at: "header Content-Type",
                "the media type \(type.essence) is not documented; documented media types: \(names(operation.body))",
                location: documented.node["content"] ?? documented.node)
            return
        }
        outcome.covered.append(content.item)
        let coding = exchange.requestHeaders.first(named: "content-encoding")?.lowercased() ?? "identity"
        guard checks(.requestBody), coding == "identity", let body = exchange.requestBody else { return }
        check(body, as: type, content)
    }

    /// Returns the names of media types for a message.
    func names(_ content: [ContractOperation.Content]) -> String {
        let shown = content.prefix(8).map(\.media.range.text)
        return shown.joined(separator: ", ") + (content.count > 8 ? ", …" : "")
    }

    private mutating func check(_ body: [UInt8], as type: MediaRange, _ content: ContractOperation.Content) {
        // The parts of a multipart body are not items that can be read individually.
        if let itemSchema = content.itemSchema, type.type != "multipart" {
            checkItems(StreamItems.items(in: body, type), itemSchema, .requestBody, at: "request item")
            return
        }
        guard let schema = content.schema else { return }
        if type.isJSON {
            do throws(JSONParseError) {
                check(try JSONParser().parse(body), schema, .requestBody, at: "request body")
            } catch {
                add(
                    .requestBody, at: "request body", "the body is not JSON: \(error.wording)",
                    location: content.media.node)
            }
        } else if type.essence == "application/x-www-form-urlencoded" {
            let values = FormReader.values(
                of: RequestFields.pairs(body[...]), schema.valueShape(), encodings: content.media.encodings)
            check(anyOf: values, schema, .requestBody, at: "request form")
        } else if type.essence == "multipart/form-data" {
            checkMultipart(body, type, content, schema)
        } else if type.type == "text" {
            check(
                anyOf: schema.valueShape().values(of: String(decoding: body, as: UTF8.self)), schema, .requestBody,
                at: "request body")
        }
    }

    private mutating func checkMultipart(
        _ body: [UInt8], _ type: MediaRange, _ content: ContractOperation.Content, _ schema: ContractSchema
    ) {
        guard let parts = MultipartReader.parts(of: body, boundary: type.parameters["boundary"] ?? "") else {
            add(
                .requestBody, at: "request body", "the body is not valid multipart/form-data",
                location: content.media.node)
            return
        }
        let shape = schema.valueShape()
        var object = JSONObject()
        for part in parts {
            checkEncoding(of: part, content)
            let member = shape.member(part.name)
            let isArray = member.types.contains(.array)
            let own = isArray ? member.element : member
            let value: JSONValue
            // A schema can say little about the bytes of a file.
            let text = String(decoding: part.body, as: UTF8.self)
            if part.mediaType.isJSON, let parsed = try? JSONParser().parse(Array(part.body)) {
                value = parsed
            } else if own.types.contains(.object), !own.types.contains(.string) {
                value = (try? JSONParser().parse(Array(part.body))) ?? .string(text)
            } else {
                value = own.value(of: text)
            }
            if isArray, value.arrayValue == nil {
                object[part.name] = .array((object[part.name]?.arrayValue ?? []) + [value])
            } else {
                object[part.name] = value
            }
        }
        check(.object(object), schema, .requestBody, at: "request form")
    }

    private mutating func checkEncoding(of part: MultipartReader.Part, _ content: ContractOperation.Content) {
        guard let encoding = content.media.encodings.first(where: { $0.property == part.name }) else { return }
        if let allowed = encoding.contentType {
            let ranges = allowed.split(separator: ",").map { MediaRange(String($0)) }
            let own = part.mediaType
            if !ranges.contains(where: { $0.specificity(for: own) != nil }) {
                add(
                    .requestBody, at: "part \(part.name)",
                    "the part has the media type \(own.essence), but its encoding allows \(allowed)",
                    location: encoding.node["contentType"] ?? encoding.node)
            }
        }
        for field in content.headers[part.name] ?? [] {
            checkHeader(
                field, in: part.headers, missing: .requestBody, wrong: .requestBody, at: "part \(part.name)")
        }
    }

    /// Validates a header of a response or of a multipart part against its description.
    mutating func checkHeader(
        _ field: ContractOperation.Field, in headers: [ContractExchange.Field], missing: ContractRule,
        wrong: ContractRule, at location: String
    ) {
        let parameter = field.parameter
        guard let text = headers.joined(named: parameter.name.lowercased()) else {
            if parameter.isRequired {
                add(
                    missing, at: "\(location) header \(parameter.name)",
                    "the required header \"\(parameter.name)\" is missing", location: parameter.node,
                    parameter: parameter)
            }
            return
        }
        guard checks(wrong), let schema = field.schema else { return }
        let subject = "\(location) header \(parameter.name)"
        if let content = parameter.content {
            guard content.range.isJSON else { return }
            do throws(JSONParseError) {
                check(try JSONParser().parse(Array(text.utf8)), schema, wrong, at: subject)
            } catch {
                add(
                    wrong, at: subject, "the header \"\(parameter.name)\" is not JSON: \(error.wording)",
                    location: parameter.node, parameter: parameter)
            }
            return
        }
        let shape = schema.valueShape()
        let value = StyledValue(
            name: parameter.name, style: .simple, isExploded: parameter.isExploded, shape: shape)
        switch value.read(Self.withoutSpaces(text, shape), plusIsSpace: false, isEncoded: false) {
        case .absent: break
        case .empty: check(anyOf: shape.values(of: ""), schema, wrong, at: subject, parameter: parameter)
        case .values(let values): check(anyOf: values, schema, wrong, at: subject, parameter: parameter)
        case .malformed(let reason):
            add(
                wrong, at: subject, "the header \"\(parameter.name)\" cannot be parsed: \(reason)",
                location: parameter.node, parameter: parameter)
        }
    }
}

/// Checks of the credentials that an operation requires.
extension ContractCheck {
    /// Reports a request without the required credentials that the server accepted.
    mutating func checkSecurity(_ operation: Operation, _ fields: inout RequestFields) {
        // A server that refuses the request behaves as documented.
        if operation.security.isEmpty || exchange.status == 401 || exchange.status == 403 { return }
        var wanted: [String] = []
        for requirement in operation.security {
            var missing: [String] = []
            for (name, _) in requirement.schemes {
                guard let scheme = contract.description.securityScheme(named: name),
                    let lack = lack(of: scheme, &fields)
                else { continue }
                missing.append(lack)
            }
            if missing.isEmpty { return }
            wanted.append(missing.joined(separator: " and "))
        }
        add(
            .missingSecurity, at: "request",
            exchange.isExpectation
                ? "the operation requires \(wanted.joined(separator: ", or ")), which the request lacks"
                : "the operation requires \(wanted.joined(separator: ", or ")), but a request without it got "
                    + "\(exchange.status)",
            suggestion: exchange.isExpectation ? nil : "a server that rejects a request must respond with 401 or 403",
            location: operation.node["security"] ?? contract.description.root["security"] ?? operation.node)
    }

    /// Returns the credential of a scheme that the request lacks, or `nil` if it is present or cannot be observed.
    private func lack(of scheme: SecurityScheme, _ fields: inout RequestFields) -> String? {
        let authorization = exchange.requestHeaders.first(named: "authorization")
        switch scheme.kind {
        case .apiKey(.header, let name):
            return exchange.requestHeaders.first(named: name.lowercased()) == nil ? "the header \"\(name)\"" : nil
        case .apiKey(.query, let name):
            return fields.query.contains { $0.name == name } ? nil : "the query parameter \"\(name)\""
        case .apiKey(.cookie, let name):
            return fields.cookies.contains { $0.name == name } ? nil : "the cookie \"\(name)\""
        case .apiKey, .mutualTLS: return nil
        case .http(let wanted, _):
            let sent = authorization?.prefix { $0 != " " }.lowercased()
            return sent == wanted.lowercased() ? nil : "the header \"Authorization\" with \"\(wanted)\""
        case .oauth2, .openIDConnect:
            if authorization != nil || fields.query.contains(where: { $0.name == "access_token" }) { return nil }
            return "the header \"Authorization\" with a token"
        }
    }
}
