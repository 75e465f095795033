import Basics
import CEL
import Diagnostics
import Expectations
import RunModel
import SuiteModel

extension StepRunner {
    /// Saves the body of an exchange and evaluates the expressions to print, if the step has either.
    ///
    /// - Parameters:
    ///   - exchange: The exchange of the step.
    ///   - result: The result of the step, to which the values and the findings are added.
    @inline(never)
    nonisolated(nonsending) func addOutput(of step: SuiteStep, _ exchange: Exchange, to result: inout Outcome) async {
        guard let output = step.output else { return }
        var findings: [Finding] = []
        if let template = output.path, exchange.failure == nil, let body = exchange.response?.body {
            do {
                let path = try template.text(in: scope.view(.step), context: scope.context)
                let saved = runner.savedBodies
                let entry = sequence.running.entry
                // Several steps of a test may have the same name, but not the same location.
                let location = output.pathRange?.description ?? name
                let owner = "\(entry.suite)/\(entry.reference.position)/\(sequence.occurrence)\(location)"
                let problem: MessageText? = await LargeBodies.off(bytes: body.count) {
                    do throws(SavedBodies.Failure) {
                        try saved.save(body, to: path, owner: owner)
                        return nil
                    } catch {
                        return error.message
                    }
                }
                if let problem {
                    findings.append(
                        Finding(
                            kind: .error, subject: "save", type: .init("save"), message: problem,
                            range: output.pathRange))
                }
            } catch {
                findings.append(Self.finding(error))
            }
        }
        if !output.printed.isEmpty, exchange.response != nil {
            let scope = ExchangeScope(ResponseContent(exchange), parent: self.scope.view(.step))
            for (source, expression) in output.printed {
                do {
                    let value = try expression.value(in: scope, context: self.scope.context)
                    result.step.printed.append(UsedNames.variable(source, value))
                } catch {
                    findings.append(
                        Finding(
                            kind: .error, subject: "print", type: .expression, message: error.message,
                            range: error.range))
                }
            }
        }
        if findings.isEmpty { return }
        result.step.findings += findings
        result.step.outcome = .errored
    }
}
