import Basics
import JSON
import JSONPath
import RegularExpressions

extension Evaluator {
    /// The maximum number of keys that a message lists.
    private static var listedKeys: Int { 8 }
    /// The maximum number of names to compare with an unknown name.
    private static var comparedNames: Int { 256 }

    // MARK: Names

    func variable(_ name: String, _ type: CELType?, _ id: Int) throws(CELEvaluationError) -> CELValue {
        if let value = try lookUp(name, program.spans[id]) { return value }
        if let type { return .type(type) }
        throw error(noSuchVariable(name), id)
    }

    private func lookUp(_ name: String, _ span: Span) throws(CELEvaluationError) -> CELValue? {
        do throws(CELEvaluationError) {
            return try scope.value(of: name)
        } catch {
            guard error.length == 0 else { throw error }
            throw CELEvaluationError(
                error.message, span, isBudgetExceeded: error.isBudgetExceeded, isAtString: error.isAtString,
                isUnavailable: error.isUnavailable)
        }
    }

    /// Returns the value of the first dotted name that the scope has, with the remaining fields selected.
    func qualified(_ names: [Node.QualifiedName], _ id: Int) throws(CELEvaluationError) -> CELValue {
        for candidate in names {
            guard var value = try lookUp(candidate.name, program.spans[id]) else { continue }
            for field in candidate.fields {
                value = try selected(value, field, isOptional: false, program.spans[id])
            }
            return value
        }
        for candidate in names where candidate.fields.isEmpty {
            if let type = CELType.named[candidate.name] ?? CELType.dotted(candidate.name) { return .type(type) }
        }
        throw error(noSuchVariable(names.last?.name ?? ""), id)
    }

    /// Follows a path. JSON values are not wrapped on the way.
    func value(of path: Node.Path, _ id: Int) throws(CELEvaluationError) -> CELValue {
        var value: CELValue
        switch path.root {
        case .local(let slot): value = locals[slot]
        case .variable(let name):
            guard let found = try lookUp(name, path.rootSpan) else {
                throw CELEvaluationError(noSuchVariable(name), path.rootSpan)
            }
            value = found
        }
        var steps = path.steps[...]
        while let step = steps.first {
            if case .map(let map) = value, case .json(let object) = map.storage {
                value = CELValue(try follow(.object(object), &steps))
            } else if case .list(let list) = value, case .json(let elements) = list.storage {
                value = CELValue(try follow(.array(elements), &steps))
            } else {
                steps = steps.dropFirst()
                switch step.key {
                case .field(let field): value = try selected(value, field, isOptional: false, step.span)
                case .index(let index): value = try indexed(value, .int(index), isOptional: false, step.span)
                }
            }
        }
        return value
    }

    /// Follows the remaining steps of a path through JSON values.
    private func follow(
        _ json: JSONValue, _ steps: inout ArraySlice<Node.PathStep>
    ) throws(CELEvaluationError) -> JSONValue {
        var json = json
        while let step = steps.first {
            switch (step.key, json) {
            case (.field(let field), .object(let object)):
                guard let value = object[field] else {
                    throw CELEvaluationError(Self.noSuchKey(.string(field), CELMap(object)), step.span)
                }
                json = value
            case (.index(let index), .array(let elements)):
                guard let position = Int(exactly: index), elements.indices.contains(position) else {
                    throw CELEvaluationError(Self.outOfRange(index, elements.count), step.span)
                }
                json = elements[position]
            default:
                // Other values take the general path, which throws the error with its message.
                switch step.key {
                case .field(let field): _ = try selected(CELValue(json), field, isOptional: false, step.span)
                case .index(let index):
                    _ = try indexed(CELValue(json), .int(index), isOptional: false, step.span)
                }
                return json
            }
            steps = steps.dropFirst()
        }
        return json
    }

    // MARK: Selections

    mutating func select(
        _ operand: Int, _ field: String, isOptional: Bool, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        try selected(try evaluate(operand), field, isOptional: isOptional, program.spans[id])
    }

    /// Selects a field of a map, or of the value of an optional.
    func selected(
        _ value: CELValue, _ field: String, isOptional: Bool, _ span: Span
    ) throws(CELEvaluationError) -> CELValue {
        switch value {
        case .map(let map):
            if let found = map[field] { return isOptional ? .optional(CELOptional(found)) : found }
            if isOptional { return .optional(.none) }
            throw CELEvaluationError(Self.noSuchKey(.string(field), map), span)
        case .optional(let optional):
            guard let present = optional.value else { return value }
            return try selected(present, field, isOptional: true, span)
        default:
            throw CELEvaluationError(Self.cannotSelect(field, value), span, isAtString: value.isString)
        }
    }

    static func cannotIndex(_ type: String) -> MessageText {
        "cannot index \(MessageText(words: type))" + (type == "string" ? "; for a character, write x.charAt(i)" : "")
    }

    static func cannotSelect(_ field: String, _ value: CELValue) -> MessageText {
        let message: MessageText = "cannot select \"\(field)\" of \(MessageText(words: value.typeName))"
        switch (field, value) {
        case ("length", .list), ("length", .string), ("count", .list), ("size", .list), ("size", .string):
            return message + "; for the length, write size(x)"
        case (_, .list): return message + "; select from an element, x[0].\(field), or from all: x.map(e, e.\(field))"
        default: return message
        }
    }

    mutating func has(_ operand: Int, _ field: String, _ id: Int) throws(CELEvaluationError) -> CELValue {
        var value = try evaluate(operand)
        while case .optional(let optional) = value {
            guard let present = optional.value else { return .bool(false) }
            value = present
        }
        guard case .map(let map) = value else {
            throw CELEvaluationError(
                Self.cannotSelect(field, value), program.spans[id], isAtString: value.isString)
        }
        return .bool(map[field] != nil)
    }

    mutating func index(
        _ operand: Int, _ index: Int, isOptional: Bool, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        let value = try evaluate(operand)
        return try indexed(value, try evaluate(index), isOptional: isOptional, program.spans[id])
    }

    /// Returns an element of a list or the value of a key in a map.
    func indexed(
        _ value: CELValue, _ key: CELValue, isOptional: Bool, _ span: Span
    ) throws(CELEvaluationError) -> CELValue {
        switch value {
        case .map(let map):
            if let found = map.value(of: key) { return isOptional ? .optional(CELOptional(found)) : found }
            if isOptional { return .optional(.none) }
            throw CELEvaluationError(Self.noSuchKey(key, map), span)
        case .list(let list):
            guard let index = CELMapKey(lookingUp: key)?.integer else {
                throw CELEvaluationError("the index of a list must be an integer, got \(key.brief)", span)
            }
            if let position = Int(exactly: index), let found = list[position] {
                return isOptional ? .optional(CELOptional(found)) : found
            }
            if isOptional { return .optional(.none) }
            throw CELEvaluationError(Self.outOfRange(index, list.count), span)
        case .optional(let optional):
            guard let present = optional.value else { return value }
            return try indexed(present, key, isOptional: true, span)
        default:
            throw CELEvaluationError(Self.cannotIndex(value.typeName), span, isAtString: value.isString)
        }
    }

    // MARK: Messages

    private func noSuchVariable(_ name: String) -> MessageText {
        let message: MessageText = "unknown variable \"\(name)\""
        if let hint = ForeignSpelling.ofVariable(name) { return message + "; " + hint }
        let names = scope.names
        guard names.count <= Self.comparedNames else { return message }
        return message + Spelling.hint(for: name, among: ["true", "false", "null"] + names.sorted())
    }

    private static func noSuchKey(_ key: CELValue, _ map: CELMap) -> MessageText {
        let message: MessageText = "no such key: \(key.brief)"
        guard !map.isEmpty else { return message + " (the map is empty)" }
        // `&&` and `||` may absorb the error many times, so large maps are not searched for similar names.
        guard map.count <= comparedNames else { return message }
        let names = map.names
        if case .string(let name) = key {
            if map["status"] != nil, map["headers"] != nil, let field = ForeignSpelling.ofField(name), map[field] != nil
            {
                return message + "; did you mean \"\(field)\"?"
            }
            let hint = Spelling.hint(for: name, among: names)
            if !hint.text.isEmpty { return message + hint }
        }
        guard !names.isEmpty, names.count <= listedKeys, names.count == map.count else { return message }
        return "\(message); available keys: \(names.map { Quoting.quoted($0) }.joined(separator: ", "))"
    }

    private static func outOfRange(_ index: Int64, _ count: Int) -> MessageText {
        let elements = count == 1 ? "1 element" : "\(count) elements"
        return "index \(index) is out of range; the list has \(elements)"
    }

    // MARK: Precompiled arguments

    mutating func matches(
        _ operand: Int, _ expression: RegularExpression, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        let value = try evaluate(operand)
        guard case .string(let text) = value else {
            let overload: MessageText = "no such overload: \(MessageText(words: value.typeName)).matches(string)"
            throw error(textHint("matches", of: operand, value).map { "\(overload); \($0)" } ?? overload, id)
        }
        do throws(CELFailure) {
            return .bool(try state.meter.matches(expression, text))
        } catch {
            throw located(error, id)
        }
    }

    mutating func jsonPath(_ operand: Int, _ path: JSONPath, _ id: Int) throws(CELEvaluationError) -> CELValue {
        let value = try evaluate(operand)
        do throws(CELFailure) {
            return try JSONPathFunction.evaluate(path, in: value, &state)
        } catch {
            throw located(error, id, "jsonpath(\(value.typeName), string)")
        }
    }
}
