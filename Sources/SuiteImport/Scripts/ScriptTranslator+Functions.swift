import JSON

/// Functions that JavaScript, libraries and the tool provide.
extension ScriptTranslator {
    /// The maximum pause in milliseconds.
    private static let maximumDelay = 3_600_000

    /// Returns the result of a function of the environment.
    mutating func call(
        _ function: ScriptDialect.Function, _ path: String, _ arguments: [JSExpression], _ range: Range<Int>
    ) -> ScriptValue {
        let values = arguments.map { evaluate($0) }
        let first = values.first ?? .undefined
        let reason = first.opaqueReason ?? path
        func computed(_ template: (String) -> String, _ kind: ScriptValue.Kind) -> ScriptValue {
            first.expression.map { .computed(template($0), kind) } ?? .opaque(reason)
        }
        func operand(_ template: (String) -> String, _ kind: ScriptValue.Kind) -> ScriptValue {
            first.operand.map { .computed(template($0), kind) } ?? .opaque(reason)
        }
        func claim(_ operation: ScriptClaim.Operation) -> ScriptValue {
            .condition(.claim(ScriptClaim(first, operation)))
        }
        if phase == .beforeRequest, Self.isOfResponse(function) { return .opaque(path) }
        switch function {
        case .test:
            if values.count < 2 {
                outcome.omitted.append("tests without a function")
                return .undefined
            }
            run(values[1], [], arguments[1].range)
            return .undefined
        case .expect: return .chain(ChaiChain(first))
        case .fail:
            if !isCaught() { require([.constant(false)], range, reason: path) }
            return .undefined
        case .assertion:
            guard let condition = condition(first) else { return .opaque(reason) }
            if !isCaught() { require([condition], range, reason: reason) }
            return .undefined
        case .json:
            readsJSON = true
            return .body(BodyPath(steps: []))
        case .text: return .part(.text)
        case .statusText: return .part(.reason)
        case .header: return first.literalText.map { .part(.header($0)) } ?? .opaque(reason)
        case .headerExists:
            return first.literalText.map { .condition(.claim(ScriptClaim(.part(.header($0)), .exists))) }
                ?? .opaque(reason)
        case .cookie: return first.literalText.map { .part(.cookie($0)) } ?? .opaque(reason)
        case .cookieExists:
            return first.literalText.map { .condition(.claim(ScriptClaim(.part(.cookie($0)), .exists))) }
                ?? .opaque(reason)
        case .textContains: return .condition(.claim(ScriptClaim(.part(.text), .contains(first))))
        case .get, .set, .unset, .exists, .replace:
            let result = variable(function, path, values, range)
            if case .set = function, arguments.count > 1 { shareMadeUp(arguments[1], values[1]) }
            return result
        case .value(let value): return value
        case .load:
            guard let name = first.literalText else { return .opaque(path) }
            return .host(name == "lodash" ? "_" : name)
        case .query:
            guard let text = first.literalText, let result = BodyPath(dotted: text) else { return .opaque(reason) }
            return .body(result)
        case .environment:
            return first.expression.map { .computed("env(\($0))", .string) } ?? .opaque(reason)
        case .stop:
            guard guards.isEmpty else { return .opaque(path) }
            outcome.next = ScriptOutcome.Next.none
            return .undefined
        case .next: return next(first, path)
        case .send: return send(values, path)
        case .change(let function): return change(function, values, reason)
        case .requestBody: return requestBodyValue ?? .opaque(path)
        case .request(let part): return request.value(of: part, first.literalText) ?? .opaque(reason)
        case .wait(let position):
            if case .function(let function) = first { _ = call(function, []) }
            guard guards.isEmpty, values.count > position, let time = values[position].literalText.flatMap({ Int($0) }),
                (0...Self.maximumDelay).contains(time), outcome.delay <= Self.maximumDelay
            else { return .opaque(path) }
            outcome.delay += time
            return .undefined
        case .nothing: return .undefined
        case .skip:
            if guards.isEmpty { outcome.isSkipped = true } else { return .opaque(path) }
            return .undefined
        case .output(let kind):
            outcome.omitted.append(kind)
            return .undefined
        case .parse: return parsed(first, reason)
        case .stringify: return computed({ "json.stringify(\($0))" }, .string)
        case .keys:
            if case .object(let members) = first { return .array(members.map { .literal($0.name) }) }
            return operand({ "\($0).keys()" }, .list)
        case .values: return operand({ "\($0).values()" }, .list)
        case .isArray: return claim(.type("array"))
        case .isString: return claim(.type("string"))
        case .isNumber: return claim(.type("number"))
        case .isBoolean: return claim(.type("boolean"))
        case .isObject: return claim(.type("object"))
        case .isNull: return claim(.equals(.null))
        case .isEmpty: return claim(.empty)
        case .isEqual: return values.count > 1 ? claim(.equals(values[1])) : .opaque(path)
        case .contains: return values.count > 1 ? claim(.contains(values[1])) : .opaque(path)
        case .isNaN: return claim(.type("number")).negated
        case .string: return computed({ "string(\($0))" }, .string)
        case .number:
            let isInteger = path == "parseInt" || path == "Number.parseInt"
            if isInteger, case .computed(let source, .number) = first,
                source.contains("random(0.0") || source.contains(" / ")
            {
                return truncated(source) ?? .computed("int(\(source))", .number)
            }
            return number(first) ?? computed({ "\(isInteger ? "int" : "double")(\($0))" }, .number)
        case .round, .truncate:
            if case .computed(let source, _) = first, let value = truncated(source) { return value }
            return computed({ "int(math.\(function.isRound ? "round" : "floor")(\($0)))" }, .number)
        case .random: return .computed("random(0.0, 1.0)", .number)
        case .randomInteger:
            let bounds = values.compactMap(\.literalText).compactMap { Int($0) }
            guard bounds.count == values.count, (1...2).contains(bounds.count) else { return .opaque(reason) }
            let (low, high) = bounds.count == 1 ? (0, bounds[0]) : (bounds[0], bounds[1])
            return .computed("random(\(min(low, high)), \(max(low, high)))", .number)
        case .now: return .computed(ScriptDates.milliseconds, .number)
        case .moment: return MomentDates.time(values).map { .date($0) } ?? .opaque(reason)
        case .uuid: return .computed("uuid()", .string)
        case .path:
            guard let text = values.count > 1 ? values[1].literalText : nil, case .body(let parent) = first,
                let result = BodyPath(dotted: text, in: parent)
            else { return .opaque(reason) }
            return .body(result)
        case .encode: return computed({ "url.encode(string(\($0)))" }, .string)
        case .decode: return computed({ "url.decode(\($0))" }, .string)
        case .base64:
            return computed(
                { path.hasPrefix("atob") ? "string(base64.decode(\($0)))" : "base64.encode(\($0))" }, .string)
        case .digest(let name):
            noteSignature(of: first)
            return first.bytes.map { .bytes("\(name)(\($0))", as: .hex) } ?? .opaque(reason)
        case .signature(let name):
            noteSignature(of: first)
            guard values.count > 1, let text = first.bytes, let key = values[1].bytes else { return .opaque(reason) }
            return .bytes("\(name)(\(key), \(text))", as: .hex)
        case .encoded(let encoding):
            return first.bytes.map { .computed(encoding.encoded($0), .string) } ?? .opaque(reason)
        case .decoded(let encoding):
            return first.bytes.map { .bytes(encoding.decoded($0), as: .hex) } ?? .opaque(reason)
        case .buffer:
            guard let text = first.bytes, let encoding = values.count > 1 ? ScriptEncoding(values[1]) : .utf8 else {
                return .opaque(reason)
            }
            return .bytes(encoding.decoded(text), as: .utf8)
        case .size: return .length(first)
        case .absolute: return computed({ "math.abs(\($0))" }, .number)
        case .ceiling: return computed({ "int(math.ceil(\($0)))" }, .number)
        case .greatest, .least:
            let sources = values.compactMap(\.expression)
            guard !sources.isEmpty, sources.count == values.count else { return .opaque(reason) }
            return .computed(
                "math.\(path == "Math.max" ? "greatest" : "least")(\(sources.joined(separator: ", ")))", .number)
        case .hasMember:
            guard values.count > 1 else { return .opaque(path) }
            return Self.hasMember(first, values[1])
        case .listMethod(let name):
            return values.count > 1 ? listMethod(first, name, values[1], range) ?? .opaque(reason) : .opaque(path)
        case .validSchema: return validation(first, values.dropFirst().first.flatMap(MatcherOperands.schema), path)
        case .schemaValidates:
            return validation(values.dropFirst().first, MatcherOperands.schemaWithFormats(first), path)
        case .validator: return MatcherOperands.schemaWithFormats(first).map { .validator($0) } ?? .opaque(reason)
        }
    }

    /// Records that a script signs the text of the request's body.
    private mutating func noteSignature(of value: ScriptValue) {
        guard phase == .beforeRequest, case .text(let text) = value, case .text(let body)? = requestBodyText,
            !body.isEmpty
        else { return }
        if text.template.contains(body.template) { outcome.signsBody = true }
    }

    private static func isOfResponse(_ function: ScriptDialect.Function) -> Bool {
        switch function {
        case .json, .query, .text, .statusText, .header, .headerExists, .cookie, .cookieExists, .textContains: true
        default: false
        }
    }

    /// Returns a shorter expression of a number that a script truncates; nil if there is none.
    private func truncated(_ source: String) -> ScriptValue? {
        if source == ScriptDates.seconds { return .computed("int(now())", .number) }
        return Self.randomBound(source).map { .computed("random(0, \($0 - 1))", .number) }
    }

    /// Returns N for `random(0.0, 1.0) * N`.
    private static func randomBound(_ source: String) -> Int? {
        let prefix = "random(0.0, 1.0) * "
        guard source.hasPrefix(prefix), let bound = Int(source.dropFirst(prefix.count)), bound > 0 else { return nil }
        return bound
    }

    /// Returns the number of a constant text.
    private func number(_ value: ScriptValue) -> ScriptValue? {
        switch value {
        case .number, .length, .computed(_, .number), .part(.status), .part(.milliseconds), .part(.size): value
        case .text(let text):
            text.literal.flatMap { JSONNumber(literal: $0) }.map { .number($0.literal) }
        default: nil
        }
    }

    /// Returns the value of JSON text.
    private mutating func parsed(_ value: ScriptValue, _ reason: String) -> ScriptValue {
        switch value {
        case .part(.text):
            readsJSON = true
            return .body(BodyPath(steps: []))
        case .body: return value
        case .text(let text):
            guard let literal = text.literal else {
                if case .text(text)? = requestBodyText { return requestBodyValue ?? .opaque(reason) }
                break
            }
            var parser = JSONParser()
            parser.limits.maximumDepth = ImportLimits.bodyDepth
            return (try? parser.parse(literal)).map { ScriptValue($0) } ?? .opaque(reason)
        default: break
        }
        return value.expression.map { .computed("json.parse(\($0))", .any) } ?? .opaque(reason)
    }

    private mutating func next(_ value: ScriptValue, _ path: String) -> ScriptValue {
        guard guards.isEmpty else { return .opaque(path) }
        switch value {
        case .null: outcome.next = ScriptOutcome.Next.none
        case .text(let text):
            guard let name = text.literal else { return .opaque(path) }
            outcome.next = .request(name)
        default: return .opaque(path)
        }
        return .undefined
    }
}

extension ScriptDialect.Function {
    /// Whether the function rounds to the nearest integer.
    var isRound: Bool { if case .round = self { true } else { false } }
}

extension ScriptValue {
    /// The opposite of a condition.
    fileprivate var negated: ScriptValue {
        if case .condition(let condition) = self { .condition(condition.negated) } else { self }
    }

    /// Creates a value of a suite.
    init(_ value: ImportedValue) {
        switch value {
        case .text(let text): self = text.soleExpression.map { .computed($0, .any) } ?? .text(text)
        case .plain("null"): self = .null
        case .plain("true"): self = .bool(true)
        case .plain("false"): self = .bool(false)
        case .plain(let number): self = .number(number)
        case .sequence(let elements): self = .array(elements.map { ScriptValue($0) })
        case .mapping(let members): self = .object(members.map { ($0.key.template, ScriptValue($0.value)) })
        }
    }

    /// Creates a constant from JSON.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number): self = .number(number.literal)
        case .string(let text): self = .literal(text)
        case .array(let elements): self = .array(elements.map { ScriptValue($0) })
        case .object(let object): self = .object(object.map { ($0.key, ScriptValue($0.value)) })
        }
    }
}
