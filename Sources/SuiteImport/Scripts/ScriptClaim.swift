import CEL
import RegularExpressions

/// A statement about a value in a script, such as that it equals another one.
struct ScriptClaim: Sendable {
    /// The statements, which are those of matchers.
    indirect enum Operation: Sendable {
        case equals(ScriptValue)
        case contains(ScriptValue)
        case startsWith(ScriptValue)
        case endsWith(ScriptValue)
        /// The members of an object are contained, with equal values.
        case like(ScriptValue)
        case matches(String)
        case oneOf([ScriptValue])
        case greater(ScriptValue), atLeast(ScriptValue), less(ScriptValue), atMost(ScriptValue)
        case between(ScriptValue, ScriptValue)
        case closeTo(ScriptValue, ScriptValue)
        /// The value has a type of the suite language.
        case type(String)
        /// A value exists, which may be null.
        case exists
        /// A value exists and is not null.
        case present
        case empty
        /// The value is not false, null, 0 or empty.
        case truth
        case length(Operation)
        /// An object has a member.
        case hasMember(ScriptValue)
        /// An object has exactly these members, or an array these elements in any order.
        case sameElements([ScriptValue], ofKeys: Bool)
        /// An array has these elements, and may have others.
        case includesAll([ScriptValue])
        /// The value satisfies a JSON Schema.
        case schema(ImportedValue)
    }

    /// The value.
    var subject: ScriptValue
    /// The statement.
    var operation: Operation

    init(_ subject: ScriptValue, _ operation: Operation) {
        self.subject = subject
        self.operation = operation
    }

    /// Whether the statement holds, if it is one about constants; otherwise nil.
    var result: Bool? {
        guard subject.isLiteral else { return nil }
        switch operation {
        case .equals(let value), .contains(let value), .startsWith(let value), .endsWith(let value),
            .greater(let value),
            .atLeast(let value), .less(let value), .atMost(let value):
            guard value.isLiteral else { return nil }
        default: return nil
        }
        guard let source = expression, case .bool(let holds)? = try? CELExpression(source).constantValue else {
            return nil
        }
        return holds
    }

    /// Whether the value is text that is missing rather than null.
    private var isText: Bool {
        switch subject {
        case .part(.header), .part(.cookie): true
        default: false
        }
    }

    /// The values that count as false.
    private static let falseValues = ImportedValue.sequence([.null, false, 0, ""])

    // MARK: Expectations

    /// Returns the expectation that the statement holds, or does not; nil if only an assertion can express it.
    func check(isNegated: Bool) -> ImportedCheck? {
        if case .part(.status) = subject { return statusCheck(isNegated: isNegated) }
        if case .typeName(let value) = subject {
            if let type = typeOfName { return ScriptClaim(value, type).check(isNegated: isNegated) }
            guard isUndefined else { return nil }
            return ScriptClaim(value, .exists).check(isNegated: !isNegated)
        }
        if case .length(let value) = subject {
            return ScriptClaim(value, .length(operation)).check(isNegated: isNegated)
        }
        if case .array(let values) = subject, case .contains(let value) = operation {
            // `expect([200, 201]).to.include(status)`
            return ScriptClaim(value, .oneOf(values)).check(isNegated: isNegated)
        }
        guard let matcher = matcher(operation) else { return nil }
        let result = isNegated ? absence ?? matcher.negated : matcher
        if case .body(let path) = subject {
            return path.check(result, isRequired: isNegated ? failsIfMissing : !isOfMissing)
        }
        return location.map { .matches($0, result) }
    }

    /// The part of the response that the value is; nil for a part of the body and for other values.
    private var location: ImportedCheck.Subject? {
        switch subject {
        case .part(.text): .text
        case .part(.content): .body
        case .part(.milliseconds): .duration
        case .part(.header(let name)) where MatcherOperands.isToken(name): .header(ImportedText(name))
        case .part(.cookie(let name)) where MatcherOperands.isToken(name): .cookie(ImportedText(name))
        default: nil
        }
    }

    /// Whether the statement is that a value is missing.
    private var isOfMissing: Bool {
        if case .equals(.undefined) = operation { true } else { false }
    }

    /// Whether the opposite of the statement fails if the value is missing.
    private var failsIfMissing: Bool {
        switch operation {
        case .equals: isOfMissing
        case .type, .oneOf, .matches, .exists, .present, .truth: false
        case .contains, .startsWith, .endsWith, .like, .greater, .atLeast, .less, .atMost, .between, .closeTo, .empty,
            .length, .hasMember, .sameElements, .includesAll, .schema:
            true
        }
    }

    /// The matcher of a value that is missing, null or empty, which is the opposite of some statements.
    private var absence: ImportedMatcher? {
        let empty: ImportedValue
        switch operation {
        case .present where !isText: empty = .null
        case .truth: empty = subject.kind == .string ? .map([("empty", true)]) : .map([("oneOf", Self.falseValues)])
        default: return nil
        }
        return ImportedMatcher(.either, .sequence([.map([("exists", false)]), empty]))
    }

    private func statusCheck(isNegated: Bool) -> ImportedCheck? {
        switch operation {
        case .equals(let value):
            if let text = value.literalText {
                guard MatcherOperands.isStatus(text) else { return nil }
                return isNegated ? .statusMatches(ImportedMatcher(.not, .plain(text))) : .status([text])
            }
        case .oneOf(let values):
            let texts = values.compactMap(\.literalText).filter(MatcherOperands.isStatus)
            guard texts.count == values.count, !texts.isEmpty else { return nil }
            if !isNegated { return .status(texts) }
            return .statusMatches(ImportedMatcher(.not, .sequence(texts.map { .plain($0) })))
        case .between(let low, let high):
            if let low = low.literalText.flatMap({ Int($0) }), let high = high.literalText.flatMap({ Int($0) }),
                low % 100 == 0, high % 100 == 99, low < high, low >= 100, high <= 599
            {
                let classes = (low / 100...high / 100).map { "\($0)xx" }
                if !isNegated { return .status(classes) }
                return .statusMatches(ImportedMatcher(.not, .sequence(classes.map { .literal($0) })))
            }
        case .greater, .atLeast, .less, .atMost: break
        default: return nil
        }
        guard let matcher = matcher(operation) else { return nil }
        return .statusMatches(isNegated ? matcher.negated : matcher)
    }

    /// The statement about a value whose `typeof` is compared.
    private var typeOfName: Operation? {
        guard case .equals(let value) = operation, let name = value.literalText else { return nil }
        return Self.type(named: name)
    }

    /// Returns the statement that a value has a type of JavaScript.
    static func type(named name: String) -> Operation? {
        switch name.lowercased() {
        case "string", "number", "boolean", "array", "object", "null": .type(name.lowercased())
        case "integer": .type("integer")
        default: nil
        }
    }

    /// Whether the value is compared with `"undefined"`.
    private var isUndefined: Bool {
        if case .equals(let name) = operation { name.literalText == "undefined" } else { false }
    }

    private func value(_ value: ScriptValue) -> ImportedValue? {
        guard case .part(.milliseconds) = subject else { return value.imported }
        if case .number(let number) = value, (Int(number) ?? -1) >= 0 {
            return .literal(number.hasSuffix("000") ? "\(number.dropLast(3))s" : "\(number)ms")
        }
        return nil
    }

    private func matcher(_ operation: Operation) -> ImportedMatcher? {
        func single(_ name: ImportedMatcher.Operator, _ operand: ScriptValue) -> ImportedMatcher? {
            value(operand).map { ImportedMatcher(name, $0) }
        }
        func list(_ values: [ScriptValue]) -> [ImportedValue]? {
            let result = values.compactMap(value)
            return result.count == values.count ? result : nil
        }
        if case .part(.milliseconds) = subject, !operation.isOfQuantity { return nil }
        switch operation {
        case .equals(.undefined): return ImportedMatcher(.exists, false)
        case .equals(.null) where isText: return ImportedMatcher(.exists, false)
        case .equals(let operand): return single(.equals, operand)
        case .contains(let operand): return single(.contains, operand)
        case .startsWith(let operand): return MatcherOperands.isText(operand) ? single(.startsWith, operand) : nil
        case .endsWith(let operand): return MatcherOperands.isText(operand) ? single(.endsWith, operand) : nil
        case .like(let operand):
            if case .object(let members) = operand, members.contains(where: { $0.name == "$match" }) { return nil }
            return single(.like, operand)
        case .matches(let pattern): return ImportedMatcher(.matches, .literal(pattern))
        case .oneOf(let values):
            return values.isEmpty ? nil : list(values).map { ImportedMatcher(.oneOf, .sequence($0)) }
        case .greater(let operand): return MatcherOperands.isOrdered(operand) ? single(.gt, operand) : nil
        case .atLeast(let operand): return MatcherOperands.isOrdered(operand) ? single(.gte, operand) : nil
        case .less(let operand): return MatcherOperands.isOrdered(operand) ? single(.lt, operand) : nil
        case .atMost(let operand): return MatcherOperands.isOrdered(operand) ? single(.lte, operand) : nil
        case .between(let low, let high):
            guard MatcherOperands.areBounds(low, high) else { return nil }
            return list([low, high]).map { ImportedMatcher(.between, .sequence($0)) }
        case .closeTo(let center, let distance):
            guard MatcherOperands.isNumber(center, isDistance: false),
                MatcherOperands.isNumber(distance, isDistance: true)
            else { return nil }
            guard let center = value(center), let distance = value(distance) else { return nil }
            return ImportedMatcher(.closeTo, .map([("value", center), ("within", distance)]))
        case .type(let name): return ImportedMatcher(.type, .literal(name))
        case .exists: return ImportedMatcher(.exists, true)
        case .present: return isText ? ImportedMatcher(.exists, true) : ImportedMatcher(.not, .null)
        case .empty: return ImportedMatcher(.empty, true)
        case .truth where subject.kind == .string: return ImportedMatcher(.empty, false)
        case .truth: return ImportedMatcher(.not, .map([("oneOf", Self.falseValues)]))
        case .length(let inner):
            if case .equals(let value) = inner, !MatcherOperands.isLength(value) { return nil }
            guard let matcher = matcher(inner) else { return nil }
            // In scripts, an object has no length. A matcher would count its members.
            switch subject {
            case .body(let path) where path.steps.isEmpty:
                return ImportedMatcher(.type, "array").and(.length, matcher.value)
            case .part(.content):
                return ImportedMatcher(.type, .sequence(["array", "string"])).and(.length, matcher.value)
            default: return ImportedMatcher(.length, matcher.value)
            }
        case .hasMember(let name): return single(.contains, name)
        case .sameElements: return nil
        case .schema(let schema): return ImportedMatcher(.schema, schema)
        case .includesAll(let values):
            guard let values = list(values), !values.isEmpty else { return nil }
            return ImportedMatcher(.all, .sequence(values.map { .map([("contains", $0)]) }))
        }
    }

    // MARK: Assertions

    /// The statement as a CEL expression; nil if there is none.
    var expression: String? {
        switch (subject, operation) {
        case (.typeName(let value), _):
            guard let type = typeOfName else { return existenceOfType(value) }
            return ScriptClaim(value, type).expression
        case (.body(let path), .exists): return path.existence
        case (.body(let path), .present):
            guard let exists = path.existence, let source = path.expression else { return nil }
            return path.steps.isEmpty ? "\(source) != null" : "\(exists) && \(source) != null"
        case (.body(let path), .truth):
            guard let exists = path.existence, let source = path.expression else { return nil }
            let test = "!(\(source) in [null, false, 0, \"\"])"
            return path.steps.isEmpty ? test : "\(exists) && \(test)"
        case (.selected(let selection), .exists): return selection.existence?.expression ?? "true"
        case (.selected(let selection), .type("string")) where selection.isScalarText:
            return selection.existence?.expression ?? "true"
        case (.selected(let selection), .equals(.undefined)): return selection.existence?.negated.expression ?? "false"
        case (.selected(let selection), .present): return presence(selection)?.expression
        case (.selected(let selection), .truth) where selection.truth != nil: return selection.truth?.expression
        case (.body(let path), .equals(.undefined)):
            return path.existence.map { ScriptValue.isSimple($0) ? "!\($0)" : "!(\($0))" }
        case (.part(.header(let name)), .exists), (.part(.header(let name)), .present):
            return "has(headers[\(ImportedNames.literal(name.lowercased()))])"
        case (.part(.header(let name)), .truth):
            return "has(headers[\(ImportedNames.literal(name.lowercased()))])"
        case (.part(.cookie(let name)), .exists), (.part(.cookie(let name)), .present),
            (.part(.cookie(let name)), .truth):
            return "\(ImportedNames.literal(name)) in cookies"
        case (.part(.milliseconds), .less(let value)): return duration("<", value)
        case (.part(.milliseconds), .atMost(let value)): return duration("<=", value)
        case (.part(.milliseconds), .greater(let value)): return duration(">", value)
        case (.part(.milliseconds), .atLeast(let value)): return duration(">=", value)
        default: break
        }
        guard let subject = subject.operand else { return nil }
        return Self.expression(subject, operation, self.subject.kind)
    }

    /// The condition that a value exists and is not null.
    private func presence(_ selection: ScriptValue.Selection) -> ScriptCondition? {
        let claim = ScriptClaim(.computed(selection.source, .any), .equals(.null))
        let isNotNull = ScriptCondition.claim(claim).negated
        guard let existence = selection.existence else { return isNotNull }
        return existence.expression == isNotNull.expression ? isNotNull : .and(existence, isNotNull)
    }

    /// The opposite statement, if it has a notation of its own.
    var negatedExpression: String? {
        if case .selected(let selection) = subject {
            switch operation {
            case .exists: return selection.existence?.negated.expression ?? "false"
            case .equals(.undefined): return selection.existence?.expression ?? "true"
            case .present: return presence(selection)?.negated.expression
            default: break
            }
        }
        if case .typeName = subject { return nil }
        if case .part(.milliseconds) = subject { return nil }
        func compared(_ name: String, _ value: ScriptValue) -> String? {
            guard let left = subject.operand, let right = value.operand else { return nil }
            // Nothing is compared with a member that an element does not have.
            if case .selected(let selection) = subject, let missing = selection.existence?.negated.expression {
                let isPlain = missing.hasPrefix("!") && ScriptValue.isSimple(String(missing.dropFirst()))
                return "\(isPlain ? missing : ScriptValue.operand(missing)) || \(left) \(name) \(right)"
            }
            return "\(left) \(name) \(right)"
        }
        switch (operation, subject) {
        case (.equals(.undefined), .body(let path)): return path.existence
        case (.equals(let value), _): return compared("!=", value)
        case (.greater(let value), _): return compared("<=", value)
        case (.atLeast(let value), _): return compared("<", value)
        case (.less(let value), _): return compared(">=", value)
        case (.atMost(let value), _): return compared(">", value)
        case (.truth, .body(let path)):
            guard let exists = path.existence, let source = path.expression else { return nil }
            let test = "\(source) in [null, false, 0, \"\"]"
            return path.steps.isEmpty ? test : "!\(ScriptValue.operand(exists)) || \(test)"
        case (.truth, .computed), (.truth, .selected):
            guard subject.kind == .any else { return nil }
            return subject.operand.map { "\($0) in [null, false, 0, \"\"]" }
        default: return nil
        }
    }

    /// The comparison of `typeof value` with `"undefined"`.
    private func existenceOfType(_ value: ScriptValue) -> String? {
        guard isUndefined else { return nil }
        return ScriptClaim(value, .exists).expression.map { ScriptValue.isSimple($0) ? "!\($0)" : "!(\($0))" }
    }

    private func duration(_ name: String, _ value: ScriptValue) -> String? {
        guard case .number(let number) = value, (Int(number) ?? -1) >= 0 else {
            return ScriptValue.part(.milliseconds).operand.flatMap { left in
                value.operand.map { "\(left) \(name) \($0)" }
            }
        }
        return "duration \(name) duration(\"\(number)ms\")"
    }

    private static let typeTests: [String: String] = [
        "string": "type(%) == string", "number": "type(%) in [int, double]", "integer": "type(%) == int",
        "boolean": "type(%) == bool", "array": "type(%) == list", "object": "type(%) == map", "null": "% == null",
    ]

    private static func expression(_ subject: String, _ operation: Operation, _ kind: ScriptValue.Kind) -> String? {
        func binary(_ name: String, _ value: ScriptValue) -> String? {
            value.operand.map { "\(subject) \(name) \($0)" }
        }
        func call(_ name: String, _ value: ScriptValue) -> String? {
            value.expression.map { "\(subject).\(name)(\($0))" }
        }
        func list(_ values: [ScriptValue]) -> String? { ScriptValue.array(values).expression }
        switch operation {
        case .equals(let value): return binary("==", value)
        case .contains(let value):
            switch kind {
            case .string: return call("contains", value)
            case .list: return value.operand.map { "\($0) in \(subject)" }
            case .any, .number, .bool:
                guard let source = value.expression, let operand = value.operand else { return nil }
                if value.kind == .string {
                    return "(type(\(subject)) == string ? \(subject).contains(\(source)) : \(operand) in \(subject))"
                }
                return "\(operand) in \(subject)"
            }
        case .startsWith(let value): return call("startsWith", value)
        case .endsWith(let value): return call("endsWith", value)
        case .like(.object(let members)):
            let parts = members.map { member in
                member.value.operand.map { "\(subject)[\(ImportedNames.literal(member.name))] == \($0)" }
            }
            return parts.contains { $0 == nil } || parts.isEmpty
                ? nil : parts.compactMap { $0 }.joined(separator: " && ")
        case .like, .schema: return nil
        case .matches(let pattern):
            guard (try? RegularExpression(pattern, dialect: .re2)) != nil else { return nil }
            return "\(subject).matches(\(ImportedNames.literal(pattern)))"
        case .oneOf(let values): return list(values).map { "\(subject) in \($0)" }
        case .greater(let value): return binary(">", value)
        case .atLeast(let value): return binary(">=", value)
        case .less(let value): return binary("<", value)
        case .atMost(let value): return binary("<=", value)
        case .between(let low, let high):
            guard let low = low.operand, let high = high.operand else { return nil }
            return "\(subject) >= \(low) && \(subject) <= \(high)"
        case .closeTo(let center, let distance):
            guard let center = center.operand, let distance = distance.operand else { return nil }
            return "math.abs(\(subject) - \(center)) <= \(distance)"
        case .type(let name):
            guard let test = typeTests[name] else { return nil }
            return test.split(separator: "%", omittingEmptySubsequences: false).joined(separator: subject)
        case .exists, .present: return "\(subject) != null"
        case .empty: return "size(\(subject)) == 0"
        case .truth:
            switch kind {
            case .bool: return subject
            case .string: return "\(subject) != \"\""
            case .number: return "\(subject) != 0"
            case .list: return "type(\(subject)) == list"
            case .any: return "!(\(subject) in [null, false, 0, \"\"])"
            }
        case .length(let inner): return expression("size(\(subject))", inner, .number)
        case .hasMember(let name): return name.operand.map { "\($0) in \(subject)" }
        case .sameElements(let values, let isOfKeys):
            guard let list = list(values) else { return nil }
            return "sets.equivalent(\(isOfKeys ? "\(subject).keys()" : subject), \(list))"
        case .includesAll(let values): return list(values).map { "sets.contains(\(subject), \($0))" }
        }
    }
}

extension ScriptClaim.Operation {
    /// Whether the statement can be about a duration.
    fileprivate var isOfQuantity: Bool {
        switch self {
        case .equals, .oneOf, .greater, .atLeast, .less, .atMost, .between, .closeTo, .exists: true
        case .contains, .startsWith, .endsWith, .like, .matches, .type, .present, .empty, .truth, .length, .hasMember,
            .sameElements, .schema, .includesAll:
            false
        }
    }
}
