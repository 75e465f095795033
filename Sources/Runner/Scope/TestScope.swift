import Basics
import CEL
import RunModel
import SuiteModel

/// The names available to a test's expressions. Inner scopes take precedence.
///
/// From inner to outer: loop values, columns of the row, captures, command-line variables, step variables, variables of
/// groups, test variables, suite variables.
final class TestScope {
    /// The scope at which a lookup starts. The expression of a variable sees its own scope and the outer ones.
    enum Level: Int, Comparable {
        case step, group, test, suite

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The evaluation context of expressions, apart from names.
    let context: CELContext
    private let suite: SuiteRun
    private var inherited: [(name: String, value: CELValue)]
    private let tests: CELValue?
    private let testLayer: VariableLayer?
    /// Whether the suite's variables are visible. A fragment sees those of the file that defines it.
    private let seesSuite: Bool
    /// The secret names of a fragment file; nil for steps of the suite.
    private let secrets: SecretNames?
    /// The columns of the test's row.
    let row: RowLayer?
    /// The values of the loops of the current step and of the groups that contain it, the innermost last.
    var loop: [(name: String, value: CELValue)] = []

    /// The values captured by the test's steps so far.
    private(set) var captured = TestCaptures()
    /// The captures of the current step that have no value.
    private var missing: Set<String> = []
    /// The failed steps, by the names that they did not capture.
    private var failedCaptures: [String: String] = [:]
    private var stepLayer: VariableLayer?
    /// The variables of the groups that contain the current step, the innermost last.
    private var groupLayers: [VariableLayer] = []
    /// The values of the suite's varying variables, which are evaluated once per step.
    private var varying: [String: CELValue] = [:]
    /// The exchanges of previous steps that later steps read, by name.
    private(set) var steps: [(name: String, exchange: CELValue)] = []
    /// The names that were used so far.
    private var used = UsedNames()
    /// The names and their values at the time of the last failure of a step.
    private var usedAtFailure: UsedNames?
    /// The names used by the fragment whose call failed in the current step.
    private var usedInCall: UsedNames?

    /// Creates the scope of a test.
    ///
    /// - Parameters:
    ///   - variables: The variables of the test.
    ///   - row: The columns of the test's row, if it has one.
    ///   - inherited: The values that other tests captured for this one.
    ///   - tests: The map for `tests.ID`, if the test reads it.
    ///   - fragment: The fragment that the scope belongs to. In this case, `inherited` contains its arguments.
    init(
        variables: [Variable], suite: SuiteRun, row: RowLayer? = nil, inherited: [(name: String, value: CELValue)],
        tests: CELValue?, context: CELContext, fragment: Fragment? = nil
    ) {
        seesSuite = fragment?.origin.isInSuite ?? true
        secrets = fragment.flatMap { $0.origin.isInSuite ? nil : $0.origin.secrets }
        self.suite = suite
        self.row = row
        self.inherited = inherited
        self.tests = tests
        self.context = context
        testLayer = variables.isEmpty ? nil : VariableLayer(variables)
    }

    /// Starts a step.
    func begin(_ step: SuiteStep) {
        stepLayer = step.variables.isEmpty ? nil : VariableLayer(step.variables)
        usedInCall = nil
        if !missing.isEmpty { missing = [] }
        if !varying.isEmpty { varying = [:] }
    }

    /// Starts a repetition of a group, whose variables its steps see.
    func enter(_ group: SuiteStep) {
        groupLayers.append(VariableLayer(group.variables))
    }

    /// Ends the repetition of the group that started last.
    func leave() {
        stepLayer = groupLayers.popLast()
    }

    /// Binds a name to a value that takes precedence over variables.
    func bind(_ name: String, to value: CELValue) {
        inherited.append((name, value))
    }

    /// Returns whether the name has a value or belongs to a variable, without evaluating anything.
    func knows(_ name: String) -> Bool {
        if name.hasPrefix("tests."), case .map(let known)? = tests { return known[String(name.dropFirst(6))] != nil }
        if name.hasPrefix("steps.") { return steps.contains { $0.name == name.dropFirst(6) } }
        return captured.value(of: name) != nil || inherited.contains { $0.name == name }
            || suite.givenVariables[name] != nil || stepLayer?.contains(name) == true
            || groupLayers.contains { $0.contains(name) }
            || testLayer?.contains(name) == true || (seesSuite && suite.variables.contains(name))
    }

    /// Adds the captures of a step.
    func add(captures: [(name: String, value: CELValue)]) {
        captured.values += captures
    }

    /// Adds a capture of the current step, so that its expectations and further captures see it.
    ///
    /// - Parameter value: The value; nil if the capture has none, so that no previous capture takes its place.
    func add(capture name: String, value: CELValue?) {
        if let value { captured.values.append((name, value)) } else { missing.insert(name) }
    }

    /// Records the names that a failed step did not capture.
    func noteFailedCaptures(of step: SuiteStep, name: String) {
        for (capture, _) in step.definedNames where captured.value(of: capture) == nil {
            failedCaptures[capture] = name
        }
    }

    /// Removes and returns the captures after the given number of captures.
    func takeCaptures(from count: Int) -> [(name: String, value: CELValue)] {
        missing = []
        let taken = Array(captured.values.dropFirst(count))
        captured.values.removeLast(taken.count)
        return taken
    }

    /// Captures the step's own variables with the given names, which are the values for the first iteration of its loop.
    func captureVariables(of step: SuiteStep, named names: Set<String>) throws(TemplateError) {
        for variable in step.variables where names.contains(variable.name) {
            guard suite.givenVariables[variable.name] == nil else { continue }
            let value = try stepLayer?.value(of: variable.name, in: view(.step), context: context)
            if let value { captured.values.append((variable.name, value)) }
        }
    }

    /// Removes all captures after the given number of captures except the last one of each name.
    func keepLastCaptures(from count: Int) {
        var last: [(name: String, value: CELValue)] = []
        for capture in takeCaptures(from: count).reversed() where !last.contains(where: { $0.name == capture.name }) {
            last.append(capture)
        }
        captured.values += last.reversed()
    }

    /// Stores a step's exchange for `steps.NAME`.
    func keep(exchange: CELValue, ofStep name: String) {
        steps.removeAll { $0.name == name }
        steps.append((name, exchange))
    }

    /// Stores the test's exchange for `tests.ID`.
    func keep(exchange: CELValue) {
        captured.exchange = exchange
    }

    /// The names that were used, with their values at the time of the last failure of a step.
    var namesAtFailure: UsedNames { usedAtFailure ?? used }

    /// Records the names used by a fragment whose call failed; nil if it passed.
    func noteCall(_ names: UsedNames?) {
        usedInCall = names
    }

    /// Saves the names with their current values after a failed step, because later steps may change them.
    func noteFailure() {
        var names = used
        if let usedInCall { names.note(usedInCall) }
        usedAtFailure = names
    }

    /// Returns the view from a level.
    func view(_ level: Level) -> View {
        View(scope: self, level: level)
    }

    /// A view of a scope from one of its levels.
    struct View: CELScope {
        let scope: TestScope
        let level: Level

        func value(of name: String) throws(CELEvaluationError) -> CELValue? {
            try scope.value(of: name, from: level)
        }
    }

    fileprivate func value(of name: String, from level: Level) throws(CELEvaluationError) -> CELValue? {
        let value = try find(name, from: level)
        if let value {
            used.note(value, of: name)
            if let secrets, secrets.contains(name) {
                suite.registerSecret(value, of: name)
            } else if secrets?.excludes(name) != true {
                suite.note(value, of: name)
            }
        }
        return value
    }

    private func find(_ name: String, from level: Level) throws(CELEvaluationError) -> CELValue? {
        if level <= .group, let value = loop.last(where: { $0.name == name })?.value { return value }
        if let row, let value = try row.value(of: name, in: view(.test), context: context) { return value }
        if !missing.isEmpty, missing.contains(name) {
            throw CELEvaluationError(message: "\"\(name)\" was not captured", isUnavailable: true)
        }
        if let value = captured.value(of: name) { return value }
        if let value = inherited.last(where: { $0.name == name })?.value { return value }
        if let value = suite.givenVariables[name] { return value }
        do {
            if level <= .step, let value = try stepLayer?.value(of: name, in: view(.step), context: context) {
                return value
            }
            if level <= .group, !groupLayers.isEmpty {
                for layer in groupLayers.reversed() {
                    if let value = try layer.value(of: name, in: view(.group), context: context) { return value }
                }
            }
            if level <= .test, let value = try testLayer?.value(of: name, in: view(.test), context: context) {
                return value
            }
            if seesSuite, let template = suite.variables.varying(name) {
                if let value = varying[name] { return value }
                let value = try template.value(in: view(.step), context: context)
                varying[name] = value
                return value
            }
            if seesSuite, let value = try suite.variables.value(of: name, in: SuiteVariableScope(run: suite)) {
                return value
            }
        } catch {
            throw CELEvaluationError(
                message: "in the variable \(name): \(error.message)", isAtString: error.isAtString,
                isUnavailable: error.isUnavailable)
        }
        switch name {
        case "tests": return tests
        case "steps": return steps.isEmpty ? nil : Self.map(steps)
        case "port": return suite.port.map { .int(Int64($0)) }
        default:
            guard let step = failedCaptures[name] else { return nil }
            throw CELEvaluationError(message: "\"\(name)\" was not captured by the step \"\(step)\"")
        }
    }

    /// Returns a CEL map of named exchanges.
    static func map(_ entries: [(name: String, exchange: CELValue)]) -> CELValue {
        .map(CELMap(entries.map { ($0.name, $0.exchange) }))
    }
}

/// The names known before any test: command-line variables, the suite's variables, and the server's port.
struct SuiteVariableScope: CELScope {
    let run: SuiteRun

    func value(of name: String) throws(CELEvaluationError) -> CELValue? {
        let value = try find(name)
        if let value { run.note(value, of: name) }
        return value
    }

    private func find(_ name: String) throws(CELEvaluationError) -> CELValue? {
        if let value = run.givenVariables[name] { return value }
        do {
            if let value = try run.variables.value(of: name, in: self) { return value }
        } catch {
            throw CELEvaluationError(
                message: "in the variable \(name): \(error.message)", isAtString: error.isAtString)
        }
        return name == "port" ? run.port.map { .int(Int64($0)) } : nil
    }
}

/// The captures of a finished test, for the tests that depend on it.
struct TestCaptures: Sendable {
    /// The captured values with their names. A later capture replaces a previous one with the same name.
    var values: [(name: String, value: CELValue)] = []
    /// The last exchange as the value of `tests.ID`, stored only if a test reads it.
    var exchange: CELValue?

    /// Returns the value captured under a name.
    func value(of name: String) -> CELValue? {
        values.last { $0.name == name }?.value
    }
}
