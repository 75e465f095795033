import JSON

extension Evaluator {
    /// The elements a macro goes through, without converting them beforehand.
    private enum Range {
        case jsonArray([JSONValue])
        case values([CELValue])
        case jsonObject(JSONObject)
        case entries([CELMap.Entry])

        var count: Int {
            switch self {
            case .jsonArray(let elements): elements.count
            case .values(let elements): elements.count
            case .jsonObject(let object): object.count
            case .entries(let entries): entries.count
            }
        }

        /// What a single variable stands for: an element of a list, a key of a map.
        func single(_ position: Int) -> CELValue {
            switch self {
            case .jsonArray(let elements): CELValue(elements[position])
            case .values(let elements): elements[position]
            case .jsonObject(let object): .string(object[position].key)
            case .entries(let entries): entries[position].key
            }
        }

        /// What two variables stand for: index and element of a list, key and value of a map.
        func pair(_ position: Int) -> (CELValue, CELValue) {
            switch self {
            case .jsonArray(let elements): (.int(Int64(position)), CELValue(elements[position]))
            case .values(let elements): (.int(Int64(position)), elements[position])
            case .jsonObject(let object): (.string(object[position].key), CELValue(object[position].value))
            case .entries(let entries): entries[position]
            }
        }

        func value(_ position: Int) -> CELValue { pair(position).1 }
    }

    mutating func evaluate(_ macro: Comprehension, _ id: Int) throws(CELEvaluationError) -> CELValue {
        let range = try range(of: macro, id)
        switch macro.kind {
        case .all: return try quantified(macro, range, id, deciding: false)
        case .exists: return try quantified(macro, range, id, deciding: true)
        case .existsOne: return try existsOne(macro, range)
        case .map, .transformList: return try transformedList(macro, range, id)
        case .filter: return try filtered(macro, range, id)
        case .transformMap, .transformMapEntry: return try transformedMap(macro, range, id)
        }
    }

    private mutating func range(of macro: Comprehension, _ id: Int) throws(CELEvaluationError) -> Range {
        switch try evaluate(macro.range) {
        case .list(let list):
            switch list.storage {
            case .json(let elements): return .jsonArray(elements)
            case .values(let elements): return .values(elements)
            }
        case .map(let map):
            switch map.storage {
            case .json(let object), .folded(let object): return .jsonObject(object)
            case .entries(let entries): return .entries(entries.list)
            }
        case let value:
            throw error("\(macro.kind.rawValue)() goes through a list or a map, not \(value.typeName)", macro.range)
        }
    }

    private mutating func bind(_ macro: Comprehension, _ range: Range, _ position: Int) {
        if macro.hasTwoVariables {
            (locals[macro.slot], locals[macro.slot + 1]) = range.pair(position)
        } else {
            locals[macro.slot] = range.single(position)
        }
    }

    private mutating func predicate(_ node: Int) throws(CELEvaluationError) -> Bool {
        let value = try evaluate(node)
        guard case .bool(let bool) = value else {
            throw error("a macro's predicate gives true or false, not \(value.typeName)", node)
        }
        return bool
    }

    /// `all` and `exists`: the element that decides wins over errors of the others.
    private mutating func quantified(
        _ macro: Comprehension, _ range: Range, _ id: Int, deciding: Bool
    ) throws(CELEvaluationError) -> CELValue {
        var failure: CELEvaluationError?
        let mark = trace?.mark ?? 0
        for position in 0..<range.count {
            bind(macro, range, position)
            do throws(CELEvaluationError) {
                if try predicate(macro.body) == deciding {
                    if trace != nil {
                        let element = element(macro, range, position, program.spans[id])
                        trace?.record(element)
                    }
                    return .bool(deciding)
                }
            } catch {
                if error.isBudgetExceeded { throw error }
                if failure == nil { failure = error }
            }
            trace?.cut(mark)
        }
        if let failure { throw failure }
        return .bool(!deciding)
    }

    private func element(
        _ macro: Comprehension, _ range: Range, _ position: Int, _ span: Span
    ) -> CELExplanation.Element {
        let key: CELValue
        switch range {
        case .jsonArray, .values: key = .int(Int64(position))
        case .jsonObject, .entries: key = range.pair(position).0
        }
        return CELExplanation.Element(
            macro: macro.kind.rawValue, variable: macro.names.last ?? "", key: key, value: range.value(position),
            offset: Int(span.offset), length: Int(span.length))
    }

    private mutating func existsOne(
        _ macro: Comprehension, _ range: Range
    ) throws(CELEvaluationError) -> CELValue {
        let mark = trace?.mark ?? 0
        var found = 0
        for position in 0..<range.count {
            bind(macro, range, position)
            if try predicate(macro.body) { found += 1 }
            trace?.cut(mark)
        }
        return .bool(found == 1)
    }

    private mutating func transformedList(
        _ macro: Comprehension, _ range: Range, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        let mark = trace?.mark ?? 0
        var result: [CELValue] = []
        for position in 0..<range.count {
            bind(macro, range, position)
            if let condition = macro.condition, try !predicate(condition) { continue }
            try allocate(elements: 1, id)
            result.append(try evaluate(macro.body))
            trace?.cut(mark)
        }
        trace?.cut(mark)
        return .list(CELList(result))
    }

    /// `filter`; what is left of a JSON array stays a JSON array.
    private mutating func filtered(
        _ macro: Comprehension, _ range: Range, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        let mark = trace?.mark ?? 0
        var json: [JSONValue] = []
        var values: [CELValue] = []
        for position in 0..<range.count {
            bind(macro, range, position)
            let isTaken = try predicate(macro.body)
            trace?.cut(mark)
            guard isTaken else { continue }
            try allocate(elements: 1, id)
            if case .jsonArray(let elements) = range {
                json.append(elements[position])
            } else {
                values.append(range.single(position))
            }
        }
        if case .jsonArray = range { return .list(CELList(json)) }
        return .list(CELList(values))
    }

    private mutating func transformedMap(
        _ macro: Comprehension, _ range: Range, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        let mark = trace?.mark ?? 0
        var builder = CELMapBuilder()
        for position in 0..<range.count {
            bind(macro, range, position)
            if let condition = macro.condition, try !predicate(condition) { continue }
            let value = try evaluate(macro.body)
            trace?.cut(mark)
            if macro.kind == .transformMap {
                try allocate(elements: 2, id)
                do throws(CELFailure) {
                    try builder.add(range.pair(position).0, value)
                } catch {
                    throw located(error, id)
                }
                continue
            }
            guard case .map(let entry) = value else {
                throw error("transformMapEntry() needs a map of one entry, not \(value.typeName)", macro.body)
            }
            for (key, value) in entry.entries {
                try allocate(elements: 2, id)
                do throws(CELFailure) { try builder.add(key, value) } catch { throw located(error, macro.body) }
            }
        }
        return .map(CELMap(entries: builder.entries()))
    }
}
