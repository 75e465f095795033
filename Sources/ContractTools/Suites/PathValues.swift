import JSON
import OpenAPI

/// The values of the path parameters of a suite: one for each slot, unless a parameter's own schema refuses it.
struct PathValues {
    /// The value of a path parameter.
    enum Value {
        /// A value that a response has.
        case captured(ChainPlan.Source)
        /// A value of the description, or a made-up one; shared by the parameters of the slot or the parameter's own.
        case made(JSONValue, isGiven: Bool, isShared: Bool)
    }

    private struct Made {
        var value: JSONValue
        var isGiven: Bool
    }

    /// How many different parameters of a slot are compared.
    private static let comparedParameters = 16

    private let builder: TestBuilder
    private let operations: [Operation]
    let chains: ChainPlan
    /// The content of each operation's successful response.
    private let content: [Int: MediaType]
    private let samples: [Int: JSONValue]
    private var shared: [PathSlot: Made] = [:]
    private var certain: [Int: Bool] = [:]
    /// The values of responses that are in the path of a test.
    private(set) var used: Set<ChainPlan.Source> = []

    /// Chooses the values of all slots.
    init(
        _ builder: TestBuilder, _ operations: [Operation], _ chains: ChainPlan, content: [Int: MediaType],
        samples: [Int: JSONValue]
    ) {
        self.builder = builder
        self.operations = operations
        self.chains = chains
        self.content = content
        self.samples = samples
        for slot in chains.slots {
            shared[slot] = common(slot)
            guard let source = chains.sources[slot], !used.contains(source) else { continue }
            if (chains.uses[slot] ?? []).contains(where: { isFilled(slot, of: $0, from: source) }) {
                used.insert(source)
            }
        }
    }

    /// The made-up value that the parameters of a slot share.
    func shared(_ slot: PathSlot) -> JSONValue? { shared[slot]?.value }

    /// The value of a path parameter.
    ///
    /// - Throws: Why there is none.
    func value(of parameter: Parameter, in slot: PathSlot) throws(SampleFailure) -> Value {
        if let source = chains.sources[slot], isFilled(parameter, from: source) { return .captured(source) }
        if let made = shared[slot], accepts(made.value, parameter) {
            return .made(made.value, isGiven: made.isGiven, isShared: true)
        }
        let (value, isGiven) = try builder.value(of: parameter)
        return .made(value, isGiven: isGiven, isShared: false)
    }

    /// Whether everything that an operation's path names exists on a server that follows the description.
    ///
    /// Made-up values need not. Elements of lists, which may be empty, do: without one there is no test.
    mutating func isCertain(_ operation: Int) -> Bool {
        if let known = certain[operation] { return known }
        // A cycle would be a fault of the plan; it ends here.
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

    /// The elements of lists that an operation's path names.
    func elements(of operation: Int) -> [ChainPlan.Source] {
        operations[operation].template.slots.compactMap { name, slot in
            let parameter = operations[operation].parameters.first { $0.location == .path && $0.name == name }
            guard let source = chains.sources[slot], source.isElement, let parameter,
                isFilled(parameter, from: source)
            else { return nil }
            return source
        }
    }

    /// Whether a parameter's schema lists its values.
    private func isListed(_ parameter: Parameter) -> Bool {
        guard let schema = parameter.schema else { return false }
        let facts = facts([schema])
        return facts.allowed != nil || facts.types == .boolean
    }

    // MARK: Shared values

    /// The value that most parameters of a slot accept; of the narrowest one where several do.
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

    /// How little a parameter leaves open: 0 for the least.
    private func rank(_ parameter: Parameter) -> Int {
        if !parameter.examples.isEmpty { return 0 }
        guard let schema = parameter.schema else { return 2 }
        let facts = facts([schema])
        if facts.allowed != nil || !facts.suggestions.isEmpty { return 0 }
        return facts.patterns.isEmpty && facts.format == nil && facts.types.contains(.string) ? 2 : 1
    }

    /// Whether a value in a path is one that a parameter allows; there everything is text.
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

    // MARK: Values of responses

    /// What schemas say of one value.
    func facts(_ schemas: [DescriptionNode]) -> SchemaFacts { SchemaFacts(of: schemas, in: builder.description) }

    /// Whether a parameter of an operation's path takes what a response gives.
    private func isFilled(_ slot: PathSlot, of operation: Int, from source: ChainPlan.Source) -> Bool {
        operations[operation].template.slots.contains { entry in
            entry.slot == slot
                && operations[operation].parameters.contains {
                    $0.location == .path && $0.name == entry.name && isFilled($0, from: source)
                }
        }
    }

    /// Whether a parameter takes what a response gives: not where the response allows more than the parameter does.
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
        // An example that is a name says that the parameter is no number.
        if given.types.isSubset(of: .number) {
            return examples.contains { JSONNumber(literal: ParameterText.scalar($0)) != nil }
        }
        // What was created is what is meant, whatever the example is. An element of a list may be of another kind.
        guard source.isElement, given.format == nil, given.allowed == nil, given.patterns.isEmpty else { return true }
        let kinds = Set(examples.map { TextKind(ParameterText.scalar($0)) })
        let values = given.suggestions.map { TextKind(ParameterText.scalar($0)) }
        return kinds.contains(.word) || values.contains { kinds.contains($0) }
    }

    /// The description of a value in a response; nil where there is none.
    private func facts(at tokens: [String], of operation: Int) -> SchemaFacts? {
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

/// The part of a path that a parameter fills: `/things/{}`.
///
/// Parameters after the same path name the same resource, whatever each of them is called.
struct PathSlot: Hashable {
    /// The path up to the end of the parameter, with every name left out.
    let prefix: String
}

extension PathTemplate {
    /// The names of the parameters with the parts of the path that they fill, in order.
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

    /// The part of the path that the parameter at its end fills; nil for a path that ends otherwise.
    var lastSlot: PathSlot? {
        guard case .parameter? = segments.last?.last else { return nil }
        return slots.last?.slot
    }
}

/// The kind of a text, as far as its form shows it.
enum TextKind {
    case number, uuid, date, address, uri
    /// Any other text.
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

    /// Whether a text has groups of characters of these lengths, with hyphens between them.
    private static func has(
        _ text: some StringProtocol, groups: [Int], where isAllowed: (Character) -> Bool
    ) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == groups && parts.allSatisfy { $0.allSatisfy(isAllowed) }
    }
}
