import JSON

extension Evaluator {
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
                let found = checkBranches(start, count, discriminator, value, marks, isExact: true)
                holds = found == 1 || (found > 1 && isNamedBranchValid(start, value, marks))
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

    /// How many branches hold: counted up to 1, or up to 2 for `oneOf`, unless the others matter for what they evaluate.
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

    /// Whether the one of several branches that holds is the one that a discriminator names.
    @inline(never)
    private mutating func isNamedBranchValid(_ start: Int32, _ value: ValuePointer, _ marks: Int) -> Bool {
        guard let branch = program.hints[start]?.branch(for: value.pointee) else { return false }
        return isValidBranch(program.lists[Int(start) + branch], value, marks)
    }

    private mutating func checkConditional(
        _ condition: NodeIndex, _ then: NodeIndex, _ otherwise: NodeIndex, _ value: ValuePointer, _ marks: Int
    ) -> Bool {
        if then < 0, otherwise < 0, marks < 0 { return true }
        let next = isValidBranch(condition, value, marks) ? then : otherwise
        return next < 0 || isValid(next, value, marks)
    }

    /// Applies a schema that may fail without the whole failing; what it evaluates then does not count.
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
