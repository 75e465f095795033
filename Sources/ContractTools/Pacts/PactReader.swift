import Basics
import Diagnostics
import JSON
import YAML

/// A reader of pacts, which reports every part that does not have the form of the specification.
///
/// The versions of the specification differ in few places, such as the form of queries. Files mix these forms, so each
/// is accepted in any version. Matching rules and generators are not read, because examples represent them.
struct PactReader {
    private let document: LocatedDocument
    private var problems: [Diagnostic] = []

    init(_ document: LocatedDocument) {
        self.document = document
    }

    /// Reads the file.
    mutating func read() -> Pact.Reading {
        guard document.value.objectValue != nil else {
            report("expected a pact (an object), got \(document.value.typeDescription)", [])
            return .problems(problems)
        }
        checkVersion()
        var interactions: [PactInteraction] = []
        for name in ["interactions", "messages"] {
            guard let value = document.value[name] else { continue }
            guard let elements = value.arrayValue else {
                report("\"\(name)\" must be an array, got \(value.typeDescription)", [name])
                continue
            }
            for (index, element) in elements.enumerated() {
                let tokens = [name, String(index)]
                if let interaction = interaction(element, tokens) { interactions.append(interaction) }
            }
        }
        if document.value["interactions"] == nil, document.value["messages"] == nil {
            report("the file is not a pact: it has neither \"interactions\" nor \"messages\"", [])
        }
        guard problems.isEmpty else { return .problems(problems) }
        return .pact(
            Pact(
                document: document, consumer: document.value["consumer"]?["name"]?.stringValue,
                provider: document.value["provider"]?["name"]?.stringValue, interactions: interactions))
    }

    private mutating func report(_ message: MessageText, _ tokens: [String], suggestion: MessageText? = nil) {
        problems.append(
            Diagnostic(
                id: "invalid-pact", message: message, range: document.location(of: tokens), suggestion: suggestion))
    }

    /// Reports a version of the specification that is not known, because its files can have other parts.
    private mutating func checkVersion() {
        for name in ["pactSpecification", "pact-specification"] {
            let tokens = ["metadata", name, "version"]
            guard let version = JSONPointer(tokens: tokens).evaluate(in: document.value)?.stringValue else { continue }
            let major = Int(version.prefix { $0 != "." })
            if major.map({ !(1...4).contains($0) }) ?? true {
                report(
                    "version \"\(version)\" of the Pact specification is not supported", tokens,
                    suggestion: "versions 1 to 4 are supported")
            }
        }
    }

    private mutating func interaction(_ value: JSONValue, _ tokens: [String]) -> PactInteraction? {
        guard value.objectValue != nil else {
            report("an interaction must be an object, got \(value.typeDescription)", tokens)
            return nil
        }
        let type = value["type"]?.stringValue
        let isMessage = tokens.first == "messages" || type.map { $0 != "Synchronous/HTTP" } ?? false
        let content: PactInteraction.Content
        if isMessage {
            content = .messages(type ?? "Asynchronous/Messages")
        } else {
            guard let request = request(value["request"], tokens + ["request"], in: tokens),
                let response = response(value["response"], tokens + ["response"], in: tokens)
            else { return nil }
            content = .http(request, response)
        }
        return PactInteraction(
            tokens: tokens, description: value["description"]?.stringValue ?? "without a description",
            states: Self.states(of: value), isPending: value["pending"] == true, content: content)
    }

    private static func states(of interaction: JSONValue) -> [String] {
        let single = (interaction["providerState"] ?? interaction["provider_state"])?.stringValue
        let several = interaction["providerStates"]?.arrayValue ?? []
        return (single.map { [$0] } ?? []) + several.compactMap { ($0["name"] ?? $0).stringValue }
    }

    // MARK: Messages

    private mutating func request(_ value: JSONValue?, _ tokens: [String], in parent: [String]) -> PactRequest? {
        guard let value, value.objectValue != nil else {
            report("the interaction has no request", value == nil ? parent : tokens)
            return nil
        }
        let headers = headers(of: value, tokens)
        let method = string(value["method"], "GET", tokens + ["method"]).uppercased()
        var target = Self.encoded(string(value["path"], "/", tokens + ["path"]))
        if !target.hasPrefix("/") { target = "/" + target }
        if let query = query(value["query"], tokens + ["query"]), !query.isEmpty {
            target += (target.contains("?") ? "&" : "?") + query
        }
        return PactRequest(
            method: method, target: target, headers: headers.fields, body: body(value["body"], headers.type, tokens))
    }

    private mutating func response(_ value: JSONValue?, _ tokens: [String], in parent: [String]) -> PactResponse? {
        guard let value, value.objectValue != nil else {
            report("the interaction has no response", value == nil ? parent : tokens)
            return nil
        }
        let headers = headers(of: value, tokens)
        var status = 200
        if let given = value["status"] {
            guard let number = given.numberValue?.int64, (100...599).contains(number) else {
                report("a status must be an integer from 100 to 599, got \(given.serialized())", tokens + ["status"])
                return nil
            }
            status = Int(number)
        }
        return PactResponse(
            status: status, headers: headers.fields, body: body(value["body"], headers.type, tokens))
    }

    private mutating func string(_ value: JSONValue?, _ standard: String, _ tokens: [String]) -> String {
        guard let value else { return standard }
        guard let text = value.stringValue else {
            report("expected a string, got \(value.typeDescription)", tokens)
            return standard
        }
        return text
    }

    /// Returns the query: a percent-encoded string up to version 2, and the values by name since version 3.
    private mutating func query(_ value: JSONValue?, _ tokens: [String]) -> String? {
        switch value {
        case nil, .null: return nil
        case .string(let text): return Self.encoded(text)
        case .object(let object):
            var parts: [String] = []
            for (name, value) in object {
                let name = PercentEncoding.encode(name)
                for element in value.arrayValue ?? [value] {
                    switch element {
                    case .null: parts.append(name)
                    case .string(let text): parts.append("\(name)=\(PercentEncoding.encode(text))")
                    case .number, .bool: parts.append("\(name)=\(PercentEncoding.encode(element.serialized()))")
                    case .array, .object:
                        report("the value of a query parameter must be a string", tokens + [name])
                    }
                }
            }
            return parts.joined(separator: "&")
        case .some(let other):
            report("a query must be a string or an object, got \(other.typeDescription)", tokens)
            return nil
        }
    }

    private mutating func headers(
        of message: JSONValue, _ tokens: [String]
    ) -> (fields: [(name: String, value: String)], type: String?) {
        var fields: [(name: String, value: String)] = []
        let tokens = tokens + ["headers"]
        if let headers = message["headers"], !headers.isNull {
            if headers.objectValue == nil {
                report("headers must be an object, got \(headers.typeDescription)", tokens)
            }
            for (name, value) in headers.objectValue ?? JSONObject() {
                for element in value.arrayValue ?? [value] {
                    switch element {
                    case .string(let text): fields.append((name, text))
                    case .number, .bool: fields.append((name, element.serialized()))
                    case .null, .array, .object:
                        report(
                            "the value of a header must be a string, got \(element.typeDescription)", tokens + [name])
                    }
                }
            }
        }
        var type = fields.first { $0.name.lowercased() == "content-type" }?.value
        // Since version 4, the body can have the media type.
        if type == nil, Self.isContainer(message["body"]), let own = message["body"]?["contentType"]?.stringValue {
            type = own
            fields.append(("Content-Type", own))
        }
        return (fields, type)
    }

    /// Returns whether a body is the object with content and media type of version 4.
    private static func isContainer(_ body: JSONValue?) -> Bool {
        guard let object = body?.objectValue, object.contains("content") else { return false }
        return object.allSatisfy { ["content", "contentType", "contentTypeHint", "encoded"].contains($0.key) }
    }

    // MARK: Bodies

    /// Returns the body of a message; nil if the message has none, or if it may have any.
    private mutating func body(_ value: JSONValue?, _ type: String?, _ message: [String]) -> PactBody? {
        let tokens = message + ["body"]
        guard let value, !value.isNull else { return nil }
        guard isVersion4, Self.isContainer(value), let content = value["content"] else {
            return Self.body(value, type, tokens)
        }
        let own = tokens + ["content"]
        if content.isNull { return nil }
        guard let encoding = value["encoded"], encoding != false else { return Self.body(content, type, own) }
        guard let text = content.stringValue else { return Self.body(content, type, own) }
        if encoding == true || encoding.stringValue?.lowercased() == "base64" {
            guard let bytes = Base64.decode(text.utf8, allowing: [.withoutPadding, .whitespace]) else {
                report("the content of the body is not Base64", own)
                return nil
            }
            return PactBody(bytes: bytes, tokens: own, hasLocations: false)
        }
        return PactBody(bytes: Array(text.utf8), tokens: own, hasLocations: false)
    }

    private var isVersion4: Bool {
        let version = document.value["metadata"]?["pactSpecification"]?["version"]?.stringValue
        return version.map { $0.hasPrefix("4") } ?? false
    }

    private static func body(_ value: JSONValue, _ type: String?, _ tokens: [String]) -> PactBody? {
        guard let text = value.stringValue else {
            return PactBody(bytes: Array(value.serialized().utf8), tokens: tokens, hasLocations: true)
        }
        // A string is the text of the body. For JSON, it can also be the value.
        if isJSON(type), (try? JSONParser().parse(text)) == nil {
            return PactBody(bytes: Array(value.serialized().utf8), tokens: tokens, hasLocations: true)
        }
        return text.isEmpty ? nil : PactBody(bytes: Array(text.utf8), tokens: tokens, hasLocations: false)
    }

    private static func isJSON(_ type: String?) -> Bool {
        guard let essence = type?.prefix(while: { $0 != ";" }).lowercased() else { return false }
        return essence.hasSuffix("/json") || essence.hasSuffix("+json")
    }

    /// Returns a URL part with the bytes percent-encoded that a URL cannot contain.
    private static func encoded(_ text: String) -> String {
        let unsafe = Set("\"#<>[]\\^`{|}".utf8)
        return PercentEncoding.encode(text) { (0x21...0x7E).contains($0) && !unsafe.contains($0) }
    }
}
