/// Conditions, and what ends a function or a loop under them.
extension ScriptTranslator {
    /// The maximum number of conditions around a statement. Each one makes every assertion longer.
    private static let maximumGuards = 40

    /// The end of a branch, and the conditions of the statements after it.
    private struct Branch {
        var flow: Flow
        /// The condition under which the statements after the branch run; nil if they always do.
        var rest: ScriptCondition?
        /// The numbers of conditional ends of the function and of the iteration.
        var (returns, continues): (Int, Int)
    }

    /// Follows `if`.
    mutating func conditional(
        _ test: JSExpression, _ then: [JSStatement], _ otherwise: [JSStatement], _ range: Range<Int>
    ) -> Flow {
        let value = evaluate(test)
        guard let condition = condition(value) else {
            issue(value.opaqueReason ?? "if", range)
            noteUnknownEnd(of: then + otherwise)
            return .normal
        }
        if case .constant(let isTrue) = condition { return block(isTrue ? then : otherwise) }
        guard guards.count < Self.maximumGuards, let source = condition.expression, ScriptCondition.compiles(source)
        else {
            if !(then + otherwise).allSatisfy(\.isOutput) { issue("if", range) }
            noteUnknownEnd(of: then + otherwise)
            return .normal
        }
        let start = outcome.assignments.count
        let first = branch(then, if: condition)
        let second = branch(otherwise, if: condition.negated)
        postponeAssignments(from: start, of: Set(uses.names(in: source)))
        switch (first.flow, second.flow) {
        case (.returned(let left), .returned(let right)):
            guard let left = left.expression, let right = right.expression else { return .returned(.opaque("if")) }
            return .returned(.computed("\(source) ? \(left) : \(right)", .any))
        case (.continued, .continued), (.stopped, .stopped), (.thrown, .thrown): return first.flow
        case (.thrown, .returned), (.returned, .thrown):
            return second.flow.isThrown ? first.flow : second.flow
        default: break
        }
        if first.flow.isEnd, second.flow.isEnd {
            isUnclear = true
            loop?.isOrdered = true
            return first.flow
        }
        skip(first, second, condition)
        return .normal
    }

    /// Moves the assignments of variables behind the others of the same branches, whose condition asks for their old values.
    private mutating func postponeAssignments(from start: Int, of names: Set<String>) {
        let branches = outcome.assignments[start...]
        let postponed = branches.filter { names.contains($0.previous) }
        guard !postponed.isEmpty, postponed.count < branches.count,
            Set(branches.map { $0.condition?.expression ?? "" }).count <= 2
        else { return }
        let others = branches.filter { !names.contains($0.previous) }
        // The others must not use the new values.
        for other in others {
            let used = other.value.expression.map { uses.names(in: $0) } ?? []
            if postponed.contains(where: { used.contains($0.name) }) { return }
        }
        outcome.assignments.replaceSubrange(start..., with: others + postponed)
    }

    /// Records that statements under an unknown condition may end the current function, loop or iteration.
    private mutating func noteUnknownEnd(of statements: [JSStatement]) {
        guard statements.contains(where: \.mayEnd) else { return }
        isUnclear = true
        loop?.isOrdered = true
        if statements.contains(where: \.mayReturn) { hasUnknownReturn = true }
    }

    /// Follows a branch, and takes back what it adds to the conditions of the following statements.
    private mutating func branch(_ statements: [JSStatement], if condition: ScriptCondition) -> Branch {
        let (start, outer) = (guards.count, continuations)
        guards.append(condition)
        continuations = []
        let flow = block(statements)
        let rest = Array(guards.dropFirst(start + 1))
        let continues = continuations.count
        if case .returned(let value) = flow { earlyReturns.append((.all(Array(guards[functionStart...])), value)) }
        guards.removeLast(guards.count - start)
        continuations = outer
        return Branch(flow: flow, rest: .all(rest), returns: rest.count - continues, continues: continues)
    }

    /// Makes the rest of the function or of the loop depend on the conditions under which two branches do not end it.
    private mutating func skip(_ first: Branch, _ second: Branch, _ condition: ScriptCondition) {
        var conditions: [ScriptCondition] = []
        if first.flow.isEnd {
            conditions = [condition.negated, second.rest].compactMap(\.self)
        } else if second.flow.isEnd {
            conditions = [condition, first.rest].compactMap(\.self)
        } else {
            if let rest = first.rest { conditions.append(.or(condition.negated, rest)) }
            if let rest = second.rest { conditions.append(.or(condition, rest)) }
        }
        var (returns, continues) = (first.returns + second.returns, first.continues + second.continues)
        for flow in [first.flow, second.flow] {
            switch flow {
            case .normal: break
            case .returned, .thrown: returns += 1
            case .continued: continues += 1
            case .stopped: isUnclear = true
            }
        }
        if returns > 0 { noteReturn() }
        if returns > 0, continues > 0 { isUnclear = true }
        if returns == 0, continues > 0 { continuations += conditions.indices.map { guards.count + $0 } }
        guards += conditions
    }

    // MARK: Results of functions

    /// Ends the current function with a value. An assertion is required here, where its conditions are known.
    mutating func returned(_ value: ScriptValue, _ range: Range<Int>) -> Flow {
        if guards.count > functionStart, case .chain(let chain) = value, !chain.conditions.isEmpty {
            finish(value, range)
            return .returned(.undefined)
        }
        return .returned(value)
    }

    /// Returns the result of the current function, which may have returned others before its end.
    func result(_ last: ScriptValue) -> ScriptValue {
        if earlyReturns.allSatisfy(\.value.isUndefined), earlyReturns.isEmpty || last.isUndefined { return last }
        var source = last.expression
        for (condition, value) in earlyReturns.reversed() {
            guard let test = condition?.expression, let value = value.expression, let rest = source else {
                return .opaque("return")
            }
            source = "\(ScriptTarget.operand(test)) ? \(ScriptTarget.operand(value)) : \(ScriptTarget.operand(rest))"
        }
        let isBool = ([last] + earlyReturns.map(\.value)).allSatisfy { $0.kind == .bool }
        return source.map { .computed($0, isBool ? .bool : .any) } ?? .opaque("return")
    }
}

extension ScriptTranslator.Flow {
    /// Whether the statements after this one do not run.
    var isEnd: Bool { if case .normal = self { false } else { true } }

    /// Whether an exception ends the function.
    var isThrown: Bool { if case .thrown = self { true } else { false } }
}
