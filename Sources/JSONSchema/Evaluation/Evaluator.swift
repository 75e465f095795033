import JSON
import RegularExpressions

/// An evaluator that decides whether a value is valid and stops as soon as the result is known.
///
/// `marks` is the region that records the evaluated members or elements, or -1 if no keyword needs it. Each schema is
/// applied once for each path that leads to it, regardless of `marks`.
///
/// Values are accessed through pointers. Copies would retain and release them, which takes longer than the rest of the
/// evaluation. Every pointer is into a value that the caller keeps alive until the call returns.
struct Evaluator {
    typealias ValuePointer = UnsafePointer<JSONValue>

    let program: Program
    var state: EvaluationState

    init(_ program: Program, limits: JSONSchemaLimits) {
        self.program = program
        state = EvaluationState(program, limits: limits)
    }

    /// Returns whether a value is valid against the schema, or `false` if a limit was reached.
    mutating func judge(_ value: JSONValue) -> Bool {
        isValid(program.root, value, -1) && state.exhaustion == nil
    }

    /// Applies a node to a value.
    mutating func isValid(_ index: NodeIndex, _ value: JSONValue, _ marks: Int) -> Bool {
        withUnsafePointer(to: value) { isValid(index, $0, marks) }
    }

    /// Applies a node to a value. Most nodes restrict only the type, so this function decides them.
    @inline(__always)
    mutating func isValid(_ index: NodeIndex, _ value: ValuePointer, _ marks: Int) -> Bool {
        let forward = program.nodes[Int(index)].forward
        let index = forward >= 0 ? forward : index
        guard program.nodes[Int(index)].types.admits(value) else { return false }
        if program.nodes[Int(index)].checkedTypes.isEmpty { return true }
        return check(index, value, marks)
    }

    /// Applies the keywords of a node other than `type`.
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

extension Evaluator {
    /// Applies the keywords that apply schemas to the same value.
    @inline(never)
    mutating func checkApplicators(_ node: SchemaNode, _ value: ValuePointer, _ marks: Int) -> Bool {
        for position in Int(node.applicators)..<Int(node.applicators + node.applicatorCount) {
            let holds: Bool
            switch program.applicators[position] {
            case .reference(let target, _): holds = isValid(target, value, marks)
            case .dynamicReference(let initial, let anchor, _):
                let target = state.dynamicTarget(program, anchor, initial: initial)
                holds = isValid(target, value, marks)
            case .allOf(let start, let count): holds = checkAll(start, count, value, marks)
            case .anyOf(let start, let count, let discriminator):
                holds = checkBranches(start, count, discriminator, value, marks) > 0
            case .oneOf(let start, let count, let discriminator):
                let isExact = !program.isPartial
                let found = checkBranches(start, count, discriminator, value, marks, isExact: isExact)
                holds = isExact ? found == 1 : found > 0
            case .not(let target): holds = !isValid(target, value, -1)
            case .conditional(let condition, let then, let otherwise):
                holds = checkConditional(condition, then, otherwise, value, marks)
            }
            if !holds { return false }
        }
        return true
    }

    private mutating func checkAll(_ start: Int32, _ count: Int32, _ value: ValuePointer, _ marks: Int) -> Bool {
        for position in Int(start)..<Int(start + count) {
            guard isValid(program.lists[position], value, marks) else { return false }
        }
        return true
    }

    /// Returns the number of matching branches. Stops at 1, or 2 for `oneOf`, unless evaluated members matter.
    private mutating func checkBranches(
        _ start: Int32, _ count: Int32, _ discriminator: Int32, _ value: ValuePointer, _ marks: Int,
        isExact: Bool = false
    ) -> Int {
        var found = 0
        if discriminator >= 0, let candidates = program.discriminators[Int(discriminator)].candidates(value) {
            for offset in candidates {
                guard isValidBranch(program.lists[Int(start + offset)], value, marks) else { continue }
                found += 1
                if isExact ? found > 1 : marks < 0 { return found }
            }
            return found
        }
        for position in Int(start)..<Int(start + count) {
            guard isValidBranch(program.lists[position], value, marks) else { continue }
            found += 1
            if isExact ? found > 1 : marks < 0 { return found }
        }
        return found
    }

    private mutating func checkConditional(
        _ condition: NodeIndex, _ then: NodeIndex, _ otherwise: NodeIndex, _ value: ValuePointer, _ marks: Int
    ) -> Bool {
        if then < 0, otherwise < 0, marks < 0 { return true }
        let next = isValidBranch(condition, value, marks) ? then : otherwise
        return next < 0 || isValid(next, value, marks)
    }

    /// Applies a schema whose failure does not fail the whole. A failed schema marks nothing as evaluated.
    @inline(__always)
    mutating func isValidBranch(_ node: NodeIndex, _ value: ValuePointer, _ marks: Int) -> Bool {
        marks < 0 ? isValid(node, value, -1) : isValidMarkedBranch(node, value, marks)
    }

    @inline(never)
    private mutating func isValidMarkedBranch(_ node: NodeIndex, _ value: ValuePointer, _ marks: Int) -> Bool {
        let count = value.pointee.memberCount
        let own = state.pushMarks(count)
        defer { state.popMarks(own) }
        guard isValid(node, value, own) else { return false }
        state.spend(count >> 6)
        state.mergeMarks(from: own, into: marks, count)
        return true
    }
}

extension Evaluator {
    /// Applies the array keywords.
    @inline(__always)
    mutating func check(_ keywords: ArrayKeywords, _ elements: [JSONValue], _ marks: Int) -> Bool {
        let count = elements.count
        if count < keywords.minimumCount || count > keywords.maximumCount { return false }
        state.spend(count)
        let holds = elements.withUnsafeBufferPointer { elements in
            guard let first = elements.baseAddress else { return true }
            return checkElements(keywords, first, count)
        }
        guard holds else { return false }
        if marks >= 0 {
            if keywords.rest >= 0 {
                state.markAll(marks, count)
            } else {
                for index in 0..<min(count, keywords.prefix.count) { state.mark(marks, index) }
            }
        }
        if keywords.contains >= 0, !checkContains(keywords, elements, marks) { return false }
        return !keywords.isUnique || Uniqueness.repetition(in: elements) == nil
    }

    @inline(__always)
    private mutating func checkElements(_ keywords: ArrayKeywords, _ elements: ValuePointer, _ count: Int) -> Bool {
        let prefix = min(count, keywords.prefix.count)
        for index in 0..<prefix {
            guard isValid(keywords.prefix[index], elements + index, -1) else { return false }
        }
        let rest = keywords.rest
        if rest >= 0 {
            for index in prefix..<count {
                guard isValid(rest, elements + index, -1) else { return false }
            }
        }
        return true
    }

    private mutating func checkContains(_ keywords: ArrayKeywords, _ elements: [JSONValue], _ marks: Int) -> Bool {
        let marksElements = marks >= 0 && keywords.containsEvaluates
        var found = 0
        for index in elements.indices where isValid(keywords.contains, elements[index], -1) {
            found += 1
            if found > keywords.maximumContained { return false }
            if marksElements {
                state.mark(marks, index)
            } else if found >= keywords.minimumContained, keywords.maximumContained == .max {
                return true
            }
        }
        return found >= keywords.minimumContained
    }

    @inline(__always)
    mutating func check(
        _ keywords: ObjectKeywords, _ object: JSONObject, _ value: ValuePointer, _ marks: Int
    ) -> Bool {
        let count = object.count
        if count < keywords.minimumCount || count > keywords.maximumCount { return false }
        state.spend(count)
        if keywords.readsAllMembers || !keywords.properties.isEmpty {
            guard object.withUnsafeMembers({ checkMembers(keywords, $0, marks) }) else { return false }
        }
        if keywords.dependentNames.isEmpty, keywords.dependentSchemas.isEmpty { return true }
        for dependent in keywords.dependentNames where object.contains(dependent.name) {
            for name in dependent.names where !object.contains(name) { return false }
        }
        for dependent in keywords.dependentSchemas where object.contains(dependent.name) {
            guard isValid(dependent.node, value, marks) else { return false }
        }
        return true
    }

    @inline(__always)
    private mutating func checkMembers(
        _ keywords: ObjectKeywords, _ members: UnsafeBufferPointer<JSONObject.Element>, _ marks: Int
    ) -> Bool {
        guard let first = members.baseAddress else { return keywords.properties.requiredCount == 0 }
        var required = 0
        var expected = 0
        for index in 0..<members.count {
            let value = (first + index).value
            let property = keywords.properties.index(of: members[index].key, expected: &expected)
            var isEvaluated = false
            if property >= 0 {
                let target = keywords.properties.targets[property]
                if target.isRequired { required += 1 }
                if target.node >= 0 {
                    guard isValid(target.node, value, -1) else { return false }
                    isEvaluated = true
                }
            }
            if keywords.readsAllMembers {
                if keywords.forbidsOthers {
                    if !isEvaluated { return false }
                } else {
                    guard checkMember(keywords, members[index].key, value, &isEvaluated) else { return false }
                }
            }
            if isEvaluated, marks >= 0 { state.mark(marks, index) }
        }
        return required == keywords.properties.requiredCount
    }

    /// Applies the keywords for members of any name: `patternProperties`, `additionalProperties`, and `propertyNames`.
    private mutating func checkMember(
        _ keywords: ObjectKeywords, _ name: String, _ value: ValuePointer, _ isEvaluated: inout Bool
    ) -> Bool {
        if !keywords.patterns.isEmpty {
            state.spend(keywords.patterns.count)
            for pattern in keywords.patterns where state.matches(pattern.expression, name) {
                guard isValid(pattern.node, value, -1) else { return false }
                isEvaluated = true
            }
        }
        if keywords.names >= 0, !isValid(keywords.names, .string(name), -1) { return false }
        if isEvaluated { return true }
        switch keywords.additional {
        case .allowed: return true
        case .forbidden: return false
        case .schema(let node):
            isEvaluated = true
            return isValid(node, value, -1)
        }
    }
}
