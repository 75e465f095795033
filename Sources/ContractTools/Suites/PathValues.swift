import JSON
import OpenAPI

/// The values of the path parameters of a suite: one for each slot, unless a parameter's schema rejects it.
struct PathValues {
    /// The value of a path parameter.
    enum Value {
        /// A value from a response.
        case captured(ChainPlan.Source)
        /// A documented or generated value, which belongs to one parameter or is shared by all parameters of the slot.
        case made(JSONValue, isGiven: Bool, isShared: Bool)
    }

    private struct Made {
        var value: JSONValue
        var isGiven: Bool
    }

    /// The maximum number of parameters to compare for one slot.
    private static let comparedParameters = 16

    private let builder: TestBuilder
    private let operations: [Operation]
    let chains: ChainPlan
    /// The content of each operation's successful response.
    private let content: [Int: MediaType]
    private let samples: [Int: JSONValue]
    private let requests: [Int: JSONValue]
    private var shared: [PathSlot: Made] = [:]
    private var certain: [Int: Bool] = [:]
    /// The response values that appear in the path of a test.
    private(set) var used: Set<ChainPlan.Source> = []

    /// Chooses the values of all slots.
    ///
    /// - Parameter requests: The JSON body of each operation's request.
    init(
        _ builder: TestBuilder, _ operations: [Operation], _ chains: ChainPlan, content: [Int: MediaType],
        samples: [Int: JSONValue], requests: [Int: JSONValue] = [:]
    ) {
        self.requests = requests
        self.builder = builder
        self.operations = operations
        self.chains = chains
        self.content = content
        self.samples = samples
        for slot in chains.slots {
            shared[slot] = common(slot)
            if let name = chosenName(slot) { shared[slot] = Made(value: name, isGiven: true) }
            guard let source = chains.sources[slot], !used.contains(source) else { continue }
            if (chains.uses[slot] ?? []).contains(where: { isFilled(slot, of: $0, from: source) }) {
                used.insert(source)
            }
        }
    }

    /// Returns the generated value that the parameters of a slot share.
    func shared(_ slot: PathSlot) -> JSONValue? { shared[slot]?.value }

    /// Returns the value of a path parameter.
    ///
    /// - Throws: ``SampleFailure`` if no value can be generated.
    func value(of parameter: Parameter, in slot: PathSlot) throws(SampleFailure) -> Value {
        if let source = chains.sources[slot], isFilled(parameter, from: source) { return .captured(source) }
        if let made = shared[slot], accepts(made.value, parameter) {
            return .made(made.value, isGiven: made.isGiven, isShared: true)
        }
        let (value, isGiven) = try builder.value(of: parameter)
        return .made(value, isGiven: isGiven, isShared: false)
    }

    /// Returns whether every resource in an operation's path exists on a conforming server.
    ///
    /// Resources with generated identifiers may not exist. Array elements count as existing, although an array may be
    /// empty, because the test is skipped without one.
    mutating func isCertain(_ operation: Int) -> Bool {
        if let known = certain[operation] { return known }
        // A cycle would be an error in the plan. This stops the recursion.
        certain[operation] = false
        var result = true
        for (name, slot) in operations[operation].template.slots where result {
            let parameter = operations[operation].parameters.first { $0.location == .path && $0.name == name }
            guard let parameter, let value = try? value(of: parameter, in: slot) else { continue }
            switch value {
            case .captured(let source): result = isCertain(source.operation)
            case .made(_, _, let isShared):
                if isShared, let creator = chains.creators[slot] {
                    result = creator == operation || isCertain(creator)
                } else {
                    result = isListed(parameter)
                }
            }
        }
        certain[operation] = result
        return result
    }

    /// Returns the array elements that an operation's path refers to.
    func elements(of operation: Int) -> [ChainPlan.Source] {
        operations[operation].template.slots.compactMap { name, slot in
            let parameter = operations[operation].parameters.first { $0.location == .path && $0.name == name }
            guard let source = chains.sources[slot], source.isElement, let parameter,
                isFilled(parameter, from: source)
            else { return nil }
            return source
        }
    }

    /// Returns whether a parameter's schema lists its values.
    private func isListed(_ parameter: Parameter) -> Bool {
        guard let schema = parameter.schema else { return false }
        let facts = facts([schema])
        return facts.allowed != nil || facts.types == .boolean
    }

    // MARK: Shared values

    /// Returns the name that the request of the creator gives to the resource of a slot, if all parameters accept it.
    ///
    /// If the identifier of the response is guessed, it is the one of the request as long as the response has none.
    func chosenName(_ slot: PathSlot) -> JSONValue? {
        var value: JSONValue?
        if let creator = chains.creators[slot], let member = chains.chosen[slot] {
            value = requests[creator]?[member]
        } else if let source = chains.sources[slot], case .body(["id"]) = source.part {
            value = requests[source.operation]?["id"]
        }
        return value.flatMap { isAccepted($0, in: slot) ? $0 : nil }
    }

    /// Returns whether all parameters of a slot accept a value.
    func isAccepted(_ value: JSONValue, in slot: PathSlot) -> Bool {
        (chains.uses[slot] ?? []).allSatisfy { use in
            operations[use].template.slots.allSatisfy { entry in
                guard entry.slot == slot else { return true }
                let parameter = operations[use].parameters.first { $0.location == .path && $0.name == entry.name }
                return parameter.map { accepts(value, $0) } ?? true
            }
        }
    }

    /// Returns whether an operation's path has a resource whose creation no response describes.
    func isAssumed(_ operation: Int) -> Bool {
        operations[operation].template.slots.contains { chains.assumed.contains($0.slot) }
    }

    /// Returns the value that most parameters of a slot accept. Ties favor the most restrictive parameter.
    private func common(_ slot: PathSlot) -> Made? {
        var parameters: [Parameter] = []
        var known: Set<JSONValue> = []
        for use in chains.uses[slot] ?? [] where parameters.count < Self.comparedParameters {
            let operation = operations[use]
            for entry in operation.template.slots where entry.slot == slot {
                guard
                    let parameter = operation.parameters.first(where: { $0.location == .path && $0.name == entry.name }
                    ),
                    known.insert(parameter.node.value).inserted
                else { continue }
                parameters.append(parameter)
            }
        }
        let ranked = (0...2).flatMap { rank in parameters.filter { self.rank($0) == rank } }
        var best: (made: Made, count: Int)?
        for parameter in ranked {
            guard let (value, isGiven) = try? builder.value(of: parameter), value.arrayValue == nil,
                value.objectValue == nil
            else { continue }
            let count = parameters.count { accepts(value, $0) }
            if count > best?.count ?? 0 { best = (Made(value: value, isGiven: isGiven), count) }
            if count == parameters.count { break }
        }
        return best?.made
    }

    /// Returns the rank of a parameter by its freedom, starting with 0 for the most restrictive.
    private func rank(_ parameter: Parameter) -> Int {
        if !parameter.examples.isEmpty { return 0 }
        guard let schema = parameter.schema else { return 2 }
        let facts = facts([schema])
        if facts.allowed != nil || !facts.suggestions.isEmpty { return 0 }
        return facts.patterns.isEmpty && facts.format == nil && facts.types.contains(.string) ? 2 : 1
    }

    /// Returns whether a parameter accepts a value in a path, where every value is a string.
    private func accepts(_ value: JSONValue, _ parameter: Parameter) -> Bool {
        guard let schema = parameter.schema else { return parameter.content == nil }
        if builder.sampler.accepts(value, schema) { return true }
        switch value {
        case .number, .bool: return builder.sampler.accepts(.string(ParameterText.scalar(value)), schema)
        case .string(let text):
            return JSONNumber(literal: text).map { builder.sampler.accepts(.number($0), schema) } ?? false
        case .null, .array, .object: return false
        }
    }

    // MARK: Response values

    /// Returns the combined constraints of schemas for one value.
    func facts(_ schemas: [DescriptionNode]) -> SchemaConstraints {
        SchemaConstraints(of: schemas, in: builder.description)
    }

    /// Returns whether a parameter of an operation's path accepts the value of a response.
    private func isFilled(_ slot: PathSlot, of operation: Int, from source: ChainPlan.Source) -> Bool {
        operations[operation].template.slots.contains { entry in
            entry.slot == slot
                && operations[operation].parameters.contains {
                    $0.location == .path && $0.name == entry.name && isFilled($0, from: source)
                }
        }
    }

    /// Returns whether a parameter can take the value of a response, which must not allow more than the parameter.
    private func isFilled(_ parameter: Parameter, from source: ChainPlan.Source) -> Bool {
        guard let schema = parameter.schema, case .body(let tokens) = source.part else { return true }
        if let value = samples[source.operation].flatMap({ JSONPointer(tokens: tokens).evaluate(in: $0) }),
            !accepts(value, parameter)
        {
            return false
        }
        guard let given = facts(at: tokens, of: source.operation) else { return true }
        let own = facts([schema])
        if let allowed = own.allowed {
            guard let values = given.allowed, values.allSatisfy({ allowed.contains($0) }) else { return false }
        }
        if given.allowed == nil, !own.patterns.allSatisfy({ given.patterns.contains($0) }) { return false }
        let examples = own.suggestions + parameter.examples.compactMap(\.value)
        guard !examples.isEmpty else { return true }
        if own.format != nil, own.format != given.format { return false }
        // An example that is a name indicates that the parameter is not a number.
        if given.types.isSubset(of: .number) {
            return examples.contains { JSONNumber(literal: ParameterText.scalar($0)) != nil }
        }
        // A created resource fits, regardless of the example. An array element may be of another kind.
        guard source.isElement, given.format == nil, given.allowed == nil, given.patterns.isEmpty else { return true }
        let kinds = Set(examples.map { TextKind(ParameterText.scalar($0)) })
        let values = given.suggestions.map { TextKind(ParameterText.scalar($0)) }
        return kinds.contains(.word) || values.contains { kinds.contains($0) }
    }

    /// Returns the constraints of a value in a response, or `nil` if the value is not described.
    private func facts(at tokens: [String], of operation: Int) -> SchemaConstraints? {
        guard let schema = content[operation]?.schema else { return nil }
        var schemas = [schema]
        for token in tokens {
            let outer = facts(schemas)
            schemas = Int(token) != nil && outer.properties.isEmpty ? outer.items : outer.schemas(of: token)
            if schemas.isEmpty { return nil }
        }
        return facts(schemas)
    }
}

/// The position of a parameter in a path: `/things/{}`.
///
/// Parameters after the same path identify the same resource, regardless of their names.
struct PathSlot: Hashable {
    /// The path up to the end of the parameter, without parameter names.
    let prefix: String
}

extension PathTemplate {
    /// The names of the parameters with their slots, in order.
    var slots: [(name: String, slot: PathSlot)] {
        var slots: [(name: String, slot: PathSlot)] = []
        var prefix = ""
        for segment in segments {
            prefix += "/"
            for piece in segment {
                switch piece {
                case .literal(let text): prefix += text
                case .parameter(let name):
                    prefix += "{}"
                    slots.append((name, PathSlot(prefix: prefix)))
                }
            }
        }
        return slots
    }

    /// The slot of the parameter at the end of the path, or `nil` if the path ends differently.
    var lastSlot: PathSlot? {
        guard case .parameter? = segments.last?.last else { return nil }
        return slots.last?.slot
    }
}

/// The kind of a string, as indicated by its form.
enum TextKind {
    case number, uuid, date, address, uri
    /// Any other string.
    case word

    init(_ text: String) {
        if JSONNumber(literal: text) != nil {
            self = .number
        } else if Self.has(text, groups: [8, 4, 4, 4, 12], where: \.isHexDigit) {
            self = .uuid
        } else if Self.has(text.prefix { $0 != "T" }, groups: [4, 2, 2], where: \.isNumber) {
            self = .date
        } else if text.contains("://") {
            self = .uri
        } else if text.split(separator: "@", omittingEmptySubsequences: false).count == 2 {
            self = .address
        } else {
            self = .word
        }
    }

    /// Returns whether a string consists of groups of characters with given lengths, separated by hyphens.
    private static func has(
        _ text: some StringProtocol, groups: [Int], where isAllowed: (Character) -> Bool
    ) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == groups && parts.allSatisfy { $0.allSatisfy(isAllowed) }
    }
}
