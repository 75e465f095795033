import CEL
import Diagnostics

/// Adds the results of scripts to an exchange.
struct ScriptTarget {
    /// The exchange.
    var step: ImportedStep
    /// The exchanges before it.
    private(set) var setups: [ImportedStep] = []
    /// The maximum size of the choice between several values of a variable, in bytes.
    private static let maximumChoice = 2_000

    /// The expressions of the values that captures of the step have.
    private var values: [String: String] = [:]
    /// The variables that scripts set before the request.
    private(set) var assignments: [ScriptOutcome.Assignment] = []
    /// The next request that the scripts select.
    private(set) var next: ScriptOutcome.Next?
    /// The time in milliseconds that the scripts wait before the request.
    private(set) var delay = 0
    /// The time in milliseconds that the scripts wait after the response.
    private(set) var pause = 0
    /// Whether the scripts skip the request.
    private(set) var isSkipped = false

    /// Creates a target without results.
    init(step: ImportedStep) { self.step = step }

    /// Adds the result of a script.
    ///
    /// - Parameters:
    ///   - hasValue: Returns whether a variable of the suite has a value before the exchange.
    ///   - note: Returns the comment for a part without a translation; nil if another exchange has it.
    mutating func add(
        _ outcome: ScriptOutcome, _ phase: ScriptTranslator.Phase, hasValue: (_ name: String) -> Bool = { _ in false },
        note: (ScriptOutcome.Issue) -> ImportNote?
    ) {
        next = outcome.next ?? next
        isSkipped = isSkipped || outcome.isSkipped
        add(outcome.checks)
        for setup in outcome.setups {
            var other = ScriptTarget(step: ImportedStep(setup.request))
            other.add(setup.checks)
            other.step.captures = setup.assignments.compactMap { Self.capture($0) }
            setups.append(other.step)
        }
        let notes = outcome.issues.compactMap(note)
        switch phase {
        case .beforeRequest:
            step.notes += notes
            assignments += outcome.assignments
            for change in outcome.changes { change.apply(to: &step.request) }
            delay += outcome.delay
        case .afterResponse:
            step.checkNotes += notes
            pause += outcome.delay
            let expected = Set(step.checks)
            for assignment in outcome.assignments { capture(assignment, expected, hasValue) }
        }
    }

    /// Adds expectations.
    mutating func add(_ checks: [ImportedCheck]) { step.checks = Self.simplified(step.checks + checks) }

    /// Returns expectations without those of existence that others imply.
    private static func simplified(_ checks: [ImportedCheck]) -> [ImportedCheck] {
        let exists = ImportedMatcher(.exists, true)
        let implying: Set<ImportedMatcher.Operator> = [
            .equals, .type, .contains, .startsWith, .endsWith, .matches, .oneOf, .gt, .gte, .lt, .lte, .between,
            .closeTo,
            .length, .empty, .each, .like,
        ]
        var implied: Set<ImportedCheck.Subject> = []
        for case .matches(let subject, let matcher) in checks
        where matcher.clauses.contains(where: { implying.contains($0.operator) }) {
            implied.insert(subject)
        }
        if implied.isEmpty { return checks }
        return checks.filter { check in
            if case .matches(let subject, exists) = check { return !implied.contains(subject) }
            return true
        }
    }

    /// Adds the capture that sets a variable after the response.
    ///
    /// If the script sets it under a condition, it keeps its value otherwise: that of an earlier assignment, or that before
    /// the exchange. A condition that is also an expectation always holds.
    private mutating func capture(
        _ assignment: ScriptOutcome.Assignment, _ expected: Set<ImportedCheck>, _ hasValue: (_ name: String) -> Bool
    ) {
        var assignment = assignment
        if let condition = assignment.condition {
            if condition.isExcluded(by: expected) { return }
            assignment.condition = condition.remaining(after: expected)
        }
        let (name, previous) = (assignment.name, assignment.previous)
        let isSet = values[previous] != nil
        var source = assignment.value.expression
        var capture = Self.capture(assignment)
        if let condition = assignment.condition, let test = condition.expression, let value = source {
            let other = name == previous ? values[name] : nil
            // Without a previous value, a part of the response may be missing.
            let needsDefault = other == nil && !isSet && !hasValue(previous)
            let choice =
                "\(Self.operand(test)) ? \(Self.operand(value)) : \(other ?? (needsDefault ? "null" : previous))"
            if choice.utf8.count <= Self.maximumChoice, ScriptCondition.compiles(choice) {
                let isMissingOtherwise =
                    needsDefault && capture?.fallback != nil && condition.asksOnly(for: assignment.value)
                if !isMissingOtherwise { capture = ImportedCapture(name, .expression(choice)) }
                source = choice
            }
        }
        guard let capture else { return }
        if values[name] != nil { step.captures.removeAll { $0.name == name } }
        step.captures.append(capture)
        values[name] = source
    }

    /// Returns an expression as an operand of `?` and `:`.
    static func operand(_ source: String) -> String {
        source.contains(" ? ") ? ScriptValue.operand(source) : source
    }

    /// Returns the capture that sets a variable.
    static func capture(_ assignment: ScriptOutcome.Assignment) -> ImportedCapture? {
        let source: ImportedCapture.Source
        var pattern: String?
        switch assignment.value {
        case .body(let path): source = .json(ImportedText(path.query))
        case .part(.header(let name)): source = .header(ImportedText(name))
        case .part(.cookie(let name)): source = .cookie(ImportedText(name))
        case .part(.status): source = .status
        case .part(.text): source = .text
        case .part(.content): source = .body
        default:
            guard let expression = assignment.value.expression else { return nil }
            source = .expression(expression)
            pattern = nil
        }
        var capture = ImportedCapture(assignment.name, source)
        capture.pattern = pattern
        if assignment.condition != nil {
            switch source {
            // Without the condition, the value may be missing.
            case .json, .header, .cookie: capture.fallback = .null
            default: break
            }
        }
        return capture
    }
}

/// Places the variables that scripts set before requests.
struct ScriptAssignments {
    /// The variables that each exchange sets, in the order of the run.
    var assignments: [[ScriptOutcome.Assignment]] = []
    private var uses = NameUses()

    /// A variable that an exchange has set.
    private struct Local {
        /// The name in the exchange.
        var variable: String
        /// The value as an expression.
        var source: String
    }

    /// Creates the placement for exchanges without assignments.
    init() {}

    /// Adds the variables to a suite whose tests have one exchange each, in the same order.
    ///
    /// A variable that is set once, or only where it has no value, and that depends on nothing, becomes a variable of the
    /// suite. Others become variables of the exchange, and captures where later exchanges use them.
    mutating func place(in suite: inout ImportedSuite) {
        var counts: [String: Int] = [:]
        for list in assignments { for assignment in list { counts[assignment.name, default: 0] += 1 } }
        // The value at the start decides whether others are set.
        var tested: Set<String> = []
        for assignment in assignments.joined() {
            let names = assignment.condition?.expression.map { uses.names(in: $0) } ?? []
            tested.formUnion(names.filter { $0 != assignment.name })
        }
        let captured = Set(suite.steps.flatMap { $0.captures.map(\.name) })
        var defaults = DefaultVariables(assignments, in: suite)
        let used = suite.tests.map { names(in: $0.steps.last) }
        var (firstUse, lastUse): ([String: Int], [String: Int]) = ([:], [:])
        for (index, names) in used.enumerated() {
            for name in names {
                lastUse[name] = index
                firstUse[name] = firstUse[name] ?? index
            }
        }
        let declared = Set(
            (suite.variables + suite.environments.flatMap(\.variables)).lazy.filter { !$0.isEmpty }.map(\.name))
        for (index, list) in assignments.enumerated() {
            for assignment in list {
                for name in names(in: assignment) { lastUse[name] = max(index, lastUse[name] ?? 0) }
            }
        }
        for (index, list) in assignments.enumerated() where suite.tests.indices.contains(index) {
            var local: [String: Local] = [:]
            for assignment in list {
                guard let value = assignment.value.imported else { continue }
                let isDefault = defaults.contains(assignment) && !tested.contains(assignment.name)
                if isDefault, defaults.hasValue(assignment, before: index) { continue }
                let hasInitialUse = declared.contains(assignment.name) && firstUse[assignment.name] ?? index < index
                let isSole =
                    counts[assignment.name] == 1 && assignment.condition == nil && !tested.contains(assignment.name)
                    && !hasInitialUse
                if isSole || isDefault, !captured.contains(assignment.name),
                    names(in: value).allSatisfy({ counts[$0] == nil && !captured.contains($0) })
                {
                    define(assignment.name, value, isDefault: isDefault, in: &suite)
                    defaults.note(assignment.name)
                    counts[assignment.name] = nil
                    continue
                }
                place(assignment, value, index, used[index], lastUse, captured, &local, &suite)
            }
        }
    }

    private mutating func place(
        _ assignment: ScriptOutcome.Assignment, _ value: ImportedValue, _ index: Int, _ used: Set<String>,
        _ lastUse: [String: Int], _ captured: Set<String>, _ local: inout [String: Local],
        _ suite: inout ImportedSuite
    ) {
        let name = assignment.name
        let last = suite.tests[index].steps.count - 1
        guard last >= 0 else { return }
        let isUsedHere = used.contains(name) || assignments[index].contains { $0.name != name && uses($0, name) }
        let isUsedLater = (lastUse[name] ?? -1) > index
        guard isUsedHere || isUsedLater else { return }
        var (assignment, value) = (assignment, value)
        var keepsPrevious = false
        let test = assignment.condition?.expression.map { resolved($0, local) }
        // The values that the exchange has set before may decide.
        if let test, case .bool(let holds)? = try? CELExpression(test).constantValue {
            if !holds { return }
            assignment.condition = nil
        }
        if let test, assignment.condition != nil,
            let source = assignment.value.expression.map({ resolved($0, local) })
        {
            let isKnown = captured.contains(name) || suite.definedNames.contains(name)
            let other = assignment.previous
            let isOtherKnown = local[other] != nil || captured.contains(other) || suite.definedNames.contains(other)
            let before = isKnown ? name : isOtherKnown ? resolved(other, local) : "null"
            let previous = local[name]?.source ?? before
            keepsPrevious = local[name] == nil && isKnown
            assignment.value = .computed(
                "\(ScriptTarget.operand(test)) ? \(ScriptTarget.operand(source)) : \(ScriptTarget.operand(previous))",
                .any)
            assignment.condition = nil
            value = assignment.value.imported ?? value
        }
        if isUsedHere {
            // A capture would hide a variable of the exchange with the same name, and that of the suite is its previous value.
            let isHidden = isUsedLater || captured.contains(name) || keepsPrevious
            let variable = local[name]?.variable ?? (isHidden ? unusedName(like: name, in: suite) : name)
            suite.tests[index].steps[last].variables.removeAll { $0.name == variable }
            if variable != name, local[name] == nil {
                let earlier = Set(local.values.map(\.variable))
                rename(name, to: variable, in: &suite.tests[index].steps[last], except: earlier)
            }
            suite.tests[index].steps[last].variables.append(ImportedVariable(variable, value))
            local[name] = Local(variable: variable, source: assignment.value.expression ?? variable)
            if isUsedLater {
                suite.tests[index].steps[last].captures.removeAll {
                    $0.name == name && $0.source == .expression(variable)
                }
                suite.tests[index].steps[last].captures.insert(ImportedCapture(name, .expression(variable)), at: 0)
            }
        } else if let capture = ScriptTarget.capture(assignment) {
            // A value of the response replaces it.
            let isReplaced = suite.tests[index].steps[last].captures.contains { $0.name == name }
            if isReplaced, local[name] == nil { return }
            suite.tests[index].steps[last].captures.removeAll { $0.name == name && local[name] != nil }
            suite.tests[index].steps[last].captures.insert(capture, at: 0)
            local[name] = Local(variable: name, source: assignment.value.expression ?? name)
        }
    }

    /// Returns an expression with the values of variables that the exchange has set before.
    private mutating func resolved(_ source: String, _ local: [String: Local]) -> String {
        local.isEmpty ? source : uses.replacing(local.mapValues { ScriptValue.operand($0.source) }, in: source)
    }

    private func unusedName(like name: String, in suite: ImportedSuite) -> String {
        var names = ImportedNames()
        for other in suite.definedNames { _ = names.unique(other) }
        _ = names.unique(name)
        return names.unique("new" + name.prefix(1).uppercased() + name.dropFirst())
    }

    /// Renames a variable in an exchange.
    ///
    /// - Parameter earlier: The variables of the exchange that got their values before, and so use the previous value.
    private mutating func rename(
        _ name: String, to other: String, in step: inout ImportedStep, except earlier: Set<String>
    ) {
        var uses = uses
        let transform = FormTransform { uses.renaming(name, to: other, in: $0) }
        let (captures, variables) = (step.captures, step.variables)
        transform.applyBeforeResponse(to: &step)
        for index in step.variables.indices where earlier.contains(step.variables[index].name) {
            step.variables[index] = variables[index]
        }
        transform.applyAfterResponse(to: &step)
        if captures.contains(where: { $0.name == name }) { step.captures = captures }
        self.uses = uses
    }

    /// Defines a variable of the suite.
    ///
    /// - Parameter isDefault: Whether environments keep their own values.
    private func define(
        _ name: String, _ value: ImportedValue, isDefault: Bool, in suite: inout ImportedSuite
    ) {
        if let index = suite.variables.firstIndex(where: { $0.name == name }) {
            suite.variables[index].value = value
        } else {
            suite.variables.append(ImportedVariable(name, value))
        }
        for index in suite.environments.indices {
            suite.environments[index].variables.removeAll { $0.name == name && (!isDefault || $0.isEmpty) }
        }
    }

    private mutating func uses(_ assignment: ScriptOutcome.Assignment, _ name: String) -> Bool {
        names(in: assignment).contains(name)
    }

    /// Returns the names in the value and the condition of an assignment.
    private mutating func names(in assignment: ScriptOutcome.Assignment) -> Set<String> {
        var result = assignment.value.imported.map { names(in: $0) } ?? []
        if let test = assignment.condition?.expression { result.formUnion(uses.names(in: test)) }
        return result
    }

    private mutating func names(in value: ImportedValue) -> Set<String> {
        var result: Set<String> = []
        value.forEachText { for source in $0.expressions { result.formUnion(uses.names(in: source)) } }
        return result
    }

    private mutating func names(in step: ImportedStep?) -> Set<String> {
        guard var step else { return [] }
        var sources: [String] = []
        let transform = FormTransform {
            sources.append($0)
            return $0
        }
        transform.applyBeforeResponse(to: &step)
        transform.applyAfterResponse(to: &step)
        var result: Set<String> = []
        for source in sources { result.formUnion(uses.names(in: source)) }
        return result
    }
}

/// The variables that scripts set only where they have no value.
private struct DefaultVariables {
    /// The variables that are never set otherwise.
    private let names: Set<String>
    /// The variables with a value, and those with a value that is not empty.
    private var initial: Set<String>
    private var filled: Set<String>
    /// The position of the first test that sets each variable after its response.
    private var captures: [String: Int] = [:]

    init(_ assignments: [[ScriptOutcome.Assignment]], in suite: ImportedSuite) {
        let all = assignments.joined()
        names = Set(all.lazy.map(\.name)).subtracting(all.lazy.filter { $0.defaultKind == nil }.map(\.name))
        initial = Set((suite.variables + suite.environments.flatMap(\.variables)).map(\.name))
        filled = Set(suite.variables.lazy.filter { !$0.isEmpty }.map(\.name))
        for (index, test) in suite.tests.enumerated() {
            for capture in test.steps.flatMap(\.captures) where captures[capture.name] == nil {
                captures[capture.name] = index
            }
        }
    }

    /// Returns whether an assignment is one of such a variable.
    func contains(_ assignment: ScriptOutcome.Assignment) -> Bool { names.contains(assignment.name) }

    /// Returns whether the variable has a value before a test, so that the assignment has no effect.
    func hasValue(_ assignment: ScriptOutcome.Assignment, before test: Int) -> Bool {
        let name = assignment.name
        if let first = captures[name], first < test { return true }
        return assignment.defaultKind == .missing ? initial.contains(name) : filled.contains(name)
    }

    /// Records that a variable has a value from now on.
    mutating func note(_ name: String) {
        initial.insert(name)
        filled.insert(name)
    }
}
