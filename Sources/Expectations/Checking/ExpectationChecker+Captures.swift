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
    /// - Returns: The values that were found, in order, a finding for each capture without a value, and what was found
    ///   for captures that are secret.
    public func capture(
        _ captures: [Capture], exchange: Exchange, scope: any CELScope, context: CELContext
    ) -> (values: [(name: String, value: CELValue)], findings: [Finding], secrets: [String]) {
        capture(captures, content: ResponseContent(exchange), scope: scope, context: context)
    }

    /// Takes values out of an exchange.
    ///
    /// - Parameters:
    ///   - content: The exchange with what was already derived from its body.
    ///   - scope: The variables of the suite; the names of the response are added here.
    /// - Returns: The values that were found, in order, a finding for each capture without a value, and what was found
    ///   for captures that are secret, also where it could not be converted. A body that is not JSON, or not XML, gives
    ///   one finding for all captures.
    public func capture(
        _ captures: [Capture], content: ResponseContent, scope: any CELScope, context: CELContext
    ) -> (values: [(name: String, value: CELValue)], findings: [Finding], secrets: [String]) {
        var values: [(name: String, value: CELValue)] = []
        var findings: [Finding] = []
        var secrets: [String] = []
        values.reserveCapacity(captures.count)
        var reportedBodies: Set<String> = []
        let exchangeScope = ExchangeScope(content, parent: scope)
        for capture in captures {
            do {
                let (value, found) = try CaptureSource.value(
                    capture, content: content, scope: exchangeScope, context: context)
                values.append((capture.name, value))
                if capture.isSecret, !isNull(found) { secrets += [found.text, value.text] }
            } catch {
                if capture.isSecret, let found = error.found, !isNull(found) { secrets.append(found.text) }
                // A body that is not JSON is one problem, however many captures look into it.
                if error.isBodyProblem, !reportedBodies.insert(error.finding.type).inserted { continue }
                findings.append(error.finding)
            }
        }
        return (values, findings, secrets)
    }

    /// Whether a value is null, which is no secret: masking the word would make every output unreadable.
    private func isNull(_ value: CELValue) -> Bool {
        if case .null = value { true } else { false }
    }
}
