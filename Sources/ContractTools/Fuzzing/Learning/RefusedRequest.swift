import Basics
import JSON
import OpenAPI

/// A refused request, in which the names of a response are looked up.
struct RefusedRequest {
    private static let maximumLeaves = 500
    private static let maximumDepth = 12

    /// The parameters of the operation outside the path.
    private var parameters: [(location: Parameter.Location, name: String)] = []
    private var schema: DescriptionNode?
    private let description: OpenAPIDescription
    /// The body, if it is JSON.
    private let body: JSONValue?
    /// The strings and numbers that were sent, with their places.
    private var leaves: [(place: Lesson.Place, text: String)] = []

    /// Creates a request of an operation.
    ///
    /// - Parameters:
    ///   - url: The URL that was sent.
    ///   - body: The bytes that were sent.
    init(_ operation: Operation, _ description: OpenAPIDescription, url: String, body: [UInt8]) {
        self.description = description
        for parameter in operation.parameters where parameter.location != .path && parameter.location != .querystring {
            parameters.append((parameter.location, parameter.name))
        }
        schema = operation.requestBody?.content.easiest?.schema
        self.body = body.count < 1 << 20 ? try? JSONParser().parse(body) : nil
        if let value = self.body { collect(value, [], depth: 0) }
        for pair in url.split(separator: "#").first?.split(separator: "?").dropFirst().first?.split(separator: "&")
            ?? []
        {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard let name = parts.first, let value = parts.last, parts.count == 2, leaves.count < Self.maximumLeaves
            else { continue }
            leaves.append(
                (
                    .parameter(.query, PercentEncoding.decodedText(name.utf8)),
                    PercentEncoding.decodedText(value.utf8)
                ))
        }
    }

    private mutating func collect(_ value: JSONValue, _ path: [String], depth: Int) {
        guard depth < Self.maximumDepth, leaves.count < Self.maximumLeaves else { return }
        switch value {
        case .object(let object): for (name, part) in object { collect(part, path + [name], depth: depth + 1) }
        case .array(let elements): for element in elements { collect(element, path, depth: depth + 1) }
        case .string(let text): leaves.append((.member(path), text))
        case .number(let number): leaves.append((.member(path), number.literal))
        case .null, .bool: break
        }
    }

    /// Whether the operation has a body.
    var hasBody: Bool { schema != nil || body != nil }

    /// Returns the only part with a value, or `nil` if there are several.
    func place(of value: some StringProtocol) -> Lesson.Place? {
        let found = Set(leaves.filter { $0.text == value }.map(\.place))
        return found.count == 1 ? found.first : nil
    }

    // MARK: Names

    /// A part that a name refers to.
    struct Target {
        var place: Lesson.Place
        /// Whether the description or the request has the part.
        var isKnown: Bool
    }

    /// Returns the part that names of a response refer to, or `nil` if they are not names.
    ///
    /// The spelling of names may differ in case and separators, because many servers use those of their program.
    ///
    /// - Parameters:
    ///   - names: The names from the outermost object.
    ///   - location: The location of the part, if the response states it.
    func target(_ names: [String], in location: Parameter.Location? = nil) -> Target? {
        var names = names.flatMap { Self.tokens($0) }
        var location = location
        var isInBody = false
        if let first = names.first, !isKnown(first), let container = Self.container(first) {
            names.removeFirst()
            switch container {
            case .body: isInBody = true
            case .parameter(let own): location = own
            case .ignored: return nil
            }
        }
        guard let last = names.last, names.count <= SampleNarrowing.maximumDepth else { return nil }
        if !isInBody {
            let matching = parameters.filter { location == nil || $0.location == location }
            // A message about a parameter may name the function's argument before it.
            if let found = matching.first(where: { Self.isSame($0.name, last) }),
                location != nil || !hasMember(names)
            {
                return Target(place: .parameter(found.location, found.name), isKnown: true)
            }
            if let location {
                return Self.isIdentifier(last) ? Target(place: .parameter(location, last), isKnown: false) : nil
            }
        }
        // Many programs name their type first.
        if names.count > 1, !isKnown(names[0]), isKnown(names[1]) { names.removeFirst() }
        guard hasBody else { return nil }
        let (path, isKnown) = resolved(names)
        guard isKnown || names.allSatisfy({ Self.isIdentifier($0) }) else { return nil }
        return Target(place: .member(path), isKnown: isKnown)
    }

    /// Returns whether a name is that of a parameter or of a member of the body.
    func isKnown(_ name: String) -> Bool {
        parameters.contains { Self.isSame($0.name, name) } || hasMember([name])
    }

    private func hasMember(_ names: [String]) -> Bool { resolved(names).isKnown }

    /// Returns the path of a member with its exact names.
    private func resolved(_ names: [String]) -> (path: [String], isKnown: Bool) {
        var schemas = schema.map { [$0] } ?? []
        var value = body
        var path: [String] = []
        var isKnown = true
        for name in names {
            var facts = SchemaConstraints(of: schemas, in: description)
            if facts.properties.isEmpty, !facts.items.isEmpty {
                facts = SchemaConstraints(of: facts.items, in: description)
            }
            if case .array(let elements)? = value { value = elements.first }
            let members = facts.properties.map(\.name) + (value?.objectValue?.map(\.key) ?? [])
            let exact = members.first { $0 == name } ?? members.first { Self.isSame($0, name) }
            isKnown = isKnown && exact != nil
            path.append(exact ?? name)
            schemas = exact.map { facts.schemas(of: $0) } ?? []
            value = exact.flatMap { value?.objectValue?[$0] }
        }
        return (path, isKnown)
    }

    private enum Container { case body, parameter(Parameter.Location), ignored }

    private static func container(_ name: String) -> Container? {
        switch name.lowercased() {
        case "body", "json", "data", "requestbody", "request_body", "payload", "input", "request", "form", "root":
            .body
        case "query", "querystring", "queryparams", "query_params", "params": .parameter(.query)
        case "header", "headers": .parameter(.header)
        case "cookie", "cookies": .parameter(.cookie)
        case "path", "pathparams", "path_params": .ignored
        default: nil
        }
    }

    /// Returns the location with a name, such as `query`, or `nil` if the name is that of another part.
    static func location(_ name: String) -> Parameter.Location? {
        if case .parameter(let location)? = container(name) { location } else { nil }
    }

    /// Returns the names in a path such as `contact.email`, `/items/0/name`, or `$.items[0]['name']`.
    private static func tokens(_ path: String) -> [String] {
        path.prefix(200).split { "./[]'\"$#".contains($0) }.map(String.init).filter { Int($0) == nil && $0 != "*" }
    }

    /// Returns whether two names differ at most in case and separators.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        if left == right { return true }
        func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
        let name = plain(left)
        return !name.isEmpty && name == plain(right)
    }

    /// The names for a request as a whole in messages.
    private static let general: Set = [
        "base", "_schema", "__all__", "non_field_errors", "__root__", "error", "errors", "value", "this", "it",
        "argument", "arguments", "object", "field", "fields", "parameter", "parameters", "property", "content",
        "message", "authentication", "authorization", "request", "body", "json", "data", "payload", "input",
    ]

    /// Returns whether a name may be that of an undocumented member.
    private static func isIdentifier(_ name: String) -> Bool {
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                || scalar == "_" || scalar == "-"
        }
        return isPlain && !name.isEmpty && name.utf8.count <= 64 && Int(name) == nil
            && !general.contains(name.lowercased())
    }
}
