import JSON
import OpenAPI

/// The responses and requests that path parameters get their values from.
///
/// A plan is made for the slots of paths, so that one resource has one value in all paths below it.
struct ChainPlan {
    /// A value in a response.
    struct Source: Hashable {
        /// The part of a response that has the value.
        enum Part: Hashable {
            /// A value in the body.
            case body([String])
            /// A header.
            case header(String)
        }

        /// The operation whose response has the value.
        var operation: Int
        /// The part of the response.
        var part: Part

        /// Whether the value is an element of an array, which may be empty.
        var isElement: Bool {
            guard case .body(let tokens) = part else { return false }
            return tokens.contains { Int($0) != nil }
        }
    }

    private static let longestChain = 200
    private let operations: [Operation]
    private let selected: [Int]
    private let selection: Set<Int>
    /// The value in each operation's successful response.
    private let responses: [Int: JSONValue]
    /// The operations that have each slot.
    private(set) var uses: [PathSlot: [Int]] = [:]
    /// The slots in the order in which paths first have them.
    private(set) var slots: [PathSlot] = []
    /// The response that each slot's value comes from.
    private(set) var sources: [PathSlot: Source] = [:]
    /// The `PUT` that creates what a slot names under a made-up name.
    private(set) var creators: [PathSlot: Int] = [:]

    /// Finds the sources of all slots.
    ///
    /// - Parameters:
    ///   - operations: All operations.
    ///   - selected: Those that have a test.
    ///   - responses: The value in each one's successful response.
    init(_ operations: [Operation], selected: [Int], responses: [Int: JSONValue]) {
        self.operations = operations
        self.selected = selected
        selection = Set(selected)
        self.responses = responses
        for target in selected {
            for (_, slot) in operations[target].template.slots {
                if uses[slot] == nil { slots.append(slot) }
                if uses[slot]?.last != target { uses[slot, default: []].append(target) }
            }
        }
        let collections = Dictionary(grouping: selected) { Self.collection(operations[$0].template) }
        let links = links()
        for slot in slots {
            let found =
                links[slot]?.first { !needs($0.operation, slot) } ?? resource(slot, "POST", collections)
            if let found {
                sources[slot] = found
            } else if let creator = creator(slot) {
                creators[slot] = creator
            } else if let listed = resource(slot, "GET", collections) {
                sources[slot] = listed
            }
        }
        shareNames()
    }

    /// The operations that have to come before one.
    func predecessors(of operation: Int) -> Set<Int> {
        var result: Set<Int> = []
        for (_, slot) in operations[operation].template.slots {
            if let source = sources[slot]?.operation ?? creators[slot], source != operation { result.insert(source) }
        }
        return result
    }

    /// Whether the path of an operation has a slot, or needs what an operation gives whose path has it.
    private func needs(_ operation: Int, _ slot: PathSlot) -> Bool {
        var pending = [operation]
        var seen: Set<Int> = []
        while let next = pending.popLast() {
            guard seen.insert(next).inserted else { continue }
            if operations[next].template.slots.contains(where: { $0.slot == slot }) { return true }
            // Nobody follows a chain as long as that, and it would be walked down by recursion.
            if seen.count > Self.longestChain { return true }
            pending += predecessors(of: next)
        }
        return false
    }

    // MARK: Links

    /// The values that links of responses name for slots, those of requests that create something first.
    private func links() -> [PathSlot: [Source]] {
        var byID: [String: Int] = [:]
        var byPlace: [[String]: Int] = [:]
        for target in selected {
            let operation = operations[target]
            if let id = operation.id { byID[id] = byID[id] ?? target }
            byPlace[["paths", operation.path, operation.method.lowercased()]] = target
        }
        var found: [PathSlot: [Source]] = [:]
        let ordered =
            selected.filter { operations[$0].method != "GET" } + selected.filter { operations[$0].method == "GET" }
        for source in ordered {
            for response in operations[source].responses where response.status.isSuccess {
                for link in response.links {
                    guard let target = link.operationID.map({ byID[$0] }) ?? Self.place(link).flatMap({ byPlace[$0] })
                    else { continue }
                    for (name, slot) in operations[target].template.slots {
                        let value = link.parameters.first { $0.name == name || $0.name == "path.\(name)" }?.value
                        guard let part = value?.stringValue.flatMap({ part($0, of: response, in: source) }) else {
                            continue
                        }
                        found[slot, default: []].append(Source(operation: source, part: part))
                    }
                }
            }
        }
        return found
    }

    private static func place(_ link: Link) -> [String]? {
        guard let hash = link.operationReference?.firstIndex(of: "#"), let reference = link.operationReference,
            let pointer = try? JSONPointer(uriFragment: String(reference[reference.index(after: hash)...]))
        else { return nil }
        return pointer.tokens
    }

    /// The part of a response that a runtime expression names, unless its schema does not have it.
    private func part(_ expression: String, of response: Response, in source: Int) -> Source.Part? {
        let header = "$response.header."
        if expression.hasPrefix(header) { return .header(String(expression.dropFirst(header.count))) }
        let body = "$response.body#"
        guard expression.hasPrefix(body), let pointer = try? JSONPointer(String(expression.dropFirst(body.count)))
        else { return nil }
        let isDescribed = response.content.contains { $0.schema != nil || !$0.examples.isEmpty }
        guard isDescribed, let value = responses[source] else { return .body(pointer.tokens) }
        return pointer.evaluate(in: value) == nil ? nil : .body(pointer.tokens)
    }

    // MARK: Collections

    private static func collection(_ template: PathTemplate) -> String {
        let shape = template.shape
        return shape.count > 1 && shape.hasSuffix("/") ? String(shape.dropLast()) : shape
    }

    /// The operation on the collection that the resource of a slot is in.
    private func resource(_ slot: PathSlot, _ method: String, _ collections: [String: [Int]]) -> Source? {
        guard slot.prefix.hasSuffix("/{}") else { return nil }
        let collection = String(slot.prefix.dropLast(3))
        let noun = collection.split(separator: "/").last { !$0.contains("{}") }.map(String.init) ?? ""
        let names = names(of: slot)
        for source in collections[collection] ?? [] where operations[source].method == method {
            guard let value = responses[source], !needs(source, slot) else { continue }
            for name in names {
                guard let tokens = Self.find(name, noun, in: value, isList: method == "GET") else { continue }
                return Source(operation: source, part: .body(tokens))
            }
        }
        return nil
    }

    /// The `PUT` on a slot's own path that documents that it creates something.
    private func creator(_ slot: PathSlot) -> Int? {
        (uses[slot] ?? []).first { index in
            let operation = operations[index]
            guard operation.method == "PUT", operation.template.lastSlot == slot,
                operation.responses.contains(where: { $0.status == .exact(201) })
            else { return false }
            // What precedes must not come from below.
            return operation.template.slots.allSatisfy { outer in
                outer.slot == slot || !(sources[outer.slot].map { needs($0.operation, slot) } ?? false)
            }
        }
    }

    /// The names that parameters have in a slot.
    private func names(of slot: PathSlot) -> [String] {
        var names: [String] = []
        for use in uses[slot] ?? [] {
            for entry in operations[use].template.slots where entry.slot == slot && !names.contains(entry.name) {
                names.append(entry.name)
            }
        }
        return names
    }

    /// Fills slots without a source from one whose parameter has the same telling name: `bookId` is a book's everywhere.
    private mutating func shareNames() {
        var known: [String: Source] = [:]
        for slot in slots {
            guard let source = sources[slot] else { continue }
            for name in names(of: slot) where Identifier.words(name).count > 1 { known[name] = known[name] ?? source }
        }
        for slot in slots where sources[slot] == nil && creators[slot] == nil {
            guard let source = names(of: slot).lazy.compactMap({ known[$0] }).first, !needs(source.operation, slot)
            else { continue }
            sources[slot] = source
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
