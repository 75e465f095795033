/// An assertion in the style of Chai, such as `expect(x).to.be.an("array").that.is.not.empty`.
struct ChaiChain: Sendable {
    /// The value that the next assertion is about.
    var subject: ScriptValue
    /// Whether `not` stands before.
    var isNegated = false
    /// Whether `deep` stands before.
    var isDeep = false
    /// Whether `nested` stands before.
    var isNested = false
    /// Whether `any` stands before.
    var isAny = false
    /// Whether `include` or `contain` stands before as a word, as in `to.include.keys`.
    var isPartial = false
    /// Whether a method stands before without a call, as in `to.be.string`.
    var isUncalled = false
    /// Whether the value is known to be an array.
    var isArray = false
    /// The conditions so far.
    var conditions: [ScriptCondition] = []

    /// Creates the start of an assertion.
    init(_ subject: ScriptValue) { self.subject = subject }

    /// The words without a meaning.
    private static let words: Set<String> = [
        "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "but", "does",
        "still", "also", "own", "all", "ordered", "a", "an",
    ]

    /// The methods that do nothing unless they are called.
    private static let methods: Set<String> = [
        "string", "equal", "equals", "eq", "eql", "eqls", "match", "matches", "property", "keys", "members", "oneOf",
        "above",
        "below", "least", "most", "within", "closeTo", "instanceof", "instanceOf", "satisfy", "throw",
    ]

    /// Whether the value is the whole response.
    var isResponse: Bool {
        if case .host("pm.response") = subject { true } else { false }
    }

    /// Adds a statement about the value.
    mutating func add(_ operation: ScriptClaim.Operation) { add(.claim(ScriptClaim(subject, operation))) }

    /// Adds a condition, which `not` inverts.
    mutating func add(_ condition: ScriptCondition) { conditions.append(isNegated ? condition.negated : condition) }

    // MARK: Properties

    /// Returns the assertion after a word; nil if it is unknown.
    func property(_ name: String) -> ChaiChain? {
        var result = self
        if Self.words.contains(name) { return result }
        switch name {
        case "not": result.isNegated = true
        case "deep": result.isDeep = true
        case "nested": result.isNested = true
        case "any": result.isAny = true
        case "include", "includes", "contain", "contains": result.isPartial = true
        case "length", "lengthOf": result.subject = .length(subject)
        case "true": result.add(.equals(.bool(true)), orTruth: false)
        case "false": result.add(.equals(.bool(false)), orTruth: true)
        case "null": result.add(.equals(.null))
        case "undefined": result.add(.equals(.undefined))
        case "exist", "exists": result.add(.present)
        case "empty": result.add(.empty)
        case "ok": if isResponse { return responseProperty(name) } else { result.add(.truth(subject)) }
        case "NaN": result.add(.equals(.opaque("NaN")))
        case "finite": result.add(.type("number"))
        default:
            if isResponse { return responseProperty(name) }
            guard Self.methods.contains(name) else { return nil }
            result.isUncalled = true
        }
        return result
    }

    /// Adds the statement that a value is true or false, which for a condition is the condition itself.
    private mutating func add(_ operation: ScriptClaim.Operation, orTruth isOpposite: Bool) {
        if case .condition(let condition) = subject {
            add(isOpposite ? condition.negated : condition)
        } else if case .computed(_, .bool) = subject {
            add(isOpposite ? ScriptCondition.truth(subject).negated : .truth(subject))
        } else if case .bool(let value) = subject {
            add(.constant(value != isOpposite))
        } else {
            add(operation)
        }
    }

    // MARK: Methods

    /// Returns the assertion after a call; nil if it is unknown.
    func method(_ name: String, _ arguments: [ScriptValue]) -> ChaiChain? {
        if isResponse, let result = responseMethod(name, arguments) { return result }
        var result = self
        let first = arguments.first
        switch name {
        case "equal", "equals", "eq", "eql", "eqls", "equalIgnoreCase":
            guard let first, name != "equalIgnoreCase" else { return nil }
            if case .bool(let value) = first {
                result.add(.equals(first), orTruth: !value)
            } else {
                result.add(.equals(first))
            }
        case "include", "includes", "contain", "contains":
            guard let first else { return nil }
            result.include(first)
        case "string":
            guard let first else { return nil }
            result.add(.contains(first))
        case "match", "matches":
            guard case .pattern(let pattern)? = first else { return nil }
            result.add(.matches(pattern))
        case "a", "an":
            guard let name = first?.literalText else { return nil }
            if name == "undefined" {
                result.add(.equals(.undefined))
            } else {
                guard let operation = ScriptClaim.type(named: name) else { return nil }
                result.add(operation)
                if name.lowercased() == "array" { result.isArray = true }
            }
        case "instanceof", "instanceOf":
            guard case .host(let name)? = first, let operation = ScriptClaim.type(named: name) else { return nil }
            result.add(operation)
        case "property", "ownProperty", "haveOwnProperty": return addingProperty(arguments)
        case "nestedProperty":
            result.isNested = true
            return result.addingProperty(arguments)
        case "lengthOf", "length":
            guard let first else { return nil }
            result.add(.claim(ScriptClaim(.length(subject), .equals(first))))
        case "above", "gt", "greaterThan": return adding(first) { .greater($0) }
        case "least", "gte", "greaterThanOrEqual": return adding(first) { .atLeast($0) }
        case "below", "lt", "lessThan": return adding(first) { .less($0) }
        case "most", "lte", "lessThanOrEqual": return adding(first) { .atMost($0) }
        case "within":
            guard arguments.count > 1 else { return nil }
            result.add(.between(arguments[0], arguments[1]))
        case "closeTo", "approximately":
            guard arguments.count > 1 else { return nil }
            result.add(.closeTo(arguments[0], arguments[1]))
        case "oneOf":
            guard case .array(let values)? = first else { return nil }
            result.add(.oneOf(values))
        case "keys", "key": return addingKeys(arguments)
        case "members":
            guard case .array(let values)? = first else { return nil }
            result.add(isPartial ? .includesAll(values) : .sameElements(values, ofKeys: false))
        case "true", "false", "null", "undefined", "exist", "empty", "ok": return property(name)
        case "jsonSchema":
            guard let schema = first.flatMap(MatcherOperands.schemaWithFormats) else { return nil }
            if case .body(let path) = root, path.steps.isEmpty {
                result.add(ScriptCondition.schema(schema))
            } else {
                result.add(.claim(ScriptClaim(root, .schema(schema))))
            }
        case "jsonBody":
            switch first {
            case nil: result.add(.exists)
            case .object?, .array?: result.add(.equals(arguments[0]))
            case .some:
                result.isNested = true
                return result.addingProperty(arguments)
            }
        default: return nil
        }
        return result
    }

    private func adding(_ value: ScriptValue?, _ operation: (ScriptValue) -> ScriptClaim.Operation) -> ChaiChain? {
        guard let value else { return nil }
        var result = self
        result.add(operation(value))
        return result
    }

    private mutating func include(_ value: ScriptValue) {
        if case .object = value {
            if isArray || subject.kind == .list {
                add(.contains(value))
            } else if isDeep {
                // The value may be an array with such an element, or an object with these members.
                add(.or(.claim(ScriptClaim(subject, .contains(value))), .claim(ScriptClaim(subject, .like(value)))))
            } else {
                add(.like(value))
            }
        } else {
            add(.contains(value))
        }
    }

    /// The value, with the body as JSON.
    private var root: ScriptValue {
        if case .part(.content) = subject { .body(BodyPath(steps: [])) } else { subject }
    }

    private func addingProperty(_ arguments: [ScriptValue]) -> ChaiChain? {
        guard let name = arguments.first?.literalText else { return nil }
        var result = self
        switch subject {
        case .part(.content):
            var chain = self
            chain.subject = root
            return chain.addingProperty(arguments)
        case .host(let path) where path == "res.headers" || path == "responseHeaders":
            guard MatcherOperands.isToken(name) else { return nil }
            result.subject = .part(.header(name))
            result.add(arguments.count > 1 ? .equals(arguments[1]) : .exists)
        case .body(let path):
            guard let next = isNested ? BodyPath(dotted: name, in: path) : path.appending(.name(name)) else {
                return nil
            }
            result.subject = .body(next)
            if arguments.count > 1 {
                result.add(.equals(arguments[1]))
            } else if path.isPlural {
                // A path would skip the elements without the member.
                result.conditions.append(
                    isNegated
                        ? ScriptCondition.claim(ScriptClaim(subject, .hasMember(.literal(name)))).negated
                        : .claim(ScriptClaim(subject, .hasMember(.literal(name)))))
            } else {
                result.add(.exists)
            }
        case .selected(let selection):
            var chain = self
            chain.subject = .computed(selection.source, .any)
            return chain.addingProperty(arguments)
        case .computed(let source, _):
            let name = ScriptValue.literal(name)
            guard let key = name.expression, let operand = subject.operand else { return nil }
            result.subject = .computed("\(operand)[\(key)]", .any)
            let claim = ScriptClaim(.computed(source, .any), .hasMember(name))
            result.add(arguments.count > 1 ? .claim(ScriptClaim(result.subject, .equals(arguments[1]))) : .claim(claim))
        case .object(let members):
            let member = members.first { $0.name == name }?.value
            result.subject = member ?? .undefined
            result.add(.constant(member != nil))
        default: return nil
        }
        return result
    }

    private func addingKeys(_ arguments: [ScriptValue]) -> ChaiChain? {
        var names: [ScriptValue] = []
        for argument in arguments {
            switch argument {
            case .array(let values): names += values
            case .object(let members): names += members.map { .literal($0.name) }
            case .text: names.append(argument)
            default: return nil
            }
        }
        guard !names.isEmpty else { return nil }
        var result = self
        let claims = names.map { ScriptCondition.claim(memberClaim($0)) }
        if isAny {
            result.add(claims.dropFirst().reduce(claims[0]) { .or($0, $1) })
        } else if isPartial {
            result.add(claims.dropFirst().reduce(claims[0]) { .and($0, $1) })
        } else {
            result.add(.sameElements(names, ofKeys: true))
        }
        return result
    }

    private func memberClaim(_ name: ScriptValue) -> ScriptClaim {
        if case .body(let path) = subject, !path.isPlural, let name = name.literalText {
            return ScriptClaim(.body(path.appending(.name(name))), .exists)
        }
        return ScriptClaim(subject, .hasMember(name))
    }
}
