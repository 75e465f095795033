import JSON
import OpenAPI

/// The values of responses by the name of their member, for requests that only a known value can satisfy, and the URLs
/// among them.
struct ValuePool {
    private static let maximumValues = 20
    private static let maximumNames = 1_000
    private static let maximumLength = 200
    private static let maximumDepth = 16
    private static let maximumLinks = 1_000

    private var values: [String: [JSONValue]] = [:]
    /// The absolute URLs and absolute paths in responses, in the order of their first occurrence.
    private(set) var links: [String] = []
    private var knownLinks: Set<String> = []

    /// Whether the pool has no values.
    var isEmpty: Bool { values.isEmpty }

    /// Adds the strings and numbers of a body.
    mutating func add(_ body: JSONValue) { add(body, name: "", depth: 0) }

    /// Adds a URL of a response.
    mutating func add(link: String) {
        guard link.utf8.count <= Self.maximumLength, links.count < Self.maximumLinks,
            link.hasPrefix("/") && !link.hasPrefix("//") || link.hasPrefix("http://") || link.hasPrefix("https://"),
            link.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), knownLinks.insert(link).inserted
        else { return }
        links.append(link)
    }

    /// Returns the values with a name, ignoring case and punctuation, that have the type of another value.
    func values(_ name: String, like other: JSONValue) -> [JSONValue] {
        (values[Self.plain(name)] ?? []).filter { value in
            switch (value, other) {
            case (.string, .string), (.number, .number): true
            default: false
            }
        }
    }

    private mutating func add(_ value: JSONValue, name: String, depth: Int) {
        guard depth < Self.maximumDepth else { return }
        switch value {
        case .null, .bool: break
        case .number, .string:
            if let text = value.stringValue { add(link: text) }
            guard !name.isEmpty, value.stringValue?.utf8.count ?? 0 <= Self.maximumLength,
                values[name] != nil || values.count < Self.maximumNames,
                values[name]?.count ?? 0 < Self.maximumValues, values[name]?.contains(value) != true
            else { return }
            values[name, default: []].append(value)
        case .array(let elements):
            for element in elements.prefix(Self.maximumValues) { add(element, name: name, depth: depth + 1) }
        case .object(let object):
            for (name, member) in object { add(member, name: Self.plain(name), depth: depth + 1) }
        }
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension JSONValue {
    /// Returns the value with the members replaced whose names a pool knows, or `nil` if there are none.
    ///
    /// - Parameters:
    ///   - index: The index among the alternatives of each name.
    ///   - isAllowed: Whether a value is possible as a whole.
    func filled(
        from pool: ValuePool, index: Int, name: String = "", isAllowed: (JSONValue) -> Bool
    ) -> JSONValue? {
        var whole = self
        var isChanged = false
        func visit(_ value: JSONValue, name: String, _ path: [String]) {
            switch value {
            case .null, .bool: break
            case .number, .string:
                let known = pool.values(name, like: value)
                guard !known.isEmpty, index < known.count || index == 0 else { return }
                let changed = whole.replacing(path[...], with: known[index])
                guard changed != whole, isAllowed(changed) else { return }
                whole = changed
                isChanged = true
            case .array(let elements):
                for (position, element) in elements.enumerated() { visit(element, name: name, path + ["\(position)"]) }
            case .object(let object):
                for (name, member) in object { visit(member, name: name, path + [name]) }
            }
        }
        visit(self, name: name, [])
        return isChanged ? whole : nil
    }
}
