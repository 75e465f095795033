import CEL
import RunModel
import SuiteModel

/// The names that a test's expressions can use, the first scope that has a name winning.
///
/// In order: values of a loop, the columns of a row, captures, variables of the command line, the step's, the test's, the
/// suite's.
final class TestScope {
    /// The scopes from which a look-up starts: an expression of a variable sees its own scope and the outer ones.
    enum Level: Int, Comparable {
        case step, test, suite

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// What expressions may use besides names.
    let context: CELContext
    private let suite: SuiteRun
    private var inherited: [(name: String, value: CELValue)]
    private let tests: CELValue?
    private let testLayer: VariableLayer?
    /// Whether the suite's variables are seen; a fragment sees those of the file in which it is written.
    private let seesSuite: Bool
    /// The names of secrets of a file of fragments.
    private let secrets: SecretNames
    /// The columns of the test's row.
    let row: RowLayer?
    /// What the loop of the present step gives.
    var loop: [(name: String, value: CELValue)] = []

    /// What the test's steps captured so far.
    private(set) var captured = TestCaptures()
    /// The steps that should have captured a name and have not, by the name.
    private var failedCaptures: [String: String] = [:]
    private var stepLayer: VariableLayer?
    /// Values of the suite's varying variables in the current step, so that each is evaluated once in it.
    private var varying: [String: CELValue] = [:]
    /// Exchanges of earlier steps that a later one reads, by name.
    private(set) var steps: [(name: String, exchange: CELValue)] = []
    /// The names that were used so far.
    private var used = UsedNames()
    /// The names as they stood when a step last did not pass.
    private var usedAtFailure: UsedNames?
    /// The names that the fragment has used whose call did not pass in the present step.
    private var usedInCall: UsedNames?

    /// Creates the scope of a test.
    ///
    /// - Parameters:
    ///   - row: the columns of the test's row, when it has one.
    ///   - inherited: values that other tests captured and this one uses.
    ///   - tests: the map behind `tests.ID`, when the test reads it.
    ///   - fragment: the fragment whose scope it is; its arguments are what is inherited.
    init(
        test: SuiteTest, suite: SuiteRun, row: RowLayer? = nil, inherited: [(name: String, value: CELValue)],
        tests: CELValue?, context: CELContext, fragment: Fragment? = nil
    ) {
        seesSuite = fragment?.origin.isInSuite ?? true
        secrets = fragment.map { $0.origin.isInSuite ? SecretNames() : $0.origin.secrets } ?? SecretNames()
        self.suite = suite
        self.row = row
        self.inherited = inherited
        self.tests = tests
        self.context = context
        testLayer = test.variables.isEmpty ? nil : VariableLayer(test.variables)
    }

    /// Begins a step.
    func begin(_ step: SuiteStep) {
        stepLayer = step.variables.isEmpty ? nil : VariableLayer(step.variables)
        usedInCall = nil
        if !varying.isEmpty { varying = [:] }
    }

    /// Gives a name a value that wins over variables.
    func bind(_ name: String, to value: CELValue) {
        inherited.append((name, value))
    }

    /// Whether the name has a value, or is that of a variable; nothing is evaluated.
    func knows(_ name: String) -> Bool {
        if name.hasPrefix("tests."), case .map(let known)? = tests { return known[String(name.dropFirst(6))] != nil }
        if name.hasPrefix("steps.") { return steps.contains { $0.name == name.dropFirst(6) } }
        return captured.value(of: name) != nil || inherited.contains { $0.name == name }
            || suite.givenVariables[name] != nil || stepLayer?.contains(name) == true
            || testLayer?.contains(name) == true || (seesSuite && suite.variables.contains(name))
    }

    /// Adds what a step captured.
    func add(captures: [(name: String, value: CELValue)]) {
        captured.values += captures
    }

    /// Notes which names a step has not captured that did not pass.
    func noteFailedCaptures(of step: SuiteStep, name: String) {
        for (capture, _) in step.definedNames where captured.value(of: capture) == nil {
            failedCaptures[capture] = name
        }
    }

    /// Takes back what was captured since there were so many captures.
    func takeCaptures(from count: Int) -> [(name: String, value: CELValue)] {
        let taken = Array(captured.values.dropFirst(count))
        captured.values.removeLast(taken.count)
        return taken
    }

    /// Keeps a step's exchange for `steps.NAME`.
    func keep(exchange: CELValue, ofStep name: String) {
        steps.removeAll { $0.name == name }
        steps.append((name, exchange))
    }

    /// Keeps the test's exchange for `tests.ID`.
    func keep(exchange: CELValue) {
        captured.exchange = exchange
    }

    /// The names that were used, each with the value that it had when a step last did not pass.
    var namesAtFailure: UsedNames { usedAtFailure ?? used }

    /// Takes the names that a fragment has used whose call did not pass; nil for one that passed.
    func noteCall(_ names: UsedNames?) {
        usedInCall = names
    }

    /// Keeps the names as they stand now, where a step has not passed; later steps may give them other values.
    func noteFailure() {
        var names = used
        if let usedInCall { names.note(usedInCall) }
        usedAtFailure = names
    }

    /// The view from a level.
    func view(_ level: Level) -> View {
        View(scope: self, level: level)
    }

    /// A scope as seen from one of its levels.
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
            suite.note(value, of: name)
            if !secrets.isEmpty, secrets.contains(name) { suite.learnSecret(value) }
        }
        return value
    }

    private func find(_ name: String, from level: Level) throws(CELEvaluationError) -> CELValue? {
        if level == .step, let value = loop.last(where: { $0.name == name })?.value { return value }
        if let row, let value = try row.value(of: name, in: view(.test), context: context) { return value }
        if let value = captured.value(of: name) { return value }
        if let value = inherited.last(where: { $0.name == name })?.value { return value }
        if let value = suite.givenVariables[name] { return value }
        do {
            if level <= .step, let value = try stepLayer?.value(of: name, in: view(.step), context: context) {
                return value
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
                message: "in the variable \(name): \(error.message)", isAtString: error.isAtString)
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

    /// A CEL map of named exchanges.
    static func map(_ entries: [(name: String, exchange: CELValue)]) -> CELValue {
        .map(CELMap(entries.map { ($0.name, $0.exchange) }))
    }
}

/// The names that are known before any test: the command line's variables, the suite's, and the server's port.
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

/// What a finished test leaves for the tests that depend on it.
struct TestCaptures: Sendable {
    /// Captured values by name; a later capture of the same name replaces an earlier one.
    var values: [(name: String, value: CELValue)] = []
    /// The last exchange as `tests.ID` gives it, kept only where a test reads it.
    var exchange: CELValue?

    /// The value captured under the name.
    func value(of name: String) -> CELValue? {
        values.last { $0.name == name }?.value
    }
}
