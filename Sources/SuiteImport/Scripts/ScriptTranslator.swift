/// Translates scripts of API tests into expectations and captures by following them without running them.
///
/// A value that is known only during the run is kept as a part of the response or as an expression. Functions of the
/// script are followed where they are called.
struct ScriptTranslator {
    /// The time at which a script runs.
    enum Phase {
        case beforeRequest, afterResponse
    }

    /// The way in which a list of statements ends.
    enum Flow {
        case normal
        case returned(ScriptValue)
        /// The next element of a loop follows.
        case continued
        /// The innermost loop ends.
        case stopped
        /// An exception ends the function.
        case thrown
    }

    let dialect: ScriptDialect
    let phase: Phase
    /// The request of the script.
    let request: ScriptRequest
    /// The names of the variables.
    var variables: ScriptVariables
    /// The result so far.
    var outcome = ScriptOutcome()
    /// The conditions under which the current statement runs.
    var guards: [ScriptCondition] = []
    var uses = NameUses()
    var scopes = [Scope()]
    let text: [UInt8]
    var steps = 0
    private(set) var callDepth = 0
    /// The lists of the body from which the script has removed elements.
    var shortened: Set<BodyPath> = []
    /// The variables of the script that may refer to parts of other ones.
    var aliases: Set<String> = []
    /// The conditions under which the results of `tests` are true, by their names.
    var results: [String: ScriptCondition] = [:]
    /// The expectations so far.
    private var expected: Set<ImportedCheck> = []
    /// Whether the script has read the body as JSON.
    var readsJSON = false
    /// Whether the current statement is in a `try` whose handler ignores failed assertions.
    var catchesFailures = false
    /// The current loop over a list of the response.
    var loop: Loop?
    /// The elements that the indexes of loops refer to, by the paths of their lists.
    var positions: [BodyPath: ScriptValue] = [:]
    /// The guards after `continue`, by their positions.
    var continuations: [Int] = []
    /// Whether the innermost loop is one over constants.
    var isInConstantLoop = false
    /// Whether an unknown condition ends the current loop over constants.
    var isUnclear = false
    /// The number of uses of each variable in the text of the script; nil if they are not counted yet.
    var counts: [String: Int]?
    /// Whether an unknown condition may have ended the current function.
    var hasUnknownReturn = false
    /// The values that the current function returns under conditions, before its end.
    var earlyReturns: [(condition: ScriptCondition?, value: ScriptValue)] = []
    /// The number of guards at the start of the current function.
    var functionStart = 0
    /// Whether a statement of the current `try` has thrown something that its handler ignores.
    private var hasThrown = false

    /// The maximum number of expressions and statements to follow.
    private static let maximumSteps = 50_000
    private static let maximumCallDepth = 12
    /// The maximum size of a variable, in parts and in groups of 64 bytes of text.
    static let maximumSize = 20_000

    /// Translates a script.
    ///
    /// - Parameters:
    ///   - statements: The statements of `text`, parsed by ``JSParser``.
    static func translate(
        _ statements: [JSStatement], of text: [UInt8], in phase: Phase, _ dialect: ScriptDialect,
        request: ScriptRequest, _ variables: inout ScriptVariables
    ) -> ScriptOutcome {
        var translator = ScriptTranslator(
            dialect: dialect, phase: phase, request: request, variables: variables, text: text)
        _ = translator.execute(statements)
        variables = translator.variables
        return translator.outcome
    }

    /// Returns the value of a single expression; an opaque one if it cannot be parsed.
    static func value(
        of text: String, _ dialect: ScriptDialect, _ variables: inout ScriptVariables
    ) -> ScriptValue {
        let bytes = Array(text.utf8)
        let statements = JSParser.statements(of: bytes)
        guard statements.count == 1, case .expression(let expression) = statements[0].kind else {
            return .opaque("assert")
        }
        var translator = ScriptTranslator(
            dialect: dialect, phase: .afterResponse, request: ScriptRequest(), variables: variables, text: bytes)
        let value = translator.evaluate(expression)
        variables = translator.variables
        return value
    }

    private init(
        dialect: ScriptDialect, phase: Phase, request: ScriptRequest, variables: ScriptVariables, text: [UInt8]
    ) {
        self.dialect = dialect
        self.phase = phase
        self.request = request
        self.variables = variables
        self.text = text
    }

    /// Counts a step, and returns whether more are allowed.
    mutating func isWithinLimit() -> Bool {
        steps += 1
        return steps <= Self.maximumSteps
    }

    // MARK: Results

    /// Records that a part of the script has no translation.
    mutating func issue(_ construct: String, _ range: Range<Int>, atLeast minimum: Int = 0) {
        forget(changedIn: range, construct)
        if outcome.issues.contains(where: { $0.range == range }) { return }
        outcome.issues.append(
            ScriptOutcome.Issue(construct: construct, range: range, assertions: max(minimum, assertionCount(in: range)))
        )
    }

    /// Returns the number of assertions in a part of the script.
    private func assertionCount(in range: Range<Int>) -> Int {
        let source = String(decoding: text[range], as: UTF8.self)
        return ["expect(", "pm.response.to.", "tests[", "assert("].reduce(0) { count, mark in
            count + source.split(separator: mark, omittingEmptySubsequences: false).count - 1
        }
    }

    /// Records conditions that must hold.
    mutating func require(_ conditions: [ScriptCondition], _ range: Range<Int>, reason: String) {
        if let loop, !loop.requires(range) { return }
        var checks: [ImportedCheck] = []
        let open = guards.filter { !$0.isExpected(by: expected) }
        for condition in conditions {
            guard let list = condition.guarded(by: open).checks else { return issue(reason, range, atLeast: 1) }
            checks += list
        }
        outcome.checks += checks
        expected.formUnion(checks)
        outcome.translated += 1
    }

    /// The condition under which the current statement runs; nil if it always does.
    var condition: ScriptCondition? { .all(guards) }

    /// Returns whether the failure of the current assertion has no effect, and counts it then.
    mutating func isCaught() -> Bool {
        if catchesFailures { outcome.omitted.append("assertions whose failures are caught") }
        return catchesFailures
    }

    /// Records the result of a statement.
    mutating func finish(_ value: ScriptValue, _ range: Range<Int>) {
        switch value {
        case .chain(let chain):
            if chain.conditions.isEmpty {
                // Without a call, a method of an assertion checks nothing.
                if chain.isUncalled { return outcome.omitted.append("assertions without a call") }
                return issue("expect", range, atLeast: 1)
            }
            if isCaught() { return }
            let reason = chain.subject.opaqueReason ?? "expect"
            require(chain.conditions, range, reason: reason)
        case .opaque(let reason): issue(reason, range)
        default: break
        }
    }

    // MARK: Statements

    /// Follows statements in a scope of their own.
    mutating func block(_ statements: [JSStatement]) -> Flow {
        scopes.append(Scope())
        defer { scopes.removeLast() }
        return execute(statements)
    }

    mutating func execute(_ statements: [JSStatement]) -> Flow {
        for case .function(let name, let function) in statements.lazy.map(\.kind) { define(name, .function(function)) }
        for (index, statement) in statements.enumerated() {
            guard isWithinLimit() else {
                issue("script", statement.range)
                return .normal
            }
            let flow = execute(statement)
            if flow.isEnd { return flow }
            if hasUnknownReturn {
                let rest = statements[(index + 1)...].filter { !$0.isOutput }
                if let first = rest.first, let last = rest.last {
                    issue("return", first.range.lowerBound..<last.range.upperBound)
                }
                return .normal
            }
        }
        return .normal
    }

    private mutating func execute(_ statement: JSStatement) -> Flow {
        switch statement.kind {
        case .empty, .function: break
        case .thrown:
            if isCaught() { hasThrown = true } else { require([.constant(false)], statement.range, reason: "throw") }
            return .thrown
        case .unsupported(let construct): issue(construct, statement.range)
        case .expression(let expression): finish(evaluate(expression), statement.range)
        case .declaration(let declarations):
            for declaration in declarations {
                var value = declaration.value.map { evaluate($0) } ?? .undefined
                if case .name(let name) = declaration.target { value = keepingMadeUp(value, as: name) }
                if case .opaque(let reason) = value { issue(reason, statement.range) }
                noteAlias(declaration.target, declaration.value, value)
                bind(declaration.target, value)
            }
        case .block(let statements): return block(statements)
        case .attempt(let statements, let handler, let end): return attempt(statements, handler, end)
        case .returned(let expression): return returned(expression.map { evaluate($0) } ?? .undefined, statement.range)
        case .conditional(let test, let then, let otherwise):
            return conditional(test, then, otherwise, statement.range)
        case .counting(let name, let end, let body): return count(name, evaluate(end), body, statement.range)
        case .iteration(let target, let isOverKeys, let list, let body):
            return iterate(target, isOverKeys: isOverKeys, over: evaluate(list), body, statement.range)
        case .stopped: return endLoop()
        case .continued: return .continued
        }
        return .normal
    }

    private mutating func attempt(
        _ statements: [JSStatement], _ handler: [JSStatement]?, _ end: [JSStatement]
    ) -> Flow {
        let (hadCaught, hadThrown, guardCount) = (catchesFailures, hasThrown, guards.count)
        if let handler {
            if handler.allSatisfy(\.isOutput) {
                catchesFailures = true
            } else if !handler.allSatisfy({ $0.isOutput || $0.isThrown }) {
                outcome.omitted.append("handlers of exceptions")
            }
        }
        hasThrown = false
        var flow = block(statements)
        // A caught `throw` ends only these statements.
        if hasThrown {
            guards.removeLast(guards.count - guardCount)
            continuations.removeAll { $0 >= guardCount }
            flow = .normal
        }
        (catchesFailures, hasThrown) = (hadCaught, hadThrown)
        let last = block(end)
        if last.isEnd { flow = last }
        return flow
    }

    // MARK: Calls

    /// Returns the result of a function of the script.
    mutating func call(_ function: JSFunction, _ arguments: [ScriptValue]) -> ScriptValue {
        guard callDepth < Self.maximumCallDepth, isWithinLimit() else { return .opaque("function") }
        callDepth += 1
        scopes.append(Scope())
        let (outerReturns, outerStart, hadUnknownReturn) = (earlyReturns, functionStart, hasUnknownReturn)
        (earlyReturns, functionStart, hasUnknownReturn) = ([], guards.count, false)
        defer {
            callDepth -= 1
            scopes.removeLast()
            guards.removeLast(guards.count - functionStart)
            continuations.removeAll { $0 >= functionStart }
            (earlyReturns, functionStart, hasUnknownReturn) = (outerReturns, outerStart, hadUnknownReturn)
        }
        for (index, parameter) in function.parameters.enumerated() {
            aliases.formUnion(parameter.names)
            bind(parameter, index < arguments.count ? arguments[index] : .undefined)
        }
        let flow = execute(function.body)
        if hasUnknownReturn { return .opaque("return") }
        if case .returned(let value) = flow { return result(value) }
        return result(.undefined)
    }

    /// Follows a function that gets the response to another request, and returns its effects.
    mutating func followAfterResponse(_ function: JSFunction, _ arguments: [ScriptValue]) -> ScriptOutcome {
        var other = ScriptTranslator(
            dialect: dialect, phase: .afterResponse, request: request, variables: variables, text: text)
        other.scopes = scopes.map(\.withoutConditions)
        other.steps = steps
        other.callDepth = callDepth
        _ = other.call(function, arguments)
        variables = other.variables
        steps = other.steps
        return other.outcome
    }

    /// Follows a callback, whose result may be an assertion.
    mutating func run(_ callback: ScriptValue, _ arguments: [ScriptValue], _ range: Range<Int>) {
        // A test reports its own failure.
        let hasCaught = catchesFailures
        defer { catchesFailures = hasCaught }
        catchesFailures = false
        switch callback {
        case .function(let function):
            let range = function.body.count == 1 ? function.body[0].range : range
            finish(call(function, arguments), range)
        default: issue(callback.opaqueReason ?? "function", range)
        }
    }

    // MARK: Conditions

    /// Returns a value as a condition; nil if it is unknown.
    func condition(_ value: ScriptValue) -> ScriptCondition? {
        switch value {
        case .condition(let condition): return condition.simplified
        case .bool(let value): return .constant(value)
        case .null, .undefined: return .constant(false)
        case .number(let number): return .constant(Double(number) != 0)
        case .text(let text):
            if let literal = text.literal { return .constant(!literal.isEmpty) }
            return .truth(value)
        case .array, .object, .function, .validator, .pattern, .date: return .constant(true)
        case .host("pm.response"): return .constant(true)
        case .host, .opaque, .chain, .position: return nil
        case .selected(let selection):
            if let truth = selection.truth { return truth }
            let test = ScriptCondition.truth(.computed(selection.source, .any))
            return selection.existence.map { .and($0, test) } ?? test
        case .body, .part, .length, .typeName, .computed, .bytes:
            return value.expression == nil && !value.isBody ? nil : .truth(value)
        }
    }
}
