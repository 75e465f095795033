import JSON

/// The names that schemas in a file define for themselves (JSON Schema 2020-12, section 8.2).
struct SchemaNames: Sendable {
    /// The schemas with `$id`, by absolute URI.
    private(set) var resources: [String: JSONPointer] = [:]
    /// The schemas with `$anchor`, by the URI of their resource, followed by `#` and the name.
    private(set) var anchors: [String: JSONPointer] = [:]
    /// The URI of each schema with `$id`.
    private(set) var bases: [JSONPointer: String] = [:]

    /// Creates an empty collection.
    init() {}

    /// Collects the names in a document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - base: The URI of the document, or an empty string if it has none.
    init(of document: JSONValue, in base: String) {
        var pending: [(value: JSONValue, pointer: JSONPointer, base: String)] = [(document, JSONPointer(), base)]
        while let next = pending.popLast() {
            switch next.value {
            case .object(let members):
                var base = next.base
                if let id = members["$id"]?.stringValue, !id.isEmpty {
                    base = DocumentLocation.resolve(String(id.prefix { $0 != "#" }), against: next.base)
                    resources[base] = next.pointer
                    bases[next.pointer] = base
                }
                for keyword in ["$anchor", "$dynamicAnchor"] {
                    if let name = members[keyword]?.stringValue { anchors["\(base)#\(name)"] = next.pointer }
                }
                for (name, member) in members where member.isContainer {
                    pending.append((member, next.pointer.appending(name), base))
                }
            case .array(let elements):
                for (index, element) in elements.enumerated() where element.isContainer {
                    pending.append((element, next.pointer.appending(index), next.base))
                }
            case .null, .bool, .number, .string: break
            }
        }
    }

    /// Returns the URI and the location of the innermost schema with `$id` that contains a pointer's target.
    func base(of pointer: JSONPointer) -> (uri: String, pointer: JSONPointer)? {
        guard !bases.isEmpty else { return nil }
        var tokens = pointer.tokens
        while true {
            let candidate = JSONPointer(tokens: tokens)
            if let uri = bases[candidate] { return (uri, candidate) }
            if tokens.popLast() == nil { return nil }
        }
    }
}

extension JSONValue {
    fileprivate var isContainer: Bool {
        switch self {
        case .object, .array: true
        case .null, .bool, .number, .string: false
        }
    }
}
