import CEL
import JSON
import RunModel
import SuiteModel
import Synchronization

/// The variables of a suite.
///
/// A variable that uses only what is the same for every test is evaluated once for the whole suite, by whichever test is
/// first. One that uses a capture, or a name that some test or fragment of the suite has for something of its own, is
/// evaluated in the scope that reads it.
final class SuiteVariables: Sendable {
    private let variables: [Variable]
    private let indices: [String: Int]
    private let isShared: [Bool]
    private let values: Mutex<[CELValue?]>
    private let context: @Sendable (Int) -> CELContext

    /// Creates the variables of a suite.
    ///
    /// - Parameter context: gives each variable, by its index, what its expressions may use; a random source of its own
    ///   among it, so that its value depends on the seed and not on which test reads it first.
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
        // Fragments that are written in the suite see its variables, with their own names in place of others.
        for fragment in suite.fragments {
            for parameter in fragment.parameters { varying.insert(parameter.name) }
            for variable in fragment.variables { varying.insert(variable.name) }
            Self.add(fragment.steps, to: &varying)
        }
        self.variables = variables
        self.indices = indices
        isShared = Self.shared(variables, indices: indices, varying: varying)
        values = Mutex(Array(repeating: nil, count: variables.count))
    }

    /// Adds the names that steps define.
    private static func add(_ steps: [SuiteStep], to names: inout Set<String>) {
        for step in steps {
            for variable in step.variables { names.insert(variable.name) }
            if let loop = step.flow?.forEach { names.formUnion([loop.elementName, loop.indexName]) }
            for capture in step.definedNames { names.insert(capture.name) }
        }
    }

    /// Whether the suite has a variable of that name.
    func contains(_ name: String) -> Bool {
        indices[name] != nil
    }

    /// The names of the variables that all tests share.
    var sharedNames: [String] {
        variables.indices.filter { isShared[$0] }.map { variables[$0].name }
    }

    /// The variable that is to be evaluated in the scope that reads it, or nil for one that all tests share.
    func varying(_ name: String) -> ValueTemplate? {
        guard let index = indices[name], !isShared[index] else { return nil }
        return variables[index].value
    }

    /// The value of a variable that all tests share, or nil when the suite has none of that name.
    ///
    /// - Parameter scope: the suite's own scope.
    func value<Scope: CELScope>(of name: String, in scope: Scope) throws(TemplateError) -> CELValue? {
        guard let index = indices[name] else { return nil }
        let template = variables[index].value
        if case .constant(let value) = template { return CELValue(value) }
        if let value = values.withLock({ $0[index] }) { return value }
        // Evaluated outside of the mutex, since a variable may read others; the first value that was kept is everybody's.
        let value = try template.value(in: scope, context: context(index))
        return values.withLock { values in
            if let first = values[index] { return first }
            values[index] = value
            return value
        }
    }

    /// Which variables use no varying name, themselves or through others.
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

/// The names that a test's expressions have used, in the order of first use, each with the value that it had last.
///
/// A test that passes pays for a few comparisons and references; text is made for those alone that do not.
struct UsedNames {
    /// Names that are kept.
    private static let most = 50
    /// Bytes that a value may take as JSON; a longer one is described.
    private static let longestValue = 65_536

    private var values: [(name: String, value: CELValue)] = []

    /// Keeps what a name stood for. The maps of exchanges, which are shown as exchanges, are left out.
    mutating func note(_ value: CELValue, of name: String) {
        if let index = values.firstIndex(where: { $0.name == name }) {
            values[index].value = value
        } else if values.count < Self.most, name != "steps", name != "tests" {
            values.append((name, value))
        }
    }

    /// Adds the names of a fragment that was called; its own values win, as it is what did not pass.
    mutating func note(_ other: UsedNames) {
        for (name, value) in other.values { note(value, of: name) }
    }

    /// The names with their values as reports have them.
    var variables: [UsedVariable] {
        values.map { name, value in
            let json = value.json ?? .string(value.text)
            let size = json.serializedBytes().count
            guard size > Self.longestValue else { return UsedVariable(name: name, value: json) }
            // Described and not cut: what masks secrets must not meet a part of one.
            return UsedVariable(name: name, value: .string("(\(value.typeName), \(size) bytes as JSON)"))
        }
    }
}
