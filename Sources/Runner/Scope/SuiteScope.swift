import CEL
import SuiteModel

/// The names that are known before any test: the command line's variables, the suite's, and the server's port.
struct SuiteScope: CELScope {
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
            throw CELEvaluationError(message: "in the variable \(name): \(error.message)")
        }
        return name == "port" ? run.port.map { .int(Int64($0)) } : nil
    }
}
