import JSON

/// A part of a request that has values.
enum RequestPart: CaseIterable {
    case path, pairs, query, headers, cookies, body
}

/// A place in a request: the way to a node by the indices of entries.
struct RequestPlace: Hashable {
    var part: RequestPart
    var path: [Int] = []

    /// Returns the place of an entry.
    func inside(_ index: Int) -> RequestPlace { RequestPlace(part: part, path: path + [index]) }
}

extension RequestParts {
    /// The values of a part, which are entries of a mapping or a list.
    subscript(part: RequestPart) -> SuiteNode {
        get {
            switch part {
            case .path: .list(path.split(separator: "/", omittingEmptySubsequences: false).map { .text(String($0)) })
            case .pairs: .list(pairs.map { .text($0) })
            case .query: .map(query)
            case .headers: .map(headers)
            case .cookies: .map(cookies)
            case .body: body?.node ?? .list([])
            }
        }
        set {
            switch part {
            case .path: path = newValue.children.map(\.string).joined(separator: "/")
            case .pairs: pairs = newValue.children.map(\.string)
            case .query: query = newValue.entries
            case .headers: headers = newValue.entries
            case .cookies: cookies = newValue.entries
            case .body: body = body.map { ($0.key, newValue) }
            }
        }
    }

    /// Returns the node at a place, or `nil` if there is none.
    func node(at place: RequestPlace) -> SuiteNode? {
        place.path.reduce(self[place.part]) { node, index in
            node.flatMap { $0.children.indices.contains(index) ? $0.children[index] : nil }
        }
    }

    /// Returns the request with another node at a place.
    func replacing(_ place: RequestPlace, with node: SuiteNode) -> RequestParts {
        var request = self
        request[place.part] = self[place.part].replacing(place.path[...], with: node)
        return request
    }
}

extension SuiteNode {
    /// The values of a mapping or the elements of a list.
    var children: [SuiteNode] {
        switch self {
        case .text, .plain: []
        case .members(let map): map.entries.map(\.1)
        case .list(let elements): elements
        }
    }

    /// The entries of a mapping.
    fileprivate var entries: [(String, SuiteNode)] {
        if case .members(let map) = self { map.entries } else { [] }
    }

    fileprivate var string: String {
        switch self {
        case .text(let text), .plain(let text): text
        case .members, .list: ""
        }
    }

    /// Returns the names and indices that a path of indices leads through.
    func names(_ path: [Int]) -> [String] {
        guard let index = path.first, children.indices.contains(index) else { return [] }
        let name = if case .members(let map) = self { map.entries[index].0 } else { "\(index)" }
        return [name] + children[index].names(Array(path.dropFirst()))
    }

    /// Returns a container with some of its entries.
    func keeping(_ indices: [Int]) -> SuiteNode {
        switch self {
        case .text, .plain: self
        case .members(let map): .map(indices.map { map.entries[$0] })
        case .list(let elements): .list(indices.map { elements[$0] })
        }
    }

    /// Returns the node with the one at a path of indices replaced.
    fileprivate func replacing(_ path: ArraySlice<Int>, with node: SuiteNode) -> SuiteNode {
        guard let index = path.first else { return node }
        switch self {
        case .text, .plain: return self
        case .members(let map):
            var entries = map.entries
            entries[index].1 = entries[index].1.replacing(path.dropFirst(), with: node)
            return .map(entries)
        case .list(var elements):
            elements[index] = elements[index].replacing(path.dropFirst(), with: node)
            return .list(elements)
        }
    }

    /// The value without expressions, or `nil` if it has some.
    var json: JSONValue? {
        switch self {
        case .plain(let literal):
            switch literal {
            case "null": return .null
            case "true", "false": return .bool(literal == "true")
            default: return JSONNumber(literal: literal).map { .number($0) }
            }
        case .text(let text): return Self.unescaped(text).map { .string($0) }
        case .list(let elements):
            let values = elements.compactMap(\.json)
            return values.count == elements.count ? .array(values) : nil
        case .members(let map):
            var object = JSONObject()
            for (name, node) in map.entries {
                guard let value = node.json else { return nil }
                object.append(name, value)
            }
            return .object(object)
        }
    }

    /// Returns a string without the escapes of expressions, or `nil` if it has an expression.
    static func unescaped(_ text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "$")), text.contains("${") else { return text }
        let parts = text.split(separator: "$${", omittingEmptySubsequences: false)
        return parts.contains { $0.contains("${") } ? nil : parts.joined(separator: "${")
    }
}
