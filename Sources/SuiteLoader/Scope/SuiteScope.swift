import Basics
import Diagnostics
import SuiteModel

/// The names that a suite defines and uses, in flat arrays that follow the order of reading.
struct SuiteScope {
    /// A variable with the names that its value uses.
    struct VariableEntry {
        var name: String
        var range: SourceRange
        /// A range of ``LoadContext/uses``.
        var uses: Range<Int>
        /// How deep its value and the expressions in it are nested.
        var nesting = 0
    }

    /// What the names that an element uses can see of the elements before it.
    struct ElementUses {
        /// The names, a range of ``LoadContext/uses``.
        var uses: Range<Int>
        /// How many of the captures of all elements come before it.
        var captures: Int
    }

    /// What a step uses.
    struct StepEntry {
        /// A range of ``SuiteScope/variables``.
        var variables: Range<Int>
        /// A range of ``LoadContext/uses``.
        var uses: Range<Int>
        /// The ranges of ``LoadContext/uses`` of the defaults that the step keeps.
        var defaultUses: [Range<Int>]
        /// What the elements of `websocket` use, in order.
        var elementUses: [ElementUses] = []
        /// The names that `forEach` gives.
        var loopNames: [String] = []
        /// The names that the list of `forEach` uses, a range of ``LoadContext/uses``.
        var loopUses = 0..<0

        /// Whether the step uses no names and defines none that are read by others of it.
        var isPlain: Bool {
            uses.isEmpty && defaultUses.isEmpty && variables.isEmpty && elementUses.isEmpty && loopUses.isEmpty
        }
    }

    /// What a test uses.
    struct TestEntry {
        /// A range of ``SuiteScope/variables``.
        var variables: Range<Int>
        /// A range of ``SuiteScope/steps``.
        var steps: Range<Int>
        /// A range of ``SuiteScope/needs``.
        var needs: Range<Int>
        /// The place of the id.
        var idRange: SourceRange?
        /// What `if` uses, a range of ``LoadContext/uses``.
        var conditionUses: Range<Int>
        /// What gives the test rows; few tests have it, and drafts are large.
        @Indirect var data: DataDraft?

        /// Creates an entry.
        init(
            variables: Range<Int>, steps: Range<Int>, needs: Range<Int>, idRange: SourceRange? = nil,
            conditionUses: Range<Int> = 0..<0, data: DataDraft? = nil
        ) {
            self.variables = variables
            self.steps = steps
            self.needs = needs
            self.idRange = idRange
            self.conditionUses = conditionUses
            self.data = data
        }

        /// Whether the test itself, without its steps, uses no names and defines none.
        var isPlain: Bool { variables.isEmpty && conditionUses.isEmpty && data == nil }
    }

    /// A test named in `needs`.
    struct Need {
        var name: String
        var range: SourceRange
    }

    /// The variables of the suite, its tests and their steps.
    var variables: [VariableEntry] = []
    /// The steps of all tests.
    var steps: [StepEntry] = []
    /// The tests.
    var tests: [TestEntry] = []
    /// What all tests name in `needs`.
    var needs: [Need] = []
    /// The names that loops of steps give.
    var loopNames: Set<String> = []
    /// The suite's own variables, a range of ``variables``.
    var suiteVariables = 0..<0
    /// The names that `serve` uses.
    var serveUses = 0..<0
    /// The names that `baseURL` uses.
    var baseURLUses = 0..<0
    /// For each variable that environments which were not chosen have, their names.
    var otherEnvironments: [String: [String]] = [:]
    /// Whether the suite starts something, so that there is a port.
    var hasServe = false

    /// Whether neither a test nor any of its steps uses names or has variables, so that there is nothing to resolve.
    func isPlain(test index: Int) -> Bool {
        guard tests[index].isPlain else { return false }
        for step in tests[index].steps where !steps[step].isPlain { return false }
        return true
    }
}

/// Names of environments in words.
enum EnvironmentNames {
    /// The names with what they are: `the environments a and b`.
    static func phrase(_ names: [String]) -> String {
        "the \(names.count == 1 ? "environment" : "environments") \(list(names))"
    }

    /// The names alone, the first five of many.
    static func list(_ names: [String]) -> String {
        let quoted = names.prefix(5).map { "\"\($0)\"" }
        if names.count > 5 { return quoted.joined(separator: ", ") + ", …" }
        return quoted.count < 2
            ? quoted.joined() : quoted.dropLast().joined(separator: ", ") + " and " + (quoted.last ?? "")
    }
}
