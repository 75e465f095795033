import Basics
import JSON
import JSONSchema

/// Checks of the response.
extension ContractCheck {
    /// Validates the response against the documented responses of the operation.
    mutating func checkResponse(_ operation: ContractOperation) {
        let status = exchange.status
        guard let answer = operation.answer(for: status) else {
            outcome.undocumented.append("\(operation.title): status \(status)")
            if checkServerError(operation, nil) { return }
            // Switching protocols belongs to WebSocket and is not a response of the operation.
            if status == 101 { return }
            // Since OpenAPI 3.1, an operation may omit its responses.
            if operation.answers.isEmpty, operation.operation.node["responses"]?.value.objectValue == nil { return }
            let known = operation.answers.prefix(12).map(\.response.status.description).joined(separator: ", ")
            add(
                .undocumentedStatus, at: "status",
                "the status \(status) is not documented; "
                    + (known.isEmpty ? "the operation documents none" : "documented statuses: \(known)"),
                location: operation.operation.node["responses"] ?? operation.operation.node,
                isError: (200...299).contains(status))
            return
        }
        outcome.covered.append(answer.item)
        // After a server error, differences in the body add nothing.
        if checkServerError(operation, answer) || answer.response.isUnknown { return }
        for field in answer.headers {
            checkHeader(
                field, in: exchange.responseHeaders, missing: .missingResponseHeader, wrong: .responseHeaders,
                at: "response")
        }
        if exchange.isExpectation { reportUndocumentedHeaders(answer) }
        // None of these responses has a body, regardless of its headers (RFC 9110, section 6.4.1).
        if exchange.method == "HEAD" || status == 204 || status == 304 || status < 200 { return }
        checkBody(answer)
    }

    /// Reports the headers that a client expects although the description does not document them.
    private mutating func reportUndocumentedHeaders(_ answer: ContractOperation.Answer) {
        let documented = answer.headers.map(\.parameter.name)
        let known = Set(documented.map { $0.lowercased() }).union(["content-type"])
        for field in exchange.responseHeaders where !known.contains(field.name.lowercased()) {
            let nearest = Spelling.nearest(to: field.name, among: documented)
            add(
                .responseHeaders, at: "response header \(field.name)",
                "the header \"\(field.name)\" is not documented",
                suggestion: nearest.map { "did you mean \"\($0)\"?" }, location: answer.response.node, isError: false,
                place: ContractFinding.Place(location: .header, name: field.name))
        }
    }

    /// Reports a server error unless the description documents this status explicitly.
    private mutating func checkServerError(_ operation: ContractOperation, _ answer: ContractOperation.Answer?) -> Bool
    {
        guard exchange.status >= 500 else { return false }
        switch answer?.response.status {
        case .exact, .range: return false
        case .fallback, nil: break
        }
        add(
            .serverError, at: "status", "the server failed with \(exchange.status)",
            suggestion: "if the status is intended, document it as \(exchange.status) or 5XX",
            location: answer?.response.site ?? operation.operation.node["responses"] ?? operation.operation.node)
        return checks(.serverError)
    }

    private mutating func checkBody(_ answer: ContractOperation.Answer) {
        let hasBody = !exchange.responseBody.isEmpty || exchange.items?.isEmpty == false
        let declared = exchange.responseHeaders.first(named: "content-type")
        let status = exchange.status
        guard !answer.content.isEmpty else {
            if hasBody {
                let type = declared.map { MediaRange($0).essence } ?? "without Content-Type"
                outcome.undocumented.append("\(title ?? ""): \(status) \(type)")
                add(
                    .undocumentedContentType, at: "response body",
                    "the response \(answer.response.status) documents no body, but the \(status) response has one (\(type))",
                    location: answer.response.node, isError: exchange.isExpectation)
            }
            return
        }
        guard hasBody else {
            if exchange.isExpectation {
                if let declared, answer.content.bestMatch(for: MediaRange(declared)) == nil {
                    reportUndocumented(MediaRange(declared), answer)
                }
                return
            }
            // An empty body is a valid empty string but not valid JSON.
            guard answer.content.allSatisfy({ $0.media.range.isJSON && $0.schema != nil }) else { return }
            if let declared, answer.content.bestMatch(for: MediaRange(declared)) == nil {
                reportUndocumented(MediaRange(declared), answer)
            } else if let content = declared.flatMap({ answer.content.bestMatch(for: MediaRange($0)) })
                ?? answer.content.first
            {
                add(
                    .responseBody, at: "response body",
                    "expected a body of type \(content.media.range.text), got an empty body",
                    location: content.media.node)
            }
            return
        }
        guard let declared else {
            // A client that does not expect a media type accepts any of them.
            if exchange.isExpectation {
                if let content = answer.content.first(where: { $0.media.range.isJSON }), checks(.responseBody) {
                    checkBody(content.media.range, content)
                }
                return
            }
            add(
                .undocumentedContentType, at: "response header Content-Type",
                "the body has no Content-Type; documented media types: \(names(answer.content))",
                location: answer.response.node["content"] ?? answer.response.node)
            // A client that expects the only documented media type reads the body nevertheless.
            if answer.content.count == 1, let content = answer.content.first, content.media.range.isJSON,
                checks(.responseBody), (try? json()) != nil
            {
                checkBody(content.media.range, content)
            }
            return
        }
        let type = contract.mediaType(declared)
        guard let content = answer.content.bestMatch(for: type) else { return reportUndocumented(type, answer) }
        outcome.covered.append(content.item)
        if checks(.responseBody) { checkBody(type, content) }
    }

    private mutating func reportUndocumented(_ type: MediaRange, _ answer: ContractOperation.Answer) {
        outcome.undocumented.append("\(title ?? ""): \(exchange.status) \(type.essence)")
        add(
            .undocumentedContentType, at: "response header Content-Type",
            "the media type \(type.essence) is not documented for \(answer.response.status); documented media types: "
                + "\(names(answer.content))",
            location: answer.response.node["content"] ?? answer.response.node)
    }

    private mutating func checkBody(_ type: MediaRange, _ content: ContractOperation.Content) {
        let subject = "response body"
        if let itemSchema = content.itemSchema {
            checkItems(StreamItems.items(of: exchange, type), itemSchema, .responseBody, at: "response item")
            return
        }
        guard let schema = content.schema else { return }
        if type.isJSON {
            do throws(JSONParseError) {
                check(try json(), schema, .responseBody, at: subject)
            } catch {
                add(.responseBody, at: subject, "the body is not JSON: \(error.wording)", location: content.media.node)
            }
        } else if type.type == "text", type.subtype == "plain" {
            let text = String(decoding: exchange.responseBody, as: UTF8.self)
            check(anyOf: schema.valueShape().values(of: text), schema, .responseBody, at: subject)
        }
    }

    /// Validates each item of a stream against its schema (OpenAPI 3.2, Media Type Object).
    mutating func checkItems(
        _ items: [StreamItems.Item], _ schema: ContractSchema, _ rule: ContractRule, at location: String
    ) {
        guard checks(rule), let compiled = usable(schema) else { return }
        var violations: [(item: Int?, violation: JSONSchemaViolation)] = []
        var malformed: [(item: Int, reason: String)] = []
        for (index, item) in items.enumerated() {
            switch item {
            case .value(let value):
                let left = Self.countedViolations - violations.count
                guard left > 0 else { continue }
                violations += compiled.violations(of: value, upTo: left).map { (index, $0) }
            case .malformed(let reason): malformed.append((index, reason))
            }
        }
        report(violations, schema, rule, at: location)
        for (index, reason) in malformed.prefix(JSONSchemaViolationGroup.maximumShown) {
            add(rule, at: "\(location) \(index)", "the item is not JSON: \(reason)", location: schema.node)
        }
        if malformed.count > JSONSchemaViolationGroup.maximumShown {
            let count = malformed.count - JSONSchemaViolationGroup.maximumShown
            add(rule, at: location, "\(count) more items are not JSON", location: schema.node)
        }
    }
}

/// A reader of stream items: server-sent events, JSON Lines, and JSON text sequences.
///
/// See OpenAPI 3.2, section "Sequential Media Types".
enum StreamItems {
    /// An item of a stream, or the reason that it is malformed.
    enum Item {
        case value(JSONValue)
        case malformed(String)
    }

    /// Returns the items of a response: those already read from its stream, or those parsed from its body.
    static func items(of exchange: ContractExchange, _ type: MediaRange) -> [Item] {
        guard let items = exchange.items else { return Self.items(in: exchange.responseBody, type) }
        if type.essence == "text/event-stream" { return items.map { .value($0) } }
        return items.map { item in item.stringValue.map { parsed(Array($0.utf8)[...]) } ?? .value(item) }
    }

    /// Returns the items in a body.
    static func items(in body: [UInt8], _ type: MediaRange) -> [Item] {
        if type.essence == "text/event-stream" { return events(body) }
        let separator: UInt8 = type.subtype == "json-seq" || type.subtype.hasSuffix("+json-seq") ? 0x1E : 0x0A
        let space: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return body.split(separator: separator).filter { !$0.allSatisfy(space) }.map(parsed)
    }

    private static func parsed(_ bytes: ArraySlice<UInt8>) -> Item {
        do throws(JSONParseError) {
            return .value(try JSONParser().parse(Array(bytes)))
        } catch {
            return .malformed(error.message)
        }
    }

    /// Parses an event stream into objects of event fields (HTML Standard, section 9.2.6).
    private static func events(_ body: [UInt8]) -> [Item] {
        var items: [Item] = []
        var event = JSONObject()
        for line in body.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let line = line.last == 0x0D ? line.dropLast() : line
            if line.isEmpty {
                // An event without data is discarded, even if it has other fields.
                if event["data"] != nil { items.append(.value(.object(event))) }
                event = JSONObject()
                continue
            }
            let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            let name = String(decoding: line[..<colon], as: UTF8.self)
            var value = line[colon...].dropFirst()
            if value.first == 0x20 { value = value.dropFirst() }
            let text = String(decoding: value, as: UTF8.self)
            switch name {
            case "data": event[name] = .string(event[name]?.stringValue.map { "\($0)\n\(text)" } ?? text)
            case "event", "id": event[name] = .string(text)
            case "retry": event[name] = JSONNumber(literal: text).map { .number($0) } ?? .string(text)
            default: break
            }
        }
        return items
    }
}
