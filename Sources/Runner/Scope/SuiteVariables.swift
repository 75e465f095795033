import Basics
import CEL
import JSON
import RunModel
import SuiteModel
import Synchronization

/// The variables of a suite.
///
/// A variable that uses only values common to all tests is evaluated once for the entire suite, by the first test that
/// reads it. A variable is evaluated in the scope of its reader if it uses a capture, or a name that a test or fragment
/// of the suite also defines.
final class SuiteVariables: Sendable {
    private let variables: [Variable]
    private let indices: [String: Int]
    private let isShared: [Bool]
    /// The variables whose values are the output of programs.
    private let commands: Set<Int>
    private let values: Mutex<[CELValue?]>
    private let context: @Sendable (Int) -> CELContext

    /// Creates the variables of a suite.
    ///
    /// - Parameter context: Returns the context for the variable at an index. It contains a separate random source, so
    ///   the value depends on the seed and not on which test reads it first.
    init(_ suite: Suite, context: @escaping @Sendable (Int) -> CELContext) {
        self.context = context
        let variables = suite.variables
        var indices: [String: Int] = [:]
        for (index, variable) in variables.enumerated() { indices[variable.name] = index }
        var varying: Set<String> = ["tests", "steps"]
        for test in suite.tests {
            for variable in test.variables { varying.insert(variable.name) }
            if let data = test.data { varying.formUnion(data.columns) }
            Self.add(test.steps, to: &varying)
        }
        // Fragments defined in the suite see its variables, but their own names take precedence.
        for fragment in suite.fragments {
            for parameter in fragment.parameters { varying.insert(parameter.name) }
            for variable in fragment.variables { varying.insert(variable.name) }
            Self.add(fragment.steps, to: &varying)
        }
        self.variables = variables
        self.indices = indices
        isShared = Self.shared(variables, indices: indices, varying: varying)
        values = Mutex(Array(repeating: nil, count: variables.count))
        commands = Set(suite.secretCommands.compactMap { indices[$0.name] })
    }

    /// Sets the value of a variable that is the output of a program.
    func set(_ value: CELValue, of name: String) {
        guard let index = indices[name] else { return }
        values.withLock { $0[index] = value }
    }

    /// Adds the names that steps define.
    private static func add(_ steps: [SuiteStep], to names: inout Set<String>) {
        for step in steps {
            for variable in step.variables { names.insert(variable.name) }
            if let loop = step.flow?.forEach { names.formUnion([loop.elementName, loop.indexName]) }
            for capture in step.definedNames { names.insert(capture.name) }
        }
    }

    /// Returns whether the suite has a variable with the given name.
    func contains(_ name: String) -> Bool {
        indices[name] != nil
    }

    /// The names of the variables that all tests share.
    var sharedNames: [String] {
        variables.indices.filter { isShared[$0] }.map { variables[$0].name }
    }

    /// Returns the template of a variable that is evaluated in the reader's scope; nil if all tests share the variable.
    func varying(_ name: String) -> ValueTemplate? {
        guard let index = indices[name], !isShared[index] else { return nil }
        return variables[index].value
    }

    /// Returns the value of a variable that all tests share, or nil if the suite has none with this name.
    ///
    /// - Parameter scope: The suite's own scope.
    func value<Scope: CELScope>(of name: String, in scope: Scope) throws(TemplateError) -> CELValue? {
        guard let index = indices[name] else { return nil }
        let template = variables[index].value
        if !commands.isEmpty, commands.contains(index) { return try output(index) }
        if case .constant(let value) = template { return CELValue(value) }
        if let value = values.withLock({ $0[index] }) { return value }
        // Evaluated outside of the mutex, because a variable may read others. The first stored value is used by
        // everyone.
        let value = try template.value(in: scope, context: context(index))
        return values.withLock { values in
            if let first = values[index] { return first }
            values[index] = value
            return value
        }
    }

    /// Returns the output of a program.
    private func output(_ index: Int) throws(TemplateError) -> CELValue {
        if let value = values.withLock({ $0[index] }) { return value }
        let variable = variables[index]
        throw TemplateError(
            message: "the command of the secret \"\(variable.name)\" has not run", range: variable.range,
            expression: variable.name)
    }

    /// Returns for each variable whether it uses no varying name, neither directly nor through other variables.
    private static func shared(
        _ variables: [Variable], indices: [String: Int], varying: Set<String>
    ) -> [Bool] {
        var uses: [[Int]] = []
        var isShared = variables.map { _ in true }
        for (index, variable) in variables.enumerated() {
            var used: [Int] = []
            variable.value.forEachExpression { embedded in
                for reference in embedded.expression.freeIdentifiers {
                    if varying.contains(reference.name) { isShared[index] = false }
                    if let other = indices[reference.name] { used.append(other) }
                }
            }
            uses.append(used)
        }
        var changed = true
        while changed {
            changed = false
            for index in variables.indices where isShared[index] && uses[index].contains(where: { !isShared[$0] }) {
                isShared[index] = false
                changed = true
            }
        }
        return isShared
    }
}

/// The names used by a test's expressions, in order of first use, with their last values.
///
/// For a test that passes, this costs only a few comparisons and retains. Values are rendered only for failed tests.
struct UsedNames {
    /// The maximum number of names.
    private static let maximum = 50
    /// The maximum size of a value as JSON, in bytes. A longer value is described instead.
    private static let maximumValueLength = 65_536

    private var values: [(name: String, value: CELValue)] = []

    /// Records the value of a name. Skips the maps of exchanges, which are displayed separately.
    mutating func note(_ value: CELValue, of name: String) {
        if let index = values.firstIndex(where: { $0.name == name }) {
            values[index].value = value
        } else if values.count < Self.maximum, name != "steps", name != "tests" {
            values.append((name, value))
        }
    }

    /// Adds the names used by a fragment whose call failed. The fragment's values take precedence.
    mutating func note(_ other: UsedNames) {
        for (name, value) in other.values { note(value, of: name) }
    }

    /// The names and values in the form that reports use.
    var variables: [UsedVariable] {
        values.map { Self.variable($0.name, $0.value) }
    }

    /// Returns a name and its value in the form that reports use.
    static func variable(_ name: String, _ value: CELValue) -> UsedVariable {
        let json = value.json ?? .string(value.text)
        let size = json.serializedBytes().count
        guard size > maximumValueLength else { return UsedVariable(name: name, value: json) }
        // Described instead of cut off, because a secret that is cut off would not be masked.
        return UsedVariable(name: name, value: .string("(\(value.typeName), \(size) bytes as JSON)"))
    }
}
