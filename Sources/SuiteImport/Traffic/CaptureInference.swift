import Basics
import JSON

/// Finds the values that a server assigned and that later requests contain, and turns them into captures.
struct CaptureInference {
    /// The position of a response or a message.
    struct Place: Hashable, Comparable {
        /// The index of the exchange.
        var exchange: Int
        /// The index of a message of the WebSocket that the exchange opened; nil for the response.
        var message: Int?

        static func < (left: Place, right: Place) -> Bool {
            (left.exchange, left.message ?? -1) < (right.exchange, right.message ?? -1)
        }
    }

    /// The source of a value in a response or a message.
    private struct Origin {
        let place: Place
        let source: ImportedCapture.Source
        let pattern: String?
        /// The name of the member or field with the value.
        let name: String
        let isNumber: Bool
    }

    /// The length from which a value is replaced wherever it occurs; a shorter one only as a whole identifier.
    private static let distinctive = 8
    /// The maximum length of a value.
    private static let maximumLength = 4_096
    /// The maximum number of values of a response that are remembered.
    private static let maximumValues = 2_000

    /// The first response with each value.
    private var origins: [String: Origin] = [:]
    /// The values that requests contained before any response did.
    private var sent: Set<String> = []
    /// The variables of the values that requests use.
    private var variables: [String: String] = [:]
    private var names = ImportedNames()
    /// The captures from each response and message.
    private(set) var captures: [Place: [ImportedCapture]] = [:]

    init() {}

    // MARK: Responses

    /// Remembers the values of a response.
    mutating func add(_ exchange: RecordedExchange, json: JSONValue?, index: Int) {
        let resource = Self.resource(of: exchange.url)
        let place = Place(exchange: index)
        if let json { add(json, from: exchange.url, at: place) }
        for location in exchange.responseHeaders("Location") {
            let path = location.prefix { $0 != "?" && $0 != "#" }
            guard let last = path.split(separator: "/").last, path.contains("/") else { continue }
            remember(
                String(last),
                Origin(
                    place: place, source: .header("Location"), pattern: #"([^/?#]+)/?(?:[?#]|$)"#,
                    name: resource + "ID", isNumber: false))
        }
        for name in ["X-CSRF-Token", "X-XSRF-Token", "X-Auth-Token", "ETag"] {
            guard let value = exchange.responseHeaders(name).first, value.utf8.count >= Self.distinctive else {
                continue
            }
            remember(
                value,
                Origin(
                    place: place, source: .header(ImportedText(name)), pattern: nil,
                    name: name == "ETag" ? "etag" : "csrfToken", isNumber: false))
        }
    }

    /// Remembers the values of a body or a message.
    mutating func add(_ json: JSONValue, from url: String, at place: Place) {
        var count = 0
        add(json, NormalizedPath(), name: "", Self.resource(of: url), place, &count)
    }

    /// Remembers the values of JSON, whose depth is limited.
    private mutating func add(
        _ value: JSONValue, _ path: NormalizedPath, name: String, _ resource: String, _ place: Place,
        _ count: inout Int
    ) {
        if count > Self.maximumValues { return }
        count += 1
        switch value {
        case .object(let object):
            for (key, value) in object { add(value, path.appending(.name(key)), name: key, resource, place, &count) }
        case .array(let elements):
            for (position, value) in elements.enumerated() {
                add(value, path.appending(.index(position)), name: name, resource, place, &count)
            }
        case .string(let text):
            guard VolatileValues.isIdentifier(name) || VolatileValues.matcher(for: value, named: name) != nil else {
                return
            }
            remember(text, origin(path, name, resource, place, isNumber: false))
        case .number(let number):
            if VolatileValues.isIdentifier(name), number.isInteger {
                remember(number.literal, origin(path, name, resource, place, isNumber: true))
            }
        case .null, .bool: break
        }
    }

    private func origin(
        _ path: NormalizedPath, _ name: String, _ resource: String, _ place: Place, isNumber: Bool
    ) -> Origin {
        // The object with the identifier has a name of its own: `$.user.id`.
        var resource = resource
        if case .name(let parent)? = path.steps.dropLast().last(where: { if case .name = $0 { true } else { false } }) {
            resource = Self.singular(parent)
        }
        let isPlain = ["id", "_id", "uuid", "guid", "key", "slug"].contains(name.lowercased())
        return Origin(
            place: place, source: .json(ImportedText(path.shorthand)), pattern: nil,
            name: isPlain
                ? resource + (name.lowercased().contains("id") ? "ID" : name.prefix(1).uppercased() + name.dropFirst())
                : name,
            isNumber: isNumber)
    }

    private mutating func remember(_ value: String, _ origin: Origin) {
        guard !value.isEmpty, value.utf8.count <= Self.maximumLength, origins[value] == nil, !sent.contains(value)
        else {
            return
        }
        origins[value] = origin
    }

    /// Returns the name of what a URL identifies, in the singular: `book` for `/api/books/7`.
    private static func resource(of url: String) -> String {
        let segments = URLParts(ImportedText(url)).path.template.split(separator: "/")
        let word = segments.last { segment in segment.utf8.allSatisfy { ASCII.isLetter($0) || "-_".utf8.contains($0) } }
        guard let word else { return "resource" }
        let name = word.split { $0 == "-" || $0 == "_" }.enumerated().map { index, part in
            index == 0 ? part.prefix(1).lowercased() + part.dropFirst() : part.prefix(1).uppercased() + part.dropFirst()
        }.joined()
        return singular(name)
    }

    private static func singular(_ name: String) -> String {
        if name.hasSuffix("ies"), name.utf8.count > 4 { return name.dropLast(3) + "y" }
        if name.hasSuffix("s"), !name.hasSuffix("ss"), name.utf8.count > 2 { return String(name.dropLast()) }
        return name
    }

    // MARK: Requests

    /// Returns a request in which known values are replaced by the variables of their captures.
    mutating func apply(to request: ImportedRequest) -> ImportedRequest {
        var request = request
        request.url = url(request.url)
        request.headers = request.headers.map { ImportedField($0.name, parts(of: $0.value)) }
        request.cookies = request.cookies.map { ImportedField($0.name, parts(of: $0.value)) }
        request.body = request.body.map { apply(to: $0) }
        return request
    }

    /// Returns a body or a message in which known values are replaced by the variables of their captures.
    mutating func apply(to body: ImportedBody) -> ImportedBody {
        switch body {
        case .json(let value): .json(self.value(value, name: ""))
        case .text(let text): .text(parts(of: text))
        case .xml(let text): .xml(parts(of: text))
        case .form(let fields): .form(fields.map { field($0) })
        case .multipart(let list):
            .multipart(
                list.map { part in
                    var part = part
                    if case .text(let text) = part.content { part.content = .text(whole(text) ?? parts(of: text)) }
                    return part
                })
        case .graphQL(let query, let variables, let operation):
            .graphQL(query: query, variables: variables.map { value($0, name: "") }, operationName: operation)
        case .file, .base64: body
        }
    }

    /// Returns the variable of a value that a response or a message before a place contained; nil for any other value.
    func variable(of value: String, before place: Place) -> String? {
        guard let variable = variables[value], let origin = origins[value], origin.place < place else {
            return nil
        }
        return variable
    }

    private mutating func field(_ field: ImportedField) -> ImportedField {
        let isIdentifier = VolatileValues.isIdentifier(field.name.literal ?? "")
        return ImportedField(
            field.name, isIdentifier ? whole(field.value) ?? parts(of: field.value) : parts(of: field.value))
    }

    private mutating func url(_ url: ImportedText) -> ImportedText {
        let parts = URLParts(url)
        var result = parts.origin
        for (index, segment) in parts.path.split(UInt8(ascii: "/"), maximum: .max).enumerated() {
            if index > 0 { result.append(literal: "/") }
            // A segment is often an identifier, however short it is.
            result.append(whole(segment) ?? segment)
        }
        guard parts.query != nil else { return result }
        result.append(literal: "?")
        for (index, pair) in parts.pairs.enumerated() {
            if index > 0 { result.append(literal: "&") }
            result.append(pair.name)
            guard let value = pair.value else { continue }
            result.append(literal: "=")
            let isIdentifier = VolatileValues.isIdentifier(pair.name.literal ?? "")
            result.append(isIdentifier ? whole(value) ?? self.parts(of: value) : self.parts(of: value))
        }
        return result
    }

    /// Replaces the values in JSON, whose depth is limited.
    private mutating func value(_ value: ImportedValue, name: String) -> ImportedValue {
        switch value {
        case .text(let text):
            return .text(
                VolatileValues.isIdentifier(name) ? whole(text) ?? parts(of: text) : parts(of: text))
        case .plain(let literal):
            guard VolatileValues.isIdentifier(name), origins[literal]?.isNumber == true, let variable = use(literal)
            else { return value }
            return .expression(variable)
        case .sequence(let elements):
            var result: [ImportedValue] = []
            for element in elements { result.append(self.value(element, name: name)) }
            return .sequence(result)
        case .mapping(let members):
            var result: [ImportedValue.Member] = []
            for member in members {
                result.append(.init(member.key, self.value(member.value, name: member.key.literal ?? "")))
            }
            return .mapping(result)
        }
    }

    /// Returns the variable in place of a text that is a known value as a whole; otherwise nil.
    private mutating func whole(_ text: ImportedText) -> ImportedText? {
        guard let literal = text.literal else { return nil }
        if let variable = use(literal) { return .variable(variable) }
        sent.insert(literal)
        return nil
    }

    /// Returns a text with variables in place of the distinctive values in it.
    private mutating func parts(of text: ImportedText) -> ImportedText {
        guard let literal = text.literal, literal.utf8.count >= Self.distinctive else { return text }
        if let whole = whole(text) { return whole }
        var result = ImportedText()
        var rest = literal.utf8[...]
        while !rest.isEmpty {
            let isWord = { (byte: UInt8) in
                ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: ".")
            }
            let word = rest.prefix(while: isWord)
            let string = String(decoding: word, as: UTF8.self)
            if word.count >= Self.distinctive, let variable = use(string) {
                result.append(expression: variable)
            } else {
                if word.count >= Self.distinctive { sent.insert(string) }
                result.append(literal: string)
            }
            rest = rest[word.endIndex...]
            let other = rest.prefix { !isWord($0) }
            result.append(literal: String(decoding: other, as: UTF8.self))
            rest = rest[other.endIndex...]
        }
        return result
    }

    /// Returns the variable of a value that an earlier response contains; nil if none does.
    private mutating func use(_ value: String) -> String? {
        if let variable = variables[value] { return variable }
        guard !sent.contains(value), let origin = origins[value] else { return nil }
        let variable = names.unique(ImportedNames.valid(Self.lowerCamel(origin.name)))
        variables[value] = variable
        var capture = ImportedCapture(variable, origin.source)
        capture.pattern = origin.pattern
        captures[origin.place, default: []].append(capture)
        return variable
    }

    private static func lowerCamel(_ name: String) -> String {
        let parts = name.split { $0 == "_" || $0 == "-" }
        return parts.enumerated().map { index, part in
            if index == 0 { return part.prefix(1).lowercased() + part.dropFirst() }
            return part.lowercased() == "id" ? "ID" : part.prefix(1).uppercased() + part.dropFirst()
        }.joined()
    }
}
