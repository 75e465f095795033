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
        /// Whether the loop ends early.
        var hasBreak = false
        /// Whether something depends on the order of the elements.
        var isOrdered = false

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
    ) {
        // An element is a part of the list.
        aliases.formUnion(target.names)
        guard isOverKeys else {
            return repeated(over: list, name: target.name, range) { translator, element, _ in
                translator.run(statements) { $0.bind(target, element) }
            }
        }
        switch list {
        case .array(let elements) where elements.count <= Self.maximumRepetitions:
            for index in elements.indices { run(statements) { $0.bind(target, .number(String(index))) } }
        case .object(let members) where members.count <= Self.maximumRepetitions:
            for member in members { run(statements) { $0.bind(target, .literal(member.name)) } }
        default: issue(list.opaqueReason ?? "for in", range)
        }
    }

    /// Follows `for (let name = 0; name < end; name++)`.
    mutating func count(_ name: String, _ end: ScriptValue, _ statements: [JSStatement], _ range: Range<Int>) {
        switch end {
        case .number(let number):
            guard let count = Int(number), count <= Self.maximumRepetitions else { return issue("for", range) }
            for index in 0..<max(0, count) { run(statements) { $0.define(name, .number(String(index))) } }
        case .length(let list):
            guard let path = list.path else { return issue("for", range) }
            repeated(over: list, name: nil, range) { translator, element, _ in
                let outer = translator.positions.updateValue(element, forKey: path)
                translator.run(statements) { $0.define(name, .position(path)) }
                translator.positions[path] = outer
            }
        default: issue(end.opaqueReason ?? "for", range)
        }
    }

    /// Follows the statements of a loop once.
    private mutating func run(_ statements: [JSStatement], binding: (inout ScriptTranslator) -> Void) {
        let (guardCount, outer) = (guards.count, continuations)
        continuations = []
        scopes.append([:])
        binding(&self)
        if case .returned = block(statements) { noteReturn() }
        scopes.removeLast()
        // After `continue`, the next element does not depend on the condition of this one.
        guards = guards.indices.filter { $0 < guardCount || !continuations.contains($0) }.map { guards[$0] }
        continuations = outer
    }

    /// Records that the function around a loop ends, unlike a callback that ends for an element.
    mutating func noteReturn() { if loop?.callDepth == callDepth { loop?.isOrdered = true } }

    /// Follows `break`.
    mutating func endLoop(_ range: Range<Int>) {
        if loop == nil { issue("break", range) }
        loop?.hasBreak = true
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
            var loop = Loop(outerScopes: scopes.count, callDepth: callDepth)
            result.loop = loop
            body(&result, .body(path.appending(.each)), .opaque("index"))
            loop = result.loop ?? loop
            result.loop = self.loop
            let issues = result.outcome.issues[outcome.issues.count...]
            if issues.isEmpty, loop.changes.isEmpty, !loop.hasBreak { return self = result }
            other.steps = result.steps
            if loop.hasBreak {
                // The expectations of the loop are about its first elements only.
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

    /// Requires what the body of a loop does for all elements of a list, as assertions.
    ///
    /// - Parameter parts: The parts of the script whose assertions are required; nil for all.
    /// - Returns: Whether an expression says the same. If none does, only the steps are counted.
    private mutating func require(
        ofElementsOf list: String, named name: String?, parts: [Range<Int>]?, _ body: LoopBody
    ) -> Bool {
        let element = variables.unused(ImportedNames.valid(name ?? "element"))
        var other = self
        other.outcome = ScriptOutcome()
        other.guards = []
        other.loop = Loop(outerScopes: scopes.count, callDepth: callDepth, parts: parts)
        body(&other, .computed(element, .any), .opaque("index"))
        steps = other.steps
        guard let loop = other.loop, !loop.isOrdered, other.outcome.hasOnlyChecks,
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
