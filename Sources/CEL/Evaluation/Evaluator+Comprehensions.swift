import Basics
import JSON

extension Evaluator {
    /// The elements that a macro iterates over, converted only when they are accessed.
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

        /// Returns the value of a single variable: an element of a list or a key of a map.
        func single(_ position: Int) -> CELValue {
            switch self {
            case .jsonArray(let elements): CELValue(elements[position])
            case .values(let elements): elements[position]
            case .jsonObject(let object): .string(object[position].key)
            case .entries(let entries): entries[position].key
            }
        }

        /// Returns the values of two variables: index and element of a list, or key and value of a map.
        func pair(_ position: Int) -> (CELValue, CELValue) {
            switch self {
            case .jsonArray(let elements): (.int(Int64(position)), CELValue(elements[position]))
            case .values(let elements): (.int(Int64(position)), elements[position])
            case .jsonObject(let object): (.string(object[position].key), CELValue(object[position].value))
            case .entries(let entries): entries[position]
            }
        }

        func value(_ position: Int) -> CELValue { pair(position).1 }

        /// The list; nil for a map.
        var list: CELValue? {
            switch self {
            case .jsonArray(let elements): .list(CELList(elements))
            case .values(let elements): .list(CELList(elements))
            case .jsonObject, .entries: nil
            }
        }

        var isList: Bool {
            switch self {
            case .jsonArray, .values: true
            case .jsonObject, .entries: false
            }
        }

        /// The note for a macro without any elements.
        var isEmptyNote: MessageText { isList ? "the list is empty" : "the map is empty" }
    }

    mutating func evaluate(_ macro: Comprehension, _ id: Int) throws(CELEvaluationError) -> CELValue {
        let range = try range(of: macro, id)
        switch macro.kind {
        case .all: return try quantified(macro, range, id, deciding: false)
        case .exists: return try quantified(macro, range, id, deciding: true)
        case .existsOne: return try existsOne(macro, range)
        case .map, .transformList: return try transformedList(macro, range, id)
        case .filter: return try filtered(macro, range, id)
        case .sortBy: return try sorted(macro, range, id)
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
            throw unfit("\(macro.kind.rawValue)() must be called on a list or map", value, macro.range)
        }
    }

    private mutating func bind(_ macro: Comprehension, _ range: Range, _ position: Int) {
        if macro.hasTwoVariables {
            (locals[macro.slot], locals[macro.slot + 1]) = range.pair(position)
        } else {
            locals[macro.slot] = range.single(position)
        }
    }

    /// Evaluates the condition or result of a macro for the element at a position, which must be bound.
    private mutating func observed(
        _ macro: Comprehension, _ range: Range, _ position: Int, _ node: Int
    ) throws(CELEvaluationError) -> CELValue {
        guard trace != nil else { return try evaluate(node) }
        trace?.open()
        do throws(CELEvaluationError) {
            let value = try evaluate(node)
            closeElement(macro, range, position)
            return value
        } catch {
            closeElement(macro, range, position)
            trace?.fail()
            throw error
        }
    }

    private mutating func closeElement(_ macro: Comprehension, _ range: Range, _ position: Int) {
        let key: CELValue
        switch range {
        case .jsonArray, .values: key = .int(Int64(position))
        case .jsonObject, .entries: key = range.pair(position).0
        }
        trace?.closeElement(variable: macro.names.last ?? "", key: key, value: range.value(position))
    }

    private mutating func predicate(
        _ macro: Comprehension, _ range: Range, _ position: Int, _ node: Int
    ) throws(CELEvaluationError) -> Bool {
        let value = try observed(macro, range, position, node)
        guard case .bool(let bool) = value else {
            throw unfit("the predicate of a macro must be a bool", value, node)
        }
        return bool
    }

    /// Evaluates `all` and `exists`. A decisive element takes precedence over the errors of other elements.
    private mutating func quantified(
        _ macro: Comprehension, _ range: Range, _ id: Int, deciding: Bool
    ) throws(CELEvaluationError) -> CELValue {
        var failure: CELEvaluationError?
        for position in 0..<range.count {
            bind(macro, range, position)
            do throws(CELEvaluationError) {
                if try predicate(macro, range, position, macro.body) == deciding {
                    trace?.decide()
                    return .bool(deciding)
                }
                trace?.keepSample()
            } catch {
                if error.isBudgetExceeded { throw error }
                if failure == nil { failure = error }
            }
        }
        if let failure {
            trace?.keepFailedOnly()
            throw failure
        }
        if trace != nil {
            let count = range.count
            trace?.conclude(
                count == 0
                    ? range.isEmptyNote
                    : deciding
                        ? "it is true for none of the \(count == 1 ? "1 element" : "\(count) elements")"
                        : "it is true for all \(count == 1 ? "1 element" : "\(count) elements")")
        }
        return .bool(!deciding)
    }

    private mutating func existsOne(
        _ macro: Comprehension, _ range: Range
    ) throws(CELEvaluationError) -> CELValue {
        var found = 0
        var keys: [String] = []
        for position in 0..<range.count {
            bind(macro, range, position)
            guard try predicate(macro, range, position, macro.body) else {
                if found == 0 { trace?.keepSample() }
                continue
            }
            found += 1
            guard trace != nil else { continue }
            if found == 1 { trace?.decide() }
            if keys.count < 5 { keys.append(range.isList ? String(position) : range.pair(position).0.brief) }
        }
        if trace != nil, found != 1 {
            let locations = keys.joined(separator: ", ") + (found > keys.count ? ", …" : "")
            trace?.conclude(
                range.count == 0
                    ? range.isEmptyNote
                    : found == 0
                        ? "it is true for none of the \(range.count == 1 ? "1 element" : "\(range.count) elements")"
                        : "it is true for \(found) elements, at \(range.isList ? "index" : "key") \(locations)",
                keepsSamples: found == 0)
        }
        return .bool(found == 1)
    }

    private mutating func transformedList(
        _ macro: Comprehension, _ range: Range, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        var result: [CELValue] = []
        for position in 0..<range.count {
            bind(macro, range, position)
            if let condition = macro.condition, try !predicate(macro, range, position, condition) { continue }
            try allocate(elements: 1, id)
            result.append(try observed(macro, range, position, macro.body))
        }
        return .list(CELList(result))
    }

    /// Evaluates `filter`. The result for a JSON array is a JSON array.
    private mutating func filtered(
        _ macro: Comprehension, _ range: Range, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        var json: [JSONValue] = []
        var values: [CELValue] = []
        for position in 0..<range.count {
            bind(macro, range, position)
            guard try predicate(macro, range, position, macro.body) else { continue }
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

    /// Evaluates `sortBy`, which sorts a list by the results of the body.
    private mutating func sorted(
        _ macro: Comprehension, _ range: Range, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        guard case .list(let list) = range.list else {
            throw error("sortBy() must be called on a list, got map", macro.range)
        }
        try allocate(elements: range.count, id)
        var keys: [CELValue] = []
        for position in 0..<range.count {
            bind(macro, range, position)
            keys.append(try observed(macro, range, position, macro.body))
        }
        do throws(CELFailure) {
            return .list(try ListFunctions.sorted(list, by: keys, name: "sortBy", &state.meter))
        } catch {
            throw located(error, id)
        }
    }

    private mutating func transformedMap(
        _ macro: Comprehension, _ range: Range, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        var builder = CELMapBuilder()
        for position in 0..<range.count {
            bind(macro, range, position)
            if let condition = macro.condition, try !predicate(macro, range, position, condition) { continue }
            let value = try observed(macro, range, position, macro.body)
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
                throw unfit("the body of transformMapEntry() must be a map", value, macro.body)
            }
            for (key, value) in entry.entries {
                try allocate(elements: 2, id)
                do throws(CELFailure) { try builder.add(key, value) } catch { throw located(error, macro.body) }
            }
        }
        return .map(CELMap(entries: builder.entries()))
    }
}
