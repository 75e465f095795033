/// The variables of a script.
extension ScriptTranslator {
    /// The variables of a block of the script.
    struct Scope {
        /// The values by names, each with the number of conditions around the declaration.
        private(set) var variables: [String: (value: ScriptValue, guards: Int)] = [:]

        /// The value of a variable; nil if the block does not declare it.
        subscript(_ name: String) -> ScriptValue? { variables[name]?.value }

        /// Declares a variable.
        mutating func declare(_ name: String, _ value: ScriptValue, guards: Int) { variables[name] = (value, guards) }

        /// The same variables, declared under no conditions.
        var withoutConditions: Scope {
            Scope(variables: variables.mapValues { ($0.value, 0) })
        }

        /// Changes a variable.
        mutating func set(_ name: String, to value: ScriptValue) { variables[name, default: (value, 0)].value = value }
    }

    func lookUp(_ name: String) -> ScriptValue? {
        for scope in scopes.reversed() { if let value = scope[name] { return value } }
        return nil
    }

    mutating func define(_ name: String, _ value: ScriptValue) {
        scopes[scopes.count - 1].declare(name, bounded(value), guards: guards.count)
    }

    /// The conditions under which the current statement changes a variable whose declaration has run.
    func guards(since name: String) -> [ScriptCondition] {
        let declared = scopes.reversed().lazy.compactMap { $0.variables[name]?.guards }.first ?? 0
        return Array(guards.dropFirst(declared))
    }

    /// Returns a value, unless it is larger than scripts need.
    ///
    /// Values share their parts, so a script of few lines, such as `a = [a, a]`, could create one that is too large to
    /// be written.
    private mutating func bounded(_ value: ScriptValue) -> ScriptValue {
        var rest = Self.maximumSize
        value.charge(&rest)
        steps += (Self.maximumSize - max(0, rest)) / 100
        return rest < 0 ? .opaque("script") : value
    }

    /// Changes a variable of the script.
    mutating func assign(_ name: String, _ value: ScriptValue) {
        var value = bounded(value)
        let index = scopes.indices.last { scopes[$0][name] != nil } ?? 0
        if let loop, index < loop.outerScopes {
            if loop.hasBreak { self.loop?.isOrdered = true }
            let change = Loop.Change(
                variable: name, old: scopes[index][name] ?? .undefined, new: value, condition: condition)
            self.loop?.changes.append(change)
            scopes[index].set(name, to: .opaque("for"))
            return
        }
        if let condition = ScriptCondition.all(guards(since: name)), let old = lookUp(name) {
            switch (old, value) {
            case (.undefined, .body), (.undefined, .part), (.undefined, .function), (.null, .body), (.null, .part):
                break
            default:
                if let test = condition.expression, let new = value.expression,
                    let old = old.expression ?? (old.isUndefined ? "null" : nil)
                {
                    value = .computed("\(test) ? \(new) : \(old)", value.kind)
                } else {
                    value = .opaque("if")
                }
            }
        }
        scopes[index].set(name, to: value)
    }

    /// Returns a value that is the same at all of its uses: one that is made up becomes a variable, unless it has a single use.
    mutating func keepingMadeUp(_ value: ScriptValue, as name: String) -> ScriptValue {
        guard loop == nil, let source = value.expression, RandomText.isMadeUp(source), countOfUses(of: name) > 1 else {
            return value
        }
        let variable = variables.madeUp(name)
        variables.note(value, of: variable)
        outcome.assignments.append(
            ScriptOutcome.Assignment(source: variable, name: variable, previous: variable, value: value))
        return .computed(variable, value.kind)
    }

    /// Makes a variable of the script refer to the made-up value that was just set, so that its later uses have the same one.
    mutating func shareMadeUp(_ expression: JSExpression, _ value: ScriptValue) {
        guard case .name(let name) = expression.kind, guards.isEmpty, loop == nil, let source = value.expression,
            RandomText.isMadeUp(source), let last = outcome.assignments.last, last.value.expression == source,
            let index = scopes.indices.last(where: { scopes[$0][name] != nil })
        else { return }
        scopes[index].set(name, to: .computed(last.name, value.kind))
    }

    /// Returns how often the script uses a variable, in addition to its declarations.
    private mutating func countOfUses(of name: String) -> Int {
        if counts == nil {
            var found: [String: Int] = [:]
            let tokens = (try? JSLexer.tokens(of: text, in: 0..<text.count)) ?? []
            for (index, token) in tokens.enumerated() {
                guard case .name(let name) = token.kind else { continue }
                let previous = index > 0 ? tokens[index - 1].kind : .end
                let isDeclared = ["let", "const", "var"].contains { previous == .name($0) }
                if !isDeclared, previous != .punctuator("."), previous != .punctuator("?.") {
                    found[name, default: 0] += 1
                }
            }
            counts = found
        }
        return counts?[name] ?? 0
    }

    /// Records that a variable refers to an object that another variable contains.
    mutating func noteAlias(_ target: JSPattern, _ source: JSExpression?, _ value: ScriptValue) {
        switch value {
        case .object, .array, .body, .part(.content), .computed, .selected, .date, .host("Date()"): break
        default: return
        }
        switch source?.kind {
        case .name, .member, .index: aliases.formUnion(target.names)
        default: break
        }
    }

    /// Binds the names of a pattern to the parts of a value.
    mutating func bind(_ pattern: JSPattern, _ value: ScriptValue) {
        switch pattern {
        case .name(let name): define(name, value)
        case .object(let members):
            for member in members { bind(member.target, self.member(of: value, member.name)) }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let element { bind(element, self.element(of: value, .number(String(index)))) }
            }
        case .defaulted(let target, let fallback):
            if case .undefined = value { bind(target, evaluate(fallback)) } else { bind(target, value) }
        }
    }
}
