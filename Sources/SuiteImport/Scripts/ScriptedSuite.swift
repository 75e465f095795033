import Diagnostics
import SuiteLint

/// The suite of a collection whose requests have scripts, which tools build from their own kinds of requests.
struct ScriptedSuite {
    /// The suite with the tests so far.
    private(set) var suite: ImportedSuite
    /// The variables that requests and scripts use.
    var variables = ScriptVariables()
    /// The initial values of variables, by their names in the suite.
    private(set) var values: [String: String] = [:]
    /// The rules by which scripts select requests by their names.
    private let rules: ScriptFlow.Rules
    private var flow: [ScriptFlow.Step] = []
    private var assignments: [[ScriptOutcome.Assignment]] = []
    /// The names of the variables of the collection and of its environments that have a value which a suite may contain.
    private var initial: Set<String> = []
    /// The names of the variables that the tests so far set after their responses.
    private var captured: Set<String> = []
    /// The scripts of directories whose notes and counts are already recorded.
    private var recorded: Set<String> = []

    /// Creates a suite without tests and variables.
    init(_ suite: ImportedSuite, rules: ScriptFlow.Rules = ScriptFlow.Rules()) {
        self.suite = suite
        self.rules = rules
    }

    /// Adds the variables of the collection and those of its environments.
    mutating func add(_ common: [ScriptVariable], environments lists: [(name: String, variables: [ScriptVariable])]) {
        let all = common + lists.flatMap(\.variables)
        ScriptVariable.note(all, &variables)
        let cyclic = ScriptVariable.cyclic(all)
        suite.variables = ScriptVariable.imported(common, cyclic: cyclic, &variables)
        for list in lists {
            var environment = ImportedEnvironment(name: list.name)
            environment.variables = ScriptVariable.imported(list.variables, cyclic: cyclic, &variables)
            suite.environments.append(environment)
        }
        let declared = suite.variables + suite.environments.flatMap(\.variables)
        initial = Set(
            declared.lazy.filter { !$0.isEmpty && !$0.isSecret && !SecretShape.isSecretName($0.name) }.map(\.name))
        for variable in lists.flatMap(\.variables).reversed() + common.filter({ !$0.value.isEmpty }) {
            values[variables.name(variable.key)] = variable.value
        }
    }

    /// Adds a test with the effects of its scripts. One without a URL, which tools do not send, is skipped.
    ///
    /// - Parameter id: The identifier of the request in the collection, by which scripts can select it.
    mutating func add(_ test: ImportedTest, _ target: ScriptTarget, id: String? = nil) {
        var test = test
        if let last = test.steps.indices.last, test.steps[last].request.url.isEmpty {
            test.steps[last].request.url = ImportedText("/")
            let reason = "the request has no URL"
            // Requests of the script before it are sent.
            if last > 0 { test.steps[last].skip = reason } else { test.skip = test.skip ?? reason }
        }
        for step in test.steps { captured.formUnion(step.captures.map(\.name)) }
        variables.constants = [:]
        suite.tests.append(test)
        assignments.append(target.assignments)
        flow.append(
            ScriptFlow.Step(name: test.name, id: id, next: target.next, delay: target.delay, pause: target.pause))
    }

    /// Adds the effects of a script to a target, with comments about the parts that are not translated.
    ///
    /// - Parameter shared: The identity of a script that several requests share, which is counted once, and whose
    ///   comments stand at the first request; nil for that of a request.
    mutating func record(
        _ outcome: ScriptOutcome, of source: ScriptSource, in file: SourceFile, shared: String?,
        _ phase: ScriptTranslator.Phase, _ target: inout ScriptTarget, _ context: inout ImportContext
    ) {
        let isFirst = shared.map { recorded.insert($0).inserted } ?? true
        if isFirst {
            context.translatedAssertions(outcome.translated)
            for kind in outcome.omitted { context.omitted(kind) }
        }
        let (initial, captured) = (initial, captured)
        target.add(outcome, phase, hasValue: { initial.contains($0) || captured.contains($0) }) { issue in
            isFirst ? context.note(issue, of: source, in: file) : nil
        }
    }

    /// Returns comments about the dynamic values of the last request that are unknown.
    mutating func unknownDynamicValues(
        in file: SourceFile, line: Int?, _ context: inout ImportContext
    ) -> [ImportNote] {
        defer { variables.unknownDynamicValues = [] }
        return variables.unknownDynamicValues.map { context.untranslated("{{\($0)}}", in: file, line: line) }
    }

    /// Returns the suite with its tests in the order in which scripts run them.
    ///
    /// - Parameter note: Returns a comment about the request at a position in the order of the collection.
    mutating func arranged(note: (_ construct: String, _ index: Int) -> ImportNote) -> ImportedSuite {
        ScriptFlow.arrange(flow, rules, &suite.tests, &assignments, note: note)
        var placement = ScriptAssignments()
        placement.assignments = assignments
        placement.place(in: &suite)
        suite.keepsCookies = suite.tests.count > 1
        return suite
    }
}
