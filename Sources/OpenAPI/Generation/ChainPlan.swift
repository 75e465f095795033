import JSON

/// Which responses give the path parameters of which operations.
struct ChainPlan {
    /// A value that a response gives.
    struct Source: Hashable {
        /// The operation whose response gives it.
        var operation: Int
        /// Where in the response's body it is.
        var tokens: [String]
    }

    private static let longestChain = 200
    private let operations: [Operation]
    private let selected: Set<Int>
    /// The value in each operation's successful response.
    private let responses: [Int: JSONValue]
    private(set) var sources: [Int: [String: Source]] = [:]

    /// Finds the sources of all path parameters.
    ///
    /// - Parameters:
    ///   - operations: All operations.
    ///   - selected: Those that have a test.
    ///   - responses: The value in each one's successful response.
    init(_ operations: [Operation], selected: [Int], responses: [Int: JSONValue]) {
        self.operations = operations
        self.selected = Set(selected)
        self.responses = responses
        // Most operations with parameters are near those that make what they name.
        for target in selected {
            for name in operations[target].template.parameterNames {
                guard let source = link(to: target, name) ?? resource(for: target, name) else { continue }
                sources[target, default: [:]][name] = source
            }
        }
    }

    /// Whether an operation's path needs, directly or not, what another one gives.
    private func needs(_ operation: Int, _ other: Int) -> Bool {
        var pending = [operation]
        var seen: Set<Int> = []
        while let next = pending.popLast() {
            if next == other { return true }
            guard seen.insert(next).inserted else { continue }
            // A chain as long as that is none that anybody follows, and would be walked down by recursion.
            if seen.count > Self.longestChain { return true }
            pending += (sources[next] ?? [:]).values.map(\.operation)
        }
        return false
    }

    // MARK: Links

    private func link(to target: Int, _ name: String) -> Source? {
        for source in operations.indices where selected.contains(source) && source != target {
            for response in operations[source].responses where response.status.isSuccess {
                for link in response.links where leads(link, to: operations[target]) {
                    let value = link.parameters.first { $0.name == name || $0.name == "path.\(name)" }?.value
                    let prefix = "$response.body#"
                    guard let text = value?.stringValue, text.hasPrefix(prefix), !needs(source, target),
                        let pointer = try? JSONPointer(String(text.dropFirst(prefix.count))),
                        responses[source].flatMap({ pointer.evaluate(in: $0) }) != nil
                    else { continue }
                    return Source(operation: source, tokens: pointer.tokens)
                }
            }
        }
        return nil
    }

    private func leads(_ link: Link, to operation: Operation) -> Bool {
        if let id = link.operationID { return id == operation.id }
        guard let hash = link.operationReference?.firstIndex(of: "#"), let reference = link.operationReference,
            let pointer = try? JSONPointer(uriFragment: String(reference[reference.index(after: hash)...]))
        else { return false }
        return pointer.tokens == ["paths", operation.path, operation.method.lowercased()]
    }

    // MARK: Names

    /// The operation on the collection that a parameter's item is in.
    private func resource(for target: Int, _ name: String) -> Source? {
        let segments = operations[target].template.segments
        guard let position = segments.firstIndex(where: { $0 == [.parameter(name)] }), position > 0 else { return nil }
        let collection = Array(segments[..<position])
        let noun = collection.last {
            $0.count == 1 && $0.first.map { if case .literal = $0 { true } else { false } } ?? false
        }
        var resource = ""
        if case .literal(let text)?? = noun?.first { resource = text }
        for method in ["POST", "GET"] {
            for source in operations.indices where selected.contains(source) && source != target {
                let operation = operations[source]
                guard operation.method == method, Self.isSame(operation.template.segments, collection),
                    let value = responses[source], !needs(source, target),
                    let tokens = Self.find(name, resource, in: value, isList: method == "GET")
                else { continue }
                return Source(operation: source, tokens: tokens)
            }
        }
        return nil
    }

    private static func isSame(_ left: [[PathTemplate.Piece]], _ right: [[PathTemplate.Piece]]) -> Bool {
        var left = left
        if left.last?.isEmpty == true { left.removeLast() }
        return left.count == right.count
            && zip(left, right).allSatisfy { first, second in
                first.count == second.count
                    && zip(first, second).allSatisfy {
                        if case .parameter = $0, case .parameter = $1 { true } else { $0 == $1 }
                    }
            }
    }

    /// Where a value that a parameter may stand for is in a response.
    static func find(_ name: String, _ resource: String, in value: JSONValue, isList: Bool) -> [String]? {
        let names = candidates(name, resource)
        if let elements = value.arrayValue {
            guard isList, let first = elements.first, let inner = member(names, of: first) else { return nil }
            return ["0", inner]
        }
        guard let object = value.objectValue else { return nil }
        if !isList, let own = member(names, of: value) { return [own] }
        for (key, inner) in object {
            if isList {
                guard let first = inner.arrayValue?.first, let found = member(names, of: first) else { continue }
                return [key, "0", found]
            }
            if let found = member(names, of: inner) { return [key, found] }
        }
        return nil
    }

    private static func member(_ names: [String], of value: JSONValue) -> String? {
        guard let object = value.objectValue else { return nil }
        for name in names {
            for (key, value) in object where plain(key) == name {
                switch value {
                case .string, .number: return key
                case .null, .bool, .array, .object: continue
                }
            }
        }
        return nil
    }

    /// The names, without regard to case and separators, that a value for a parameter may have.
    private static func candidates(_ name: String, _ resource: String) -> [String] {
        let own = plain(name)
        let noun = plain(Naming.singular(resource))
        var names = [own]
        let isIdentifier = own == "id" || own.hasSuffix("id") || own == "uuid" || own == "key" || own == noun
        if isIdentifier { names += ["id", noun + "id", "uuid", "identifier"] }
        return names
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension Response.Status {
    /// Whether the statuses are those of success.
    var isSuccess: Bool {
        switch self {
        case .exact(let status): status / 100 == 2
        case .range(let digit): digit == 2
        case .fallback: false
        }
    }
}
