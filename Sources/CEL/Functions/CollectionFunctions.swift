import JSON

/// The lists extension: `distinct`, `flatten`, `reverse`, `slice`, `sort` and `lists.range`; `sortBy` is a macro.
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
            guard depth >= 0 else { throw .message("flatten(\(depth)): the depth cannot be negative") }
            var flat: [CELValue] = []
            try flatten(list, depth: depth, into: &flat, &state)
            return .list(CELList(flat))
        }
        functions.method("slice", counts: 2...2) { values, state throws(CELFailure) in
            if case .string = values[0] {
                throw .message("slice() is a method of lists; write x.substring(from, to)")
            }
            guard case .list(let list) = values[0] else { throw .noOverload }
            let start = try integer(values[1])
            let end = try integer(values[2])
            guard start >= 0, start <= end, end <= list.count else {
                throw .message(
                    "slice(\(start), \(end)): the indices must be in order and in the list, which has \(list.count) elements"
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

    /// A list with its elements in the opposite order.
    static func reversed(_ list: CELList, _ state: inout CallState) throws(CELFailure) -> CELValue {
        try state.meter.allocate(elements: list.count)
        switch list.storage {
        case .json(let elements): return .list(CELList(Array(elements.reversed())))
        case .values(let elements): return .list(CELList(Array(elements.reversed())))
        }
    }

    /// A list in the order of keys, one for each element; elements of equal keys stay in their order.
    ///
    /// - Parameter name: The name of the function for its errors.
    static func sorted(
        _ list: CELList, by keys: [CELValue], name: String, _ meter: inout Meter
    ) throws(CELFailure) -> CELList {
        try meter.allocate(elements: 2 * list.count)
        var order = Array(keys.indices)
        // A list of one element too has to have one that can be compared.
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
        try meter.step()
        let order: Ordering.Order
        do throws(CELFailure) {
            order = try Ordering.compare(left, right, &meter)
        } catch .noOverload {
            throw .message(
                left.typeName == right.typeName
                    ? "\(name)() cannot order values of the type \(left.typeName)"
                    : "\(name)() cannot order values of different types: \(left.typeName) and \(right.typeName)")
        } catch {
            throw error
        }
        if order == .none { throw .message("\(name)() cannot order NaN") }
        return order == .less
    }

    private static func flatten(
        _ list: CELList, depth: Int64, into flat: inout [CELValue], _ state: inout CallState
    ) throws(CELFailure) {
        try state.meter.step(list.count)
        try state.meter.allocate(elements: list.count)
        for element in list.elements {
            // The depth of values is bounded where they are made.
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

/// The sets extension: `sets.contains`, `sets.equivalent` and `sets.intersects` of lists.
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

    /// Whether each element of a list is in another.
    private static func contains(
        _ whole: CELList, _ part: CELList, _ meter: inout Meter
    ) throws(CELFailure) -> Bool {
        let members = try ElementSet(whole, &meter)
        for element in part.elements where try !members.contains(element, &meter) { return false }
        return true
    }
}

/// The elements of a list, to be found by CEL's equality without going through all of them where that can be.
struct ElementSet {
    private var keys: Set<CELMapKey> = []
    /// The elements that cannot be keys, such as lists and maps.
    private var others: [CELValue] = []

    init() {}

    /// Creates a set of a list's elements.
    init(_ list: CELList, _ meter: inout Meter) throws(CELFailure) {
        try meter.allocate(elements: list.count)
        for element in list.elements { _ = try insert(element, &meter) }
    }

    /// Adds an element unless one that is equal is there.
    ///
    /// - Returns: Whether it was added.
    mutating func insert(_ element: CELValue, _ meter: inout Meter) throws(CELFailure) -> Bool {
        try meter.step()
        // Numbers that are equal are one key, whatever their types.
        if let key = CELMapKey(lookingUp: element) { return keys.insert(key).inserted }
        if try contains(element, &meter) { return false }
        others.append(element)
        return true
    }

    /// Whether an element that is equal is there.
    func contains(_ element: CELValue, _ meter: inout Meter) throws(CELFailure) -> Bool {
        try meter.step()
        if let key = CELMapKey(lookingUp: element) { return keys.contains(key) }
        for other in others where try Equality.areEqual(element, other, &meter) { return true }
        return false
    }
}
