import JSON

/// Answers whether a value is valid, and stops as soon as that is known.
///
/// `marks` is the region that notes which members or elements have been evaluated, or -1 where nobody asks. Each schema
/// is applied to a value once per way that leads there, whether or not somebody asks.
struct Evaluator {
    let program: Program
    var state: EvaluationState

    init(_ program: Program, limits: JSONSchemaLimits) {
        self.program = program
        state = EvaluationState(program, limits: limits)
    }

    /// Whether a value follows the schema; false when a bound was reached.
    mutating func judge(_ value: JSONValue) -> Bool {
        isValid(program.root, value, -1) && state.exhaustion == nil
    }

    /// Applies a node to a value. Most nodes ask for a type only, and are done with here.
    @inline(__always)
    mutating func isValid(_ index: NodeIndex, _ value: JSONValue, _ marks: Int) -> Bool {
        var index = index
        if program.nodes[Int(index)].forward >= 0 { index = program.nodes[Int(index)].forward }
        guard program.nodes[Int(index)].types.admits(value) else { return false }
        if program.nodes[Int(index)].checkedTypes.isEmpty { return true }
        return check(index, value, marks)
    }

    /// Applies what a node asks for beside the type.
    @inline(never)
    private mutating func check(_ index: NodeIndex, _ value: JSONValue, _ marks: Int) -> Bool {
        state.spend(1)
        guard state.enter() else {
            state.leave()
            return false
        }
        defer { state.leave() }
        if program.usesDynamicScope, state.enterResource(program.nodes[Int(index)].resource) {
            let result = checkKeywords(index, value, marks)
            state.leaveResource()
            return result
        }
        return checkKeywords(index, value, marks)
    }

    @inline(__always)
    private mutating func checkKeywords(_ index: NodeIndex, _ value: JSONValue, _ marks: Int) -> Bool {
        let node = program.nodes[Int(index)]
        if node.valueCount > 0 {
            for offset in 0..<Int(node.valueCount)
            where !program.values[Int(node.values) + offset].contains(value) { return false }
        }
        switch value {
        case .number(let number):
            if node.number >= 0, !program.numbers[Int(node.number)].admit(number) { return false }
        case .string(let text):
            if node.string >= 0 {
                state.spend(text.utf8.count >> 6)
                if !program.strings[Int(node.string)].admit(text) { return false }
            }
        case .array(let elements):
            if node.unevaluatedItems >= 0 { return checkUnevaluated(node, elements, marks, value) }
            if node.array >= 0, !check(program.arrays[Int(node.array)], elements, marks) { return false }
        case .object(let object):
            if node.unevaluatedProperties >= 0 { return checkUnevaluated(node, object, marks, value) }
            if node.object >= 0, !check(program.objects[Int(node.object)], object, marks, value) { return false }
        case .null, .bool: break
        }
        if node.applicatorCount > 0 { return checkApplicators(node, value, marks) }
        return true
    }

    // MARK: Unevaluated members and elements

    @inline(never)
    private mutating func checkUnevaluated(
        _ node: SchemaNode, _ elements: [JSONValue], _ outer: Int, _ value: JSONValue
    ) -> Bool {
        let count = elements.count
        let own = state.pushMarks(count)
        defer { state.popMarks(own) }
        if node.array >= 0, !check(program.arrays[Int(node.array)], elements, own) { return false }
        if node.applicatorCount > 0, !checkApplicators(node, value, own) { return false }
        state.spend(count)
        for index in 0..<count where !state.isMarked(own, index) {
            guard isValid(node.unevaluatedItems, elements[index], -1) else { return false }
        }
        if outer >= 0 { state.markAll(outer, count) }
        return true
    }

    @inline(never)
    private mutating func checkUnevaluated(
        _ node: SchemaNode, _ object: JSONObject, _ outer: Int, _ value: JSONValue
    ) -> Bool {
        let count = object.count
        let own = state.pushMarks(count)
        defer { state.popMarks(own) }
        if node.object >= 0, !check(program.objects[Int(node.object)], object, own, value) { return false }
        if node.applicatorCount > 0, !checkApplicators(node, value, own) { return false }
        state.spend(count)
        for index in 0..<count where !state.isMarked(own, index) {
            guard isValid(node.unevaluatedProperties, object[index].value, -1) else { return false }
        }
        if outer >= 0 { state.markAll(outer, count) }
        return true
    }
}

extension JSONValue {
    /// How many members or elements a value has.
    var memberCount: Int {
        switch self {
        case .array(let elements): elements.count
        case .object(let object): object.count
        default: 0
        }
    }
}
