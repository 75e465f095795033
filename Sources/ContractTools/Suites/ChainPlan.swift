import JSON
import OpenAPI

/// A plan that determines the responses and requests that provide the values of path parameters.
///
/// The plan uses the slots of paths, so that a resource has the same value in all paths below it.
struct ChainPlan {
    /// A value in a response.
    struct Source: Hashable {
        /// The part of a response that contains the value.
        enum Part: Hashable {
            /// A value in the body.
            case body([String])
            /// The value of a header.
            case header(String)
        }

        /// The index of the operation whose response contains the value.
        var operation: Int
        /// The part of the response.
        var part: Part

        /// Whether the value is an element of an array, which may be empty.
        var isElement: Bool {
            guard case .body(let tokens) = part else { return false }
            return tokens.contains { Int($0) != nil }
        }
    }

    private static let maximumChainLength = 200
    /// The ends of paths below a collection that create an element of it.
    private static let verbs = ["add", "create", "new", "register", "signup"]
    private let operations: [Operation]
    private let selected: [Int]
    private let selection: Set<Int>
    /// The sample value of each operation's successful response.
    private let responses: [Int: JSONValue]
    private let guessesIdentifiers: Bool
    /// The JSON body of each operation's request.
    private let requests: [Int: JSONValue]
    /// The operations that use each slot.
    private(set) var uses: [PathSlot: [Int]] = [:]
    /// The slots in order of first use.
    private(set) var slots: [PathSlot] = []
    /// The source of each slot's value.
    private(set) var sources: [PathSlot: Source] = [:]
    /// The operation that creates the resource of a slot under a name that the client chooses.
    private(set) var creators: [PathSlot: Int] = [:]
    /// The creators that no response describes as such.
    private(set) var assumed: Set<PathSlot> = []
    /// The member of the creator's request that has the name, for slots whose creator does not have it in its path.
    private(set) var chosen: [PathSlot: String] = [:]

    /// Finds the sources of all slots.
    ///
    /// - Parameters:
    ///   - operations: All operations.
    ///   - selected: The indices of the operations with a test.
    ///   - responses: The sample value of each operation's successful response.
    ///   - requests: The JSON body of each operation's request.
    ///   - guessesIdentifiers: Whether resources without a description have a member `id`, and names that clients
    ///     choose.
    init(
        _ operations: [Operation], selected: [Int], responses: [Int: JSONValue], requests: [Int: JSONValue] = [:],
        guessesIdentifiers: Bool = false
    ) {
        self.requests = requests
        self.guessesIdentifiers = guessesIdentifiers
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
            } else if guessesIdentifiers, let (creator, member) = namedCreation(slot, collections) {
                (creators[slot], chosen[slot]) = (creator, member)
                assumed.insert(slot)
            } else if guessesIdentifiers, let guessed = guessedIdentifier(slot, collections) {
                sources[slot] = guessed
            } else if let listed = resource(slot, "GET", collections) {
                sources[slot] = listed
            } else if guessesIdentifiers, let creator = creator(slot, isDocumented: false) {
                creators[slot] = creator
                assumed.insert(slot)
            }
        }
        shareNames()
    }

    /// Returns whether a source has the name of an identifier: that of the slot's parameter, or `id`.
    func isIdentifier(_ source: Source, of slot: PathSlot) -> Bool {
        guard case .body(let tokens) = source.part, let last = tokens.last.map(Self.plain) else { return true }
        let noun = slot.prefix.dropLast(3).split(separator: "/").last { !$0.contains("{}") }.map(String.init) ?? ""
        return names(of: slot).contains { Self.candidates($0, noun).contains(last) }
    }

    /// Returns the operations that must run before an operation.
    func predecessors(of operation: Int) -> Set<Int> {
        var result: Set<Int> = []
        for (_, slot) in operations[operation].template.slots {
            if let source = sources[slot]?.operation ?? creators[slot], source != operation { result.insert(source) }
        }
        return result
    }

    /// Returns whether an operation depends on a slot, directly or through its predecessors.
    private func needs(_ operation: Int, _ slot: PathSlot) -> Bool {
        var pending = [operation]
        var seen: Set<Int> = []
        while let next = pending.popLast() {
            guard seen.insert(next).inserted else { continue }
            if operations[next].template.slots.contains(where: { $0.slot == slot }) { return true }
            // Such a long chain is unrealistic, and the recursion that follows it would be too deep.
            if seen.count > Self.maximumChainLength { return true }
            pending += predecessors(of: next)
        }
        return false
    }

    // MARK: Links

    /// Returns the sources that response links specify for slots. Operations that create a resource come first.
    private func links() -> [PathSlot: [Source]] {
        var byID: [String: Int] = [:]
        var byLocation: [[String]: Int] = [:]
        for target in selected {
            let operation = operations[target]
            if let id = operation.id { byID[id] = byID[id] ?? target }
            byLocation[["paths", operation.path, operation.method.lowercased()]] = target
        }
        var found: [PathSlot: [Source]] = [:]
        let ordered =
            selected.filter { operations[$0].method != "GET" } + selected.filter { operations[$0].method == "GET" }
        for source in ordered {
            for response in operations[source].responses where response.status.isSuccess {
                for link in response.links {
                    guard
                        let target = link.operationID.map({ byID[$0] })
                            ?? Self.location(link).flatMap({ byLocation[$0] })
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

    private static func location(_ link: Link) -> [String]? {
        guard let hash = link.operationReference?.firstIndex(of: "#"), let reference = link.operationReference,
            let pointer = try? JSONPointer(uriFragment: String(reference[reference.index(after: hash)...]))
        else { return nil }
        return pointer.tokens
    }

    /// Returns the part of a response that a runtime expression refers to, or `nil` if its schema lacks the part.
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

    /// Returns the operation on the collection that contains the resource of a slot.
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

    /// Returns the identifier of the resource that a collection creates, although no response describes it.
    private func guessedIdentifier(_ slot: PathSlot, _ collections: [String: [Int]]) -> Source? {
        guard slot.prefix.hasSuffix("/{}") else { return nil }
        let creator = collections[String(slot.prefix.dropLast(3))]?.first {
            operations[$0].method == "POST" && !needs($0, slot)
        }
        return creator.map { Source(operation: $0, part: .body(["id"])) }
    }

    /// Returns the operation that creates the resource of a slot under a chosen name, and the member with the name.
    ///
    /// The member is `title` if `POST /books` has it and the path of a book is `/books/{title}`.
    private func namedCreation(_ slot: PathSlot, _ collections: [String: [Int]]) -> (operation: Int, member: String)? {
        guard slot.prefix.hasSuffix("/{}") else { return nil }
        let collection = String(slot.prefix.dropLast(3))
        let paths = [collection] + Self.verbs.map { "\(collection)/\($0)" }
        for creator in paths.flatMap({ collections[$0] ?? [] }) where operations[creator].method == "POST" {
            guard let request = requests[creator], !needs(creator, slot) else { continue }
            // A server may replace an `id` by its own, which the response would show.
            if let found = member(naming: slot, in: request), found != "id" { return (creator, found) }
        }
        return nil
    }

    /// Returns the member of a body with the name of the resource of a slot.
    func member(naming slot: PathSlot, in body: JSONValue) -> String? {
        let noun = slot.prefix.dropLast(3).split(separator: "/").last { !$0.contains("{}") }.map(String.init) ?? ""
        return names(of: slot).lazy.compactMap { name in
            let found = Self.find(name, noun, in: body, isList: false)
            return found?.count == 1 ? found?.first : nil
        }.first
    }

    /// Returns the `PUT` operation on the slot's path.
    ///
    /// - Parameter isDocumented: Whether it has to document the creation of a resource.
    private func creator(_ slot: PathSlot, isDocumented: Bool = true) -> Int? {
        (uses[slot] ?? []).first { index in
            let operation = operations[index]
            guard operation.method == "PUT", operation.template.lastSlot == slot,
                !isDocumented || operation.responses.contains(where: { $0.status == .exact(201) })
            else { return false }
            // The preceding slots must not depend on this slot.
            return operation.template.slots.allSatisfy { outer in
                outer.slot == slot || !(sources[outer.slot].map { needs($0.operation, slot) } ?? false)
            }
        }
    }

    /// Returns the names of the parameters in a slot.
    private func names(of slot: PathSlot) -> [String] {
        var names: [String] = []
        for use in uses[slot] ?? [] {
            for entry in operations[use].template.slots where entry.slot == slot && !names.contains(entry.name) {
                names.append(entry.name)
            }
        }
        return names
    }

    /// Fills the remaining slots from a source with the same specific parameter name, because `bookId` is always a
    /// book.
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

    /// Returns the location of a value in a response that can fill a parameter.
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

    /// Returns the normalized names of values that can fill a parameter.
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
    /// Whether the status is a success.
    var isSuccess: Bool {
        switch self {
        case .exact(let status): status / 100 == 2
        case .range(let digit): digit == 2
        case .fallback: false
        }
    }
}
