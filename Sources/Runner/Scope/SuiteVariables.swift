import CEL
import SuiteModel
import Synchronization

/// The variables of a suite: those that use no capture are evaluated once for the whole suite, by whichever test is first.
final class SuiteVariables: Sendable {
    private let variables: [Variable]
    private let indices: [String: Int]
    private let isShared: [Bool]
    private let values: Mutex<[CELValue?]>

    /// Creates the variables of a suite.
    init(_ suite: Suite) {
        let variables = suite.variables
        var indices: [String: Int] = [:]
        for (index, variable) in variables.enumerated() { indices[variable.name] = index }
        var captured: Set<String> = []
        for test in suite.tests {
            for step in test.steps { for capture in step.captures { captured.insert(capture.name) } }
        }
        self.variables = variables
        self.indices = indices
        isShared = Self.shared(variables, indices: indices, captured: captured)
        values = Mutex(Array(repeating: nil, count: variables.count))
    }

    /// Whether the suite has a variable of that name.
    func contains(_ name: String) -> Bool {
        indices[name] != nil
    }

    /// The value of a variable, or nil when the suite has none of that name.
    func value<Scope: CELScope>(
        of name: String, in scope: Scope, context: CELContext
    ) throws(TemplateError) -> CELValue? {
        guard let index = indices[name] else { return nil }
        let template = variables[index].value
        if case .constant(let value) = template { return CELValue(value) }
        guard isShared[index] else { return try template.value(in: scope, context: context) }
        if let value = values.withLock({ $0[index] }) { return value }
        // Evaluated outside of the mutex, since a variable may read others; the first value that was kept is everybody's.
        let value = try template.value(in: scope, context: context)
        return values.withLock { values in
            if let first = values[index] { return first }
            values[index] = value
            return value
        }
    }

    /// Which variables use no captured name, themselves or through others.
    private static func shared(
        _ variables: [Variable], indices: [String: Int], captured: Set<String>
    ) -> [Bool] {
        var uses: [[Int]] = []
        var isShared = variables.map { !captured.contains($0.name) }
        for (index, variable) in variables.enumerated() {
            var used: [Int] = []
            variable.value.forEachExpression { embedded in
                for reference in embedded.expression.freeIdentifiers {
                    if captured.contains(reference.name) || reference.name == "tests" { isShared[index] = false }
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
