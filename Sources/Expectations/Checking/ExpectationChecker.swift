public import CEL
import Diagnostics
public import JSON
public import JSONPath
import RegularExpressions
public import RunModel
public import SuiteModel

/// Holds exchanges against what a suite expects of them, and takes values out of them, without input or output.
public struct ExpectationChecker: Sendable {
    /// Creates a checker.
    public init() {}

    /// Checks everything that is expected of an exchange that got its response.
    ///
    /// - Parameter scope: The variables of the suite; the names of the response are added here.
    /// - Returns: What does not hold, in the order in which it was written; empty when everything holds.
    public func check(
        _ set: ExpectationSet, exchange: Exchange, scope: any CELScope, context: CELContext
    ) -> [Finding] {
        check(set, content: ResponseContent(exchange), scope: scope, context: context)
    }

    /// Checks everything that is expected of an exchange that got its response.
    ///
    /// - Parameters:
    ///   - content: The exchange with what was already derived from its body.
    ///   - scope: The variables of the suite; the names of the response are added here.
    /// - Returns: What does not hold, in the order in which it was written; empty when everything holds.
    public func check(
        _ set: ExpectationSet, content: ResponseContent, scope: any CELScope, context: CELContext
    ) -> [Finding] {
        ExchangeCheck(content, variables: scope, context: context).findings(set)
    }

    /// Checks expressions that must be true where there is no exchange.
    ///
    /// - Returns: What does not hold, in the order in which it was written; empty when everything holds.
    public func check(
        _ assertions: [EmbeddedExpression], scope: some CELScope, context: CELContext
    ) -> [Finding] {
        assertions.compactMap { AssertionCheck.finding($0, scope: scope, context: context)?.finding }
    }
}

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
        var reportedBodies: Set<Finding.Reason> = []
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

extension ExpectationSet.JSON {
    /// What the path selects, as the matcher sees it: one match is that value, several are their list, none is nil.
    ///
    /// A matcher that only a list can satisfy, such as `each`, sees the list of what is selected also when a path that
    /// can select several values happens to select one, even one that is a list itself: what it means does not depend on
    /// how many there are.
    ///
    /// - Throws: That the path takes too long or selects too much.
    public func subject(in body: JSONValue) throws(JSONPathLimitError) -> JSONValue? {
        if path.isSingular { return try path.firstValue(in: body) }
        let values = try path.values(in: body)
        guard let first = values.first else { return nil }
        return values.count > 1 || matcher.asksForList ? .array(values) : first
    }

    /// What a failure says where the matcher saw the list of what is selected, and that is one list.
    func noteOnSoleList(_ subject: JSONValue?) -> String? {
        guard !path.isSingular, matcher.asksForList, case .array(let values)? = subject, values.count == 1,
            case .array? = values.first
        else { return nil }
        return "the path selects one value, which is a list; to look at its elements, write \(path.source)[*]"
    }
}
