import JSON

/// Answers whether a value is valid, and stops as soon as that is known.
///
/// `marks` is the region that notes which members or elements have been evaluated, or -1 where nobody asks. Each schema
/// is applied to a value once per way that leads there, whether or not somebody asks.
///
/// Values are read where they are, by pointer: copies would count references up and down, which takes more time than
/// all else. Every pointer is into a value that the caller holds until the call returns.
struct Evaluator {
    typealias ValuePointer = UnsafePointer<JSONValue>

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

    /// Applies a node to a value.
    mutating func isValid(_ index: NodeIndex, _ value: JSONValue, _ marks: Int) -> Bool {
        withUnsafePointer(to: value) { isValid(index, $0, marks) }
    }

    /// Applies a node to a value. Most nodes ask for a type only, and are done with here.
    @inline(__always)
    mutating func isValid(_ index: NodeIndex, _ value: ValuePointer, _ marks: Int) -> Bool {
        let forward = program.nodes[Int(index)].forward
        let index = forward >= 0 ? forward : index
        guard program.nodes[Int(index)].types.admits(value) else { return false }
        if program.nodes[Int(index)].checkedTypes.isEmpty { return true }
        return check(index, value, marks)
    }

    /// Applies what a node asks for beside the type.
    @inline(never)
    private mutating func check(_ index: NodeIndex, _ value: ValuePointer, _ marks: Int) -> Bool {
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
    private mutating func checkKeywords(_ index: NodeIndex, _ value: ValuePointer, _ marks: Int) -> Bool {
        let node = program.nodes[Int(index)]
        if node.valueCount > 0 {
            for offset in 0..<Int(node.valueCount)
            where !program.values[Int(node.values) + offset].contains(value.pointee) { return false }
        }
        switch value.pointee {
        case .number(let number):
            if node.number >= 0, !program.numbers[Int(node.number)].admit(number) { return false }
        case .string(let text):
            if node.string >= 0 {
                state.spend(text.utf8.count >> 6)
                if !program.strings[Int(node.string)].admit(text, &state) { return false }
            }
        case .array(let elements):
            if node.array >= 0 || node.unevaluatedItems >= 0 { return check(node, elements, value, marks) }
        case .object(let object):
            if node.object >= 0 || node.unevaluatedProperties >= 0 { return check(node, object, value, marks) }
        case .null, .bool: break
        }
        return node.applicatorCount == 0 || checkApplicators(node, value, marks)
    }

    // MARK: Containers

    @inline(never)
    private mutating func check(
        _ node: SchemaNode, _ elements: [JSONValue], _ value: ValuePointer, _ marks: Int
    ) -> Bool {
        let unevaluated = node.unevaluatedItems
        let own = unevaluated >= 0 ? state.pushMarks(elements.count) : marks
        let holds =
            (node.array < 0 || check(program.arrays[Int(node.array)], elements, own))
            && (node.applicatorCount == 0 || checkApplicators(node, value, own))
            && (unevaluated < 0 || checkUnevaluated(unevaluated, elements, own))
        guard unevaluated >= 0 else { return holds }
        state.popMarks(own)
        if holds, marks >= 0 { state.markAll(marks, elements.count) }
        return holds
    }

    @inline(never)
    private mutating func check(
        _ node: SchemaNode, _ object: JSONObject, _ value: ValuePointer, _ marks: Int
    ) -> Bool {
        let unevaluated = node.unevaluatedProperties
        let own = unevaluated >= 0 ? state.pushMarks(object.count) : marks
        let holds =
            (node.object < 0 || check(program.objects[Int(node.object)], object, value, own))
            && (node.applicatorCount == 0 || checkApplicators(node, value, own))
            && (unevaluated < 0 || checkUnevaluated(unevaluated, object, own))
        guard unevaluated >= 0 else { return holds }
        state.popMarks(own)
        if holds, marks >= 0 { state.markAll(marks, object.count) }
        return holds
    }

    private mutating func checkUnevaluated(_ node: NodeIndex, _ elements: [JSONValue], _ marks: Int) -> Bool {
        state.spend(elements.count)
        return elements.withUnsafeBufferPointer { elements in
            guard let first = elements.baseAddress else { return true }
            for index in 0..<elements.count where !state.isMarked(marks, index) {
                guard isValid(node, first + index, -1) else { return false }
            }
            return true
        }
    }

    private mutating func checkUnevaluated(_ node: NodeIndex, _ object: JSONObject, _ marks: Int) -> Bool {
        state.spend(object.count)
        return object.withUnsafeMembers { members in
            guard let first = members.baseAddress else { return true }
            for index in 0..<members.count where !state.isMarked(marks, index) {
                guard isValid(node, (first + index).value, -1) else { return false }
            }
            return true
        }
    }
}
