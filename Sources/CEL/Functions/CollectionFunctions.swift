import Basics
import JSON

/// The lists extension: `distinct`, `flatten`, `reverse`, `slice`, `sort`, and `lists.range`; `sortBy` is a macro.
enum ListFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.method("distinct") { value, state throws(CELFailure) in
            guard case .list(let list) = value else { throw .noOverload }
            try state.meter.allocate(elements: list.count)
            var members = ElementSet()
            var distinct: [CELValue] = []
            for element in list.elements where try members.insert(element, &state.meter) { distinct.append(element) }
            return .list(CELList(distinct))
        }
        functions.method("flatten", counts: 0...1) { values, state throws(CELFailure) in
            guard case .list(let list) = values[0] else { throw .noOverload }
            var depth: Int64 = 1
            if values.count > 1 { depth = try integer(values[1]) }
            guard depth >= 0 else { throw .message("flatten(\(depth)): the depth must not be negative") }
            var flat: [CELValue] = []
            try flatten(list, depth: depth, into: &flat, &state)
            return .list(CELList(flat))
        }
        functions.method("slice", counts: 2...2) { values, state throws(CELFailure) in
            if case .string = values[0] {
                throw .message("slice() must be called on a list, got string; write x.substring(from, to)")
            }
            guard case .list(let list) = values[0] else { throw .noOverload }
            let start = try integer(values[1])
            let end = try integer(values[2])
            guard start >= 0, start <= end, end <= list.count else {
                throw .message(
                    "slice(\(start), \(end)): the indices must be in ascending order and within the list, which has \(list.count) elements"
                )
            }
            let range = Int(start)..<Int(end)
            try state.meter.allocate(elements: range.count)
            switch list.storage {
            case .json(let elements): return .list(CELList(Array(elements[range])))
            case .values(let elements): return .list(CELList(Array(elements[range])))
            }
        }
        functions.method("sort") { value, state throws(CELFailure) in
            guard case .list(let list) = value else { throw .noOverload }
            return .list(try sorted(list, by: list.elements, name: "sort", &state.meter))
        }
        functions.function("lists.range") { value, state throws(CELFailure) in
            let count = max(0, try integer(value))
            let elements = Int(exactly: count) ?? .max
            try state.meter.allocate(elements: elements)
            try state.meter.step(elements)
            return .list(CELList((0..<count).map { CELValue.int($0) }))
        }
    }

    /// Returns a list with its elements in reverse order.
    static func reversed(_ list: CELList, _ state: inout CallState) throws(CELFailure) -> CELValue {
        try state.meter.allocate(elements: list.count)
        switch list.storage {
        case .json(let elements): return .list(CELList(Array(elements.reversed())))
        case .values(let elements): return .list(CELList(Array(elements.reversed())))
        }
    }

    /// Returns a list sorted by keys, one per element. The sort is stable.
    ///
    /// - Parameters:
    ///   - list: The list to sort.
    ///   - keys: The keys, one per element.
    ///   - name: The name of the function, for its error messages.
    ///   - meter: The budget of the evaluation.
    static func sorted(
        _ list: CELList, by keys: [CELValue], name: String, _ meter: inout Meter
    ) throws(CELFailure) -> CELList {
        try meter.allocate(elements: 2 * list.count)
        var order = Array(keys.indices)
        // A single element must be comparable, too.
        for key in keys.prefix(1) { _ = try isLess(key, key, name, &meter) }
        do {
            try order.sort { first, second in try isLess(keys[first], keys[second], name, &meter) }
        } catch let failure as CELFailure {
            throw failure
        } catch {
            throw .message("\(error)")
        }
        switch list.storage {
        case .json(let elements): return CELList(order.map { elements[$0] })
        case .values(let elements): return CELList(order.map { elements[$0] })
        }
    }

    private static func isLess(
        _ left: CELValue, _ right: CELValue, _ name: String, _ meter: inout Meter
    ) throws(CELFailure) -> Bool {
        try order(left, right, name, &meter) == .less
    }

    /// Returns the order of two elements.
    ///
    /// - Throws: A failure that names the function if the elements have no order.
    static func order(
        _ left: CELValue, _ right: CELValue, _ name: String, _ meter: inout Meter
    ) throws(CELFailure) -> Ordering.Order {
        try meter.step()
        let order: Ordering.Order
        do throws(CELFailure) {
            order = try Ordering.compare(left, right, &meter)
        } catch .noOverload {
            throw .message(
                left.typeName == right.typeName
                    ? "\(name)() cannot order values of type \(left.typeName)"
                    : "\(name)() cannot order values of different types, got \(left.typeName) and \(right.typeName)")
        } catch {
            throw error
        }
        if order == .none { throw .message("\(name)() cannot order NaN") }
        return order
    }

    private static func flatten(
        _ list: CELList, depth: Int64, into flat: inout [CELValue], _ state: inout CallState
    ) throws(CELFailure) {
        try state.meter.step(list.count)
        try state.meter.allocate(elements: list.count)
        for element in list.elements {
            // The nesting depth of values is limited where they are created.
            if depth > 0, case .list(let inner) = element {
                try flatten(inner, depth: depth - 1, into: &flat, &state)
            } else {
                flat.append(element)
            }
        }
    }

    private static func integer(_ value: CELValue) throws(CELFailure) -> Int64 {
        switch value {
        case .int(let number): return number
        case .number(let number):
            guard let number = number.int64 else { throw .noOverload }
            return number
        default: throw .noOverload
        }
    }
}

/// The sets extension for lists: `sets.contains`, `sets.equivalent`, and `sets.intersects`.
enum SetFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.function("sets.contains") { whole, part, state throws(CELFailure) in
            guard case .list(let whole) = whole, case .list(let part) = part else { throw .noOverload }
            return .bool(try contains(whole, part, &state.meter))
        }
        functions.function("sets.equivalent") { left, right, state throws(CELFailure) in
            guard case .list(let left) = left, case .list(let right) = right else { throw .noOverload }
            let isPart = try contains(left, right, &state.meter)
            return .bool(isPart ? try contains(right, left, &state.meter) : false)
        }
        functions.function("sets.intersects") { left, right, state throws(CELFailure) in
            guard case .list(let left) = left, case .list(let right) = right else { throw .noOverload }
            let members = try ElementSet(right, &state.meter)
            for element in left.elements where try members.contains(element, &state.meter) { return .bool(true) }
            return .bool(false)
        }
    }

    /// Returns whether a list contains each element of another.
    private static func contains(
        _ whole: CELList, _ part: CELList, _ meter: inout Meter
    ) throws(CELFailure) -> Bool {
        let members = try ElementSet(whole, &meter)
        for element in part.elements where try !members.contains(element, &meter) { return false }
        return true
    }
}

/// A set of list elements with CEL equality, which avoids linear search where possible.
struct ElementSet {
    private var keys: Set<CELMapKey> = []
    /// The elements that cannot be keys, such as lists and maps.
    private var others: [CELValue] = []

    init() {}

    /// Creates a set of the elements of a list.
    init(_ list: CELList, _ meter: inout Meter) throws(CELFailure) {
        try meter.allocate(elements: list.count)
        for element in list.elements { _ = try insert(element, &meter) }
    }

    /// Adds an element unless the set contains an equal one.
    ///
    /// - Returns: Whether the element was added.
    mutating func insert(_ element: CELValue, _ meter: inout Meter) throws(CELFailure) -> Bool {
        try meter.step()
        // Equal numbers are one key, regardless of their types.
        if let key = CELMapKey(lookingUp: element) { return keys.insert(key).inserted }
        if try contains(element, &meter) { return false }
        others.append(element)
        return true
    }

    /// Returns whether the set contains an equal element.
    func contains(_ element: CELValue, _ meter: inout Meter) throws(CELFailure) -> Bool {
        try meter.step()
        if let key = CELMapKey(lookingUp: element) { return keys.contains(key) }
        for other in others where try Equality.areEqual(element, other, &meter) { return true }
        return false
    }
}
