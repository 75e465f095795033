import Basics
import Diagnostics
import JSON

/// Checks of the parameters in the path, query, headers, and cookies.
extension ContractCheck {
    /// Validates the request's parameters against those of the operation and records the parameters that were sent.
    mutating func checkParameters(_ operation: ContractOperation, _ fields: inout RequestFields) {
        if operation.parameters.isEmpty, fields.url.query == nil { return }
        var taken: Set<String> = []
        for field in operation.parameters {
            let parameter = field.parameter
            let subject = "\(parameter.location.rawValue) \(parameter.name)"
            let reading = read(field, of: operation, &fields, &taken)
            if case .absent = reading {
                guard parameter.isRequired, parameter.location != .path else { continue }
                add(
                    .requestParameters, at: subject,
                    "the required parameter \"\(parameter.name)\" is missing from the \(phrase(parameter.location))",
                    location: parameter.node, parameter: parameter)
                continue
            }
            outcome.covered.append(field.item)
            if parameter.isDeprecated {
                add(
                    .deprecatedOperation, at: subject,
                    "the \(parameter.location.rawValue) parameter \"\(parameter.name)\" is deprecated",
                    location: parameter.node["deprecated"] ?? parameter.node, parameter: parameter)
            }
            switch reading {
            case .absent: break
            case .empty:
                if parameter.allowsEmptyValue { continue }
                if let schema = field.schema {
                    check(
                        anyOf: schema.valueShape().values(of: ""), schema, .requestParameters, at: subject,
                        parameter: parameter)
                }
            case .values(let values):
                if let schema = field.schema {
                    check(anyOf: values, schema, .requestParameters, at: subject, parameter: parameter)
                }
            case .malformed(let reason):
                add(
                    .requestParameters, at: subject, "the parameter \"\(parameter.name)\" cannot be parsed: \(reason)",
                    location: parameter.node, parameter: parameter)
            }
        }
        checkUnknown(operation, &fields, taken)
    }

    private func phrase(_ location: Parameter.Location) -> String {
        switch location {
        case .path: "path"
        case .query, .querystring: "query"
        case .header: "headers"
        case .cookie: "cookies"
        }
    }

    private func read(
        _ field: ContractOperation.Field, of operation: ContractOperation, _ fields: inout RequestFields,
        _ taken: inout Set<String>
    ) -> StyledValue.Reading {
        let parameter = field.parameter
        let shape = field.schema?.valueShape() ?? ValueShape()
        let value = StyledValue(
            name: parameter.name, style: parameter.style, isExploded: parameter.isExploded, shape: shape)
        let hasContent = parameter.content != nil
        switch parameter.location {
        case .path:
            guard let text = fields.path?.first(where: { $0.name == parameter.name })?.text else { return .absent }
            let bytes = Array(text.utf8)[...]
            if hasContent { return content(PercentEncoding.decodedText(bytes), parameter) }
            return value.read(bytes, plusIsSpace: false)
        case .query:
            if hasContent {
                guard let pair = fields.query.first(where: { $0.name == parameter.name }) else { return .absent }
                taken.insert(parameter.name)
                return content(PercentEncoding.decodedText(pair.value, plusIsSpace: true), parameter)
            }
            return value.read(fields.query, plusIsSpace: true, taken: &taken) { name in
                isClaimed(name, otherThan: parameter, operation)
            }
        case .querystring:
            guard let query = fields.url.query, !query.isEmpty else { return .absent }
            for pair in fields.query { taken.insert(pair.name) }
            return wholeQuery(query, parameter, fields.query, shape)
        case .header:
            guard let text = fields.headers.joined(named: parameter.name.lowercased()) else { return .absent }
            if hasContent { return content(text, parameter) }
            let bytes = Self.withoutSpaces(text, shape)
            return value.read(bytes, plusIsSpace: false, isEncoded: false)
        case .cookie:
            if hasContent {
                guard let pair = fields.cookies.first(where: { $0.name == parameter.name }) else { return .absent }
                return content(PercentEncoding.decodedText(pair.value), parameter)
            }
            var ignored: Set<String> = []
            return value.read(fields.cookies, plusIsSpace: false, taken: &ignored)
        }
    }

    /// Returns whether a query member is known to belong to something other than the object of a parameter.
    private func isClaimed(_ name: String, otherThan own: Parameter, _ operation: ContractOperation) -> Bool {
        if name == "access_token" || queryKeys.contains(name) { return true }
        return operation.parameters.contains { field in
            let other = field.parameter
            guard other.location == .query, other.name != own.name else { return false }
            if other.name == name { return true }
            switch other.style {
            case .deepObject: return name.hasPrefix(other.name + "[")
            case .form where other.isExploded: return field.schema?.valueShape().properties[name] != nil
            case .form, .matrix, .label, .simple, .spaceDelimited, .pipeDelimited, .cookie: return false
            }
        }
    }

    /// The names of the query parameters that carry credentials.
    private var queryKeys: [String] {
        contract.description.securitySchemes.compactMap { scheme in
            if case .apiKey(.query, let name) = scheme.kind { name } else { nil }
        }
    }

    /// Returns the bytes of a header value. For an array or object, removes the spaces around the commas.
    static func withoutSpaces(_ text: String, _ shape: ValueShape) -> ArraySlice<UInt8> {
        let bytes = Array(text.utf8)[...]
        guard shape.types.contains(.array) || shape.types.contains(.object) else { return bytes }
        let space = UInt8(ascii: " ")
        let parts = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { part in
            var part = part.drop { $0 == space }
            while part.last == space { part = part.dropLast() }
            return part
        }
        return Array(parts.joined(separator: [UInt8(ascii: ",")]))[...]
    }

    /// Returns the value of a parameter that is serialized in a media type.
    private func content(_ text: String, _ parameter: Parameter) -> StyledValue.Reading {
        guard parameter.content?.range.isJSON == true else { return .values([.string(text)]) }
        do {
            return .values([try JSONParser().parse(Array(text.utf8))])
        } catch {
            return .malformed("it is not JSON: \(error.wording)")
        }
    }

    private func wholeQuery(
        _ query: ArraySlice<UInt8>, _ parameter: Parameter, _ pairs: [RequestFields.Pair], _ shape: ValueShape
    ) -> StyledValue.Reading {
        if parameter.content?.range.essence == "application/x-www-form-urlencoded" {
            return .values(FormReader.values(of: pairs, shape, encodings: parameter.content?.encodings ?? []))
        }
        return content(PercentEncoding.decodedText(query), parameter)
    }

    /// Adds a warning for query members that match no documented parameter.
    private mutating func checkUnknown(
        _ operation: ContractOperation, _ fields: inout RequestFields, _ taken: Set<String>
    ) {
        guard checks(.requestParameters), fields.url.query != nil, operation.operation.unknownParameters.isEmpty
        else { return }
        var names: [String] = []
        for pair in fields.query where !taken.contains(pair.name) && !names.contains(pair.name) {
            names.append(pair.name)
            if names.count >= 20 { break }
        }
        guard !names.isEmpty else { return }
        let keys = queryKeys
        let known = operation.operation.parameters.filter { $0.location == .query }
        // An object in the style "form" may accept members of any name.
        if known.contains(where: { $0.isExploded && $0.style == .form && isOpenObject($0) }) { return }
        let unknown = names.filter { !keys.contains($0) && $0 != "access_token" }
        guard let first = unknown.first else { return }
        for name in unknown { outcome.undocumented.append("\(operation.title): query \(name)") }
        let hints = unknown.compactMap { name in
            Spelling.nearest(to: name, among: known.map(\.name)).map { (name: name, nearest: $0) }
        }
        var suggestion: MessageText? = known.isEmpty ? "the operation documents no query parameters" : nil
        if unknown.count == 1, let hint = hints.first {
            suggestion = "did you mean \"\(hint.nearest)\"?"
        } else if !hints.isEmpty {
            suggestion = hints.map { "\"\($0.name)\" may mean \"\($0.nearest)\"" }.joined(separator: ", ")
        }
        let list = unknown.map { "\"\($0)\"" }.joined(separator: ", ")
        add(
            .requestParameters, at: unknown.count == 1 ? "query \(first)" : "query",
            unknown.count == 1
                ? "the query parameter \(list) is not documented"
                : "\(unknown.count) query parameters are not documented: \(list)",
            suggestion: suggestion, location: operation.operation.node, isError: false)
    }

    private func isOpenObject(_ parameter: Parameter) -> Bool {
        guard let schema = parameter.schema.flatMap({ contract.description.resolved($0) }) else { return false }
        let isObject = schema.value["type"] == "object" || schema.value["properties"] != nil
        return isObject && schema.value["additionalProperties"] != false
    }
}

/// The parts of a request that can contain parameters, each parsed on first access.
struct RequestFields {
    /// A decoded name in a query or a form, with its value, which is still percent-encoded.
    typealias Pair = (name: String, value: ArraySlice<UInt8>)

    let url: URLParts
    let headers: [ContractExchange.Field]
    /// The values of the path parameters, still percent-encoded. The value is `nil` if the path could not be parsed.
    let path: [(name: String, text: String)]?

    /// The members of the query.
    lazy var query: [Pair] = Self.pairs(url.query ?? [])

    /// The cookies.
    lazy var cookies: [Pair] = {
        var cookies: [Pair] = []
        for field in headers where field.name.lowercased() == "cookie" {
            for part in Array(field.value.utf8).split(separator: UInt8(ascii: ";")) {
                let part = part.drop { $0 == UInt8(ascii: " ") }
                guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
                cookies.append((String(decoding: part[..<equals], as: UTF8.self), part[(equals + 1)...]))
            }
        }
        return cookies
    }()

    /// Splits a query or a form into its members (URL Standard, section 5.1).
    static func pairs(_ bytes: ArraySlice<UInt8>) -> [Pair] {
        bytes.split(separator: UInt8(ascii: "&")).map { part in
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            return (PercentEncoding.decodedText(part[..<equals], plusIsSpace: true), part[equals...].dropFirst())
        }
    }
}
