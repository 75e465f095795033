import Basics
import Diagnostics
import SuiteModel

/// The names that a suite defines and uses, in flat arrays in source order.
struct SuiteScope {
    /// A variable and the names that its value uses.
    struct VariableEntry {
        var name: String
        var range: SourceRange
        /// The names that the value uses, as a range of ``LoadContext/uses``.
        var uses: Range<Int>
        /// The nesting depth of the value and its expressions.
        var nesting = 0
    }

    /// The names that a WebSocket element uses, and the captures that it can see.
    struct ElementUses {
        /// The names, as a range of ``LoadContext/uses``.
        var uses: Range<Int>
        /// The number of captures that precede the element.
        var captures: Int
    }

    /// The names that a group defines for its steps.
    struct EnclosingGroup {
        /// The variables of the group, as a range of ``SuiteScope/variables``.
        var variables: Range<Int>
        /// The loop variables of the group.
        var loopNames: [String]
    }

    /// The names that a step defines and uses.
    struct StepEntry {
        /// The variables of the step, as a range of ``SuiteScope/variables``.
        var variables: Range<Int>
        /// The names that the step uses, as a range of ``LoadContext/uses``.
        var uses: Range<Int>
        /// The names that the retained defaults use, as ranges of ``LoadContext/uses``.
        var defaultUses: [Range<Int>]
        /// The names that the elements of `websocket` use, in order.
        var elementUses: [ElementUses] = []
        /// The names that `save` and `print` use, which see the captures of the step, as a range of
        /// ``LoadContext/uses``.
        var outputUses = 0..<0
        /// The loop variables of `forEach`.
        var loopNames: [String] = []
        /// The names that the list of `forEach` uses, as a range of ``LoadContext/uses``.
        var loopUses = 0..<0
        /// The names that the limits of the whole step use, which do not see the variables of its loop, as ranges of
        /// ``LoadContext/uses``.
        var limitUses: [Range<Int>] = []
        /// The groups that enclose the step, from the outermost.
        var groups: [EnclosingGroup] = []
        /// The names that conditions after the step use, as ranges of ``LoadContext/uses``.
        var conditionUses: [Range<Int>] = []

        /// Whether the step uses no names and has no variables.
        var isPlain: Bool {
            uses.isEmpty && defaultUses.isEmpty && variables.isEmpty && elementUses.isEmpty && loopUses.isEmpty
                && outputUses.isEmpty && conditionUses.isEmpty && limitUses.isEmpty
        }
    }

    /// The names that a test defines and uses.
    struct TestEntry {
        /// The variables of the test, as a range of ``SuiteScope/variables``.
        var variables: Range<Int>
        /// The steps of the test, as a range of ``SuiteScope/steps``.
        var steps: Range<Int>
        /// The `needs` of the test, as a range of ``SuiteScope/needs``.
        var needs: Range<Int>
        /// The source range of the id.
        var idRange: SourceRange?
        /// The names that `if`, `xfail`, `timeout` and `retry` use, as ranges of ``LoadContext/uses``.
        var conditionUses: [Range<Int>]
        /// The source of the test's rows. It is indirect because few tests have rows and drafts are large.
        @Indirect var data: DataDraft?

        /// Creates an entry.
        init(
            variables: Range<Int>, steps: Range<Int>, needs: Range<Int>, idRange: SourceRange? = nil,
            conditionUses: [Range<Int>] = [], data: DataDraft? = nil
        ) {
            self.variables = variables
            self.steps = steps
            self.needs = needs
            self.idRange = idRange
            self.conditionUses = conditionUses
            self.data = data
        }

        /// Whether the test itself, without its steps, uses and defines no names.
        var isPlain: Bool { variables.isEmpty && conditionUses.isEmpty && data == nil }
    }

    /// A test that is named under `needs`.
    struct Need {
        var name: String
        var range: SourceRange
    }

    /// The variables of the suite, its tests, and their steps.
    var variables: [VariableEntry] = []
    /// The steps of all tests.
    var steps: [StepEntry] = []
    /// The tests.
    var tests: [TestEntry] = []
    /// The `needs` of all tests.
    var needs: [Need] = []
    /// The loop variables of all steps.
    var loopNames: Set<String> = []
    /// The suite's own variables, as a range of ``variables``.
    var suiteVariables = 0..<0
    /// The variables whose values are the output of programs, as indices of ``variables``.
    var commandVariables: Set<Int> = []
    /// The names that `serve` uses.
    var serveUses = 0..<0
    /// The names that `baseURL` uses.
    var baseURLUses = 0..<0
    /// The names of the environments that are not selected, by the variables that they define.
    var otherEnvironments: [String: [String]] = [:]
    /// Whether the suite starts a server, so that there is a port.
    var hasServe = false

    /// Returns the variables that a step sees besides those of its test, by name: its own and those of its groups.
    func variables(of step: StepEntry) -> [String: Int] {
        var dictionary: [String: Int] = [:]
        for range in step.groups.map(\.variables) + [step.variables] {
            for index in range { dictionary[variables[index].name] = index }
        }
        return dictionary
    }

    /// Returns whether neither a test nor any of its steps uses names or has variables, so that there is nothing to
    /// resolve.
    func isPlain(test index: Int) -> Bool {
        guard tests[index].isPlain else { return false }
        for step in tests[index].steps where !steps[step].isPlain { return false }
        return true
    }
}

/// Formats the names of environments for messages.
enum EnvironmentNames {
    /// Returns the names with a noun: `the environments "a" and "b"`.
    static func phrase(_ names: [String]) -> String {
        "the \(names.count == 1 ? "environment" : "environments") \(list(names))"
    }

    /// Returns the quoted names, limited to the first five.
    static func list(_ names: [String]) -> String {
        let quoted = names.prefix(5).map { "\"\($0)\"" }
        if names.count > 5 { return quoted.joined(separator: ", ") + ", …" }
        return quoted.count < 2
            ? quoted.joined() : quoted.dropLast().joined(separator: ", ") + " and " + (quoted.last ?? "")
    }
}
