public import CEL
import Diagnostics
import JSON
import JSONPath
import RegularExpressions
public import SuiteModel

extension ExpectationChecker {
    /// Takes values out of an exchange.
    ///
    /// - Parameter scope: The variables of the suite; the names of the response are added here.
    /// - Returns: The values that were found, in order, and a finding for each capture without a value.
    public func capture(
        _ captures: [Capture], exchange: Exchange, scope: some CELScope, context: CELContext
    ) -> (values: [(name: String, value: CELValue)], findings: [Finding]) {
        capture(captures, content: ResponseContent(exchange), scope: scope, context: context)
    }

    /// Takes values out of an exchange.
    ///
    /// - Parameters:
    ///   - content: The exchange with what was already derived from its body.
    ///   - scope: The variables of the suite; the names of the response are added here.
    /// - Returns: The values that were found, in order, and a finding for each capture without a value; a body that is
    ///   not JSON, or not XML, gives one finding for all captures.
    public func capture(
        _ captures: [Capture], content: ResponseContent, scope: some CELScope, context: CELContext
    ) -> (values: [(name: String, value: CELValue)], findings: [Finding]) {
        var values: [(name: String, value: CELValue)] = []
        var findings: [Finding] = []
        values.reserveCapacity(captures.count)
        var reportedBodies: Set<String> = []
        let exchangeScope = ExchangeScope(content, parent: scope)
        for capture in captures {
            do {
                let value = try CaptureSource.value(capture, content: content, scope: exchangeScope, context: context)
                values.append((capture.name, value))
            } catch {
                // A body that is not JSON is one problem, however many captures look into it.
                if error.isBodyProblem, !reportedBodies.insert(error.finding.type).inserted { continue }
                findings.append(error.finding)
            }
        }
        return (values, findings)
    }
}
