/// Loops over the elements of a list.
extension ScriptTranslator {
    /// A loop over a list of the response, which is followed once for all elements.
    struct Loop {
        /// A change to a variable outside of the loop.
        struct Change {
            var variable: String
            var old: ScriptValue
            var new: ScriptValue
            /// The condition under which an element changes the variable; nil if each one does.
            var condition: ScriptCondition?
        }

        /// The number of scopes outside of the loop.
        var outerScopes: Int
        /// The number of calls around the loop.
        var callDepth: Int
        /// The parts of the script whose assertions are required; nil for all.
        var parts: [Range<Int>]?
        /// The changes to variables outside of the loop, in order.
        var changes: [Change] = []
        /// The number of times that the statements read each variable outside of the loop.
        var reads: [String: Int] = [:]
        /// Whether the loop ends early.
        var hasBreak = false
        /// Whether something depends on the order of the elements.
        var isOrdered = false

        /// Whether a change affects the statements for later elements, because they read the variable.
        var hasFeedback: Bool {
            changes.contains { change in
                let own = changes.count { $0.variable == change.variable }
                return switch (change.old, change.new) {
                // The change itself reads the variable.
                case (.array, .array), (.number, .number): reads[change.variable] ?? 0 > own
                default: reads[change.variable] ?? 0 > 0
                }
            }
        }

        /// Returns whether the assertions of a part of the script are required.
        func requires(_ range: Range<Int>) -> Bool {
            parts?.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound } ?? true
        }
    }

    /// Follows the body of a loop for an element and its index, which is unknown in a list of the response.
    typealias LoopBody = (inout ScriptTranslator, _ element: ScriptValue, _ index: ScriptValue) -> Void

    /// The maximum number of repetitions of a loop over constants.
    static let maximumRepetitions = 100

    // MARK: Statements

    /// Follows `for (const target of list)` or `for (const target in list)`.
    mutating func iterate(
        _ target: JSPattern, isOverKeys: Bool, over list: ScriptValue, _ statements: [JSStatement], _ range: Range<Int>
    ) -> Flow {
        // An element is a part of the list.
        aliases.formUnion(target.names)
        switch list {
        case .array(let elements) where elements.count <= Self.maximumRepetitions:
            return constants(elements.count, statements, range) { translator, index in
                translator.bind(target, isOverKeys ? .number(String(index)) : elements[index])
            }
        case .object(let members) where isOverKeys && members.count <= Self.maximumRepetitions:
            return constants(members.count, statements, range) { translator, index in
                translator.bind(target, .literal(members[index].name))
            }
        case _ where isOverKeys: issue(list.opaqueReason ?? "for in", range)
        default:
            repeated(over: list, name: target.name, range) { translator, element, _ in
                _ = translator.run(statements) { $0.bind(target, element) }
            }
        }
        return .normal
    }

    /// Follows `for (let name = 0; name < end; name++)`.
    mutating func count(
        _ name: String, _ end: ScriptValue, _ statements: [JSStatement], _ range: Range<Int>
    ) -> Flow {
        switch end {
        case .number(let number):
            guard let count = Int(number), count <= Self.maximumRepetitions else {
                issue("for", range)
                return .normal
            }
            return constants(max(0, count), statements, range) { $0.define(name, .number(String($1))) }
        case .length(let list):
            guard let path = list.path else {
                issue("for", range)
                return .normal
            }
            repeated(over: list, name: nil, range) { translator, element, _ in
                let outer = translator.positions.updateValue(element, forKey: path)
                _ = translator.run(statements) { $0.define(name, .position(path)) }
                translator.positions[path] = outer
            }
        default: issue(end.opaqueReason ?? "for", range)
        }
        return .normal
    }

    /// Follows a loop over constants.
    private mutating func constants(
        _ count: Int, _ statements: [JSStatement], _ range: Range<Int>,
        binding: (inout ScriptTranslator, _ index: Int) -> Void
    ) -> Flow {
        var other = self
        (other.isInConstantLoop, other.isUnclear) = (true, false)
        var flow = Flow.normal
        for index in 0..<count where !flow.isEnd { flow = other.run(statements) { binding(&$0, index) } }
        if other.isUnclear {
            steps = other.steps
            issue("for", range)
            return .normal
        }
        (other.isInConstantLoop, other.isUnclear) = (isInConstantLoop, isUnclear)
        self = other
        if case .stopped = flow { return .normal }
        return flow
    }

    /// Follows the statements of a loop once.
    private mutating func run(_ statements: [JSStatement], binding: (inout ScriptTranslator) -> Void) -> Flow {
        let (guardCount, outer) = (guards.count, continuations)
        continuations = []
        scopes.append(Scope())
        binding(&self)
        let flow = block(statements)
        scopes.removeLast()
        // After `continue`, the next element does not depend on the condition of this one.
        guards = guards.indices.filter { $0 < guardCount || !continuations.contains($0) }.map { guards[$0] }
        continuations = outer
        switch flow {
        case .returned, .thrown: noteReturn()
        case .normal, .stopped: break
        case .continued: return .normal
        }
        return flow
    }

    /// Records that the function around a loop ends, unlike a callback that ends for an element.
    mutating func noteReturn() { if loop?.callDepth == callDepth { loop?.isOrdered = true } }

    /// Follows `break`. In a loop over a list of the response, it must follow the only change of a variable.
    mutating func endLoop() -> Flow {
        guard !isInConstantLoop, let loop else { return .stopped }
        let change = loop.changes.count == 1 ? loop.changes[0] : nil
        if loop.hasBreak || change == nil || change?.condition?.expression != condition?.expression {
            self.loop?.isOrdered = true
        }
        self.loop?.hasBreak = true
        return .normal
    }

    /// Records that an expression reads a variable.
    mutating func noteRead(_ name: String) {
        guard let loop, let index = scopes.lastIndex(where: { $0[name] != nil }), index < loop.outerScopes else {
            return
        }
        self.loop?.reads[name, default: 0] += 1
    }

    // MARK: Elements

    /// Follows the body of a loop for the elements of a list.
    ///
    /// - Parameter name: The name of an element in the script; nil if it has none.
    mutating func repeated(over list: ScriptValue, name: String?, _ range: Range<Int>, _ body: LoopBody) {
        if case .array(let elements) = list, elements.count <= Self.maximumRepetitions {
            for (index, element) in elements.enumerated() { body(&self, element, .number(String(index))) }
            return
        }
        var result = self
        var other = self
        var parts: [Range<Int>]?
        if let path = list.path {
            let loop = result.follow(.body(path.appending(.each)), parts: nil, body)
            let issues = result.outcome.issues[outcome.issues.count...]
            let isOrdered = loop.isOrdered || loop.hasFeedback || loop.hasBreak
            if issues.isEmpty, loop.changes.isEmpty, !isOrdered { return self = result }
            other.steps = result.steps
            if isOrdered {
                // The expectations are about some of the elements only, or differ between them.
                result = other
                result.issue("for", range)
            } else {
                parts = issues.map(\.range)
                other = result
                other.outcome.issues.removeLast(issues.count)
                other.scopes = scopes
            }
        } else {
            result.issue(list.opaqueReason ?? "for", range)
        }
        // A condition of an element has no matcher, and the value of a variable depends on all elements.
        if list.path != nil || list.isExpression, let operand = list.operand,
            other.require(ofElementsOf: operand, named: name, parts: parts, body)
        {
            self = other
        } else {
            self = result
            steps = other.steps
        }
    }

    /// Follows a function for an element of a list, and returns how it depends on other elements.
    ///
    /// - Parameter parts: The parts of the script whose assertions are required; nil for all.
    mutating func follow(_ element: ScriptValue, parts: [Range<Int>]?, _ body: LoopBody) -> Loop {
        let (outer, wasInConstantLoop) = (loop, isInConstantLoop)
        let started = Loop(outerScopes: scopes.count, callDepth: callDepth, parts: parts)
        (loop, isInConstantLoop) = (started, false)
        body(&self, element, .opaque("index"))
        let ended = loop ?? started
        (loop, isInConstantLoop) = (outer, wasInConstantLoop)
        for (name, count) in ended.reads { for _ in 0..<count { noteRead(name) } }
        return ended
    }

    /// Requires what the body of a loop does for all elements of a list, as assertions.
    ///
    /// - Parameter parts: The parts of the script whose assertions are required; nil for all.
    /// - Returns: Whether an expression says the same. If none does, only the steps are counted.
    private mutating func require(
        ofElementsOf list: String, named name: String?, parts: [Range<Int>]?, _ body: LoopBody
    ) -> Bool {
        let element = variables.element(named: name)
        var other = self
        other.outcome = ScriptOutcome()
        other.guards = []
        other.functionStart = 0
        other.variables.elements.insert(element)
        let loop = other.follow(.computed(element, .any), parts: parts, body)
        other.variables.elements = variables.elements
        steps = other.steps
        guard !loop.isOrdered, !loop.hasFeedback, other.outcome.hasOnlyChecks,
            !loop.hasBreak || other.outcome.checks.isEmpty
        else { return false }
        let values = loop.changes.compactMap { Self.value(after: $0, of: list, element, hasBreak: loop.hasBreak) }
        let sources = other.outcome.checks.compactMap { check in
            if case .assertion(let source) = check { "\(list).all(\(element), \(source))" } else { nil }
        }
        let checks = sources.compactMap { ScriptCondition.expression($0).guarded(by: guards).checks }
        guard checks.count == other.outcome.checks.count, values.count == loop.changes.count,
            Set(loop.changes.map(\.variable)).count == values.count
        else { return false }
        variables = other.variables
        if let reads = other.loop?.reads { self.loop?.reads = reads }
        outcome.checks += checks.joined()
        outcome.translated += other.outcome.translated
        for (change, value) in zip(loop.changes, values) { assign(change.variable, value) }
        return true
    }

    /// Returns the value of a variable after a loop that changes it at one place; nil if it has no expression.
    private static func value(
        after change: Loop.Change, of list: String, _ element: String, hasBreak: Bool
    ) -> ScriptValue? {
        var test: String?
        if let condition = change.condition {
            guard let source = condition.expression else { return nil }
            test = source
        }
        let selected = test.map { "\(list).filter(\(element), \($0))" } ?? list
        switch (change.old, change.new) {
        case (.bool(let old), .bool(let new)) where old != new:
            // A flag: `if (book.id === 7) { found = true; }`
            guard let test else { return nil }
            return .computed("\(new ? "" : "!")\(list).exists(\(element), \(test))", .bool)
        case (.array(let old), .array(let new)) where old.isEmpty && new.count == 1 && !hasBreak:
            guard let source = new[0].expression else { return nil }
            return .computed(source == element ? selected : "\(selected).map(\(element), \(source))", .list)
        case (.number(let old), .number(let new)) where !hasBreak:
            guard let old = Int(old), Int(new) == old + 1 else { return nil }
            return .computed(old == 0 ? "size(\(selected))" : "(\(old) + size(\(selected)))", .number)
        case (.null, _) where hasBreak, (.undefined, _) where hasBreak:
            // The first element that meets a condition.
            guard let test, change.new.expression == element else { return nil }
            return selection("find", list, element, test)
        default: return nil
        }
    }
}
