public import CEL
import Diagnostics
public import JSON
public import JSONPath
import RegularExpressions
public import RunModel
public import SuiteModel

/// A checker of exchanges against a suite's expectations, which also captures values, without any I/O.
public struct ExpectationChecker: Sendable {
    /// Creates a checker.
    public init() {}

    /// Checks all expectations of an exchange with a response.
    ///
    /// - Parameter scope: The variables of the suite, to which the names of the response are added.
    /// - Returns: The findings in the order of the expectations; empty if all are met.
    public func check(
        _ set: ExpectationSet, exchange: Exchange, scope: any CELScope, context: CELContext
    ) -> [Finding] {
        check(set, content: ResponseContent(exchange), scope: scope, context: context)
    }

    /// Checks all expectations of an exchange with a response.
    ///
    /// - Parameters:
    ///   - content: The exchange, with the cached representations of its body.
    ///   - scope: The variables of the suite, to which the names of the response are added.
    /// - Returns: The findings in the order of the expectations; empty if all are met.
    public func check(
        _ set: ExpectationSet, content: ResponseContent, scope: any CELScope, context: CELContext
    ) -> [Finding] {
        ExchangeCheck(content, variables: scope, context: context).findings(set)
    }

    /// Checks assertions without an exchange.
    ///
    /// - Returns: The findings in the order of the assertions; empty if all are true.
    public func check(
        _ assertions: [EmbeddedExpression], scope: some CELScope, context: CELContext
    ) -> [Finding] {
        assertions.compactMap { AssertionCheck.finding($0, scope: scope, context: context)?.finding }
    }
}

extension ExpectationChecker {
    /// Captures values from an exchange.
    ///
    /// - Parameter scope: The variables of the suite, to which the names of the response are added.
    /// - Returns: The captured values in order, a finding for each capture without a value, and the original values of
    ///   secret captures.
    public func capture(
        _ captures: [Capture], exchange: Exchange, scope: any CELScope, context: CELContext
    ) -> (values: [(name: String, value: CELValue)], findings: [Finding], secrets: [String]) {
        capture(captures, content: ResponseContent(exchange), scope: scope, context: context)
    }

    /// Captures values from an exchange.
    ///
    /// - Parameters:
    ///   - content: The exchange, with the cached representations of its body.
    ///   - scope: The variables of the suite, to which the names of the response are added.
    ///   - bind: A closure that adds each capture to the scope as soon as it is made, so that the captures after it see
    ///     it. The value is nil if nothing was found.
    /// - Returns: The captured values in order, a finding for each capture without a value, and the original values of
    ///   secret captures, including those that could not be converted. A body that is not JSON or XML yields only one
    ///   finding for all captures.
    public func capture(
        _ captures: [Capture], content: ResponseContent, scope: any CELScope, context: CELContext,
        bind: (_ name: String, _ value: CELValue?) -> Void = { _, _ in }
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
                bind(capture.name, value)
                if capture.isSecret, !isNull(found) { secrets += [found.text, value.text] }
            } catch {
                bind(capture.name, nil)
                if capture.isSecret, let found = error.found, !isNull(found) { secrets.append(found.text) }
                // A body that is not JSON is one problem, regardless of the number of captures that read it.
                if error.isBodyProblem, !reportedBodies.insert(error.finding.type).inserted { continue }
                findings.append(error.finding)
            }
        }
        return (values, findings, secrets)
    }

    /// Returns whether a value is null. Null is not a secret, because masking the word would make all output
    /// unreadable.
    private func isNull(_ value: CELValue) -> Bool {
        if case .null = value { true } else { false }
    }
}

extension JSONPath {
    /// Returns the subject for a matcher: a value for a singular path, an array for any other.
    ///
    /// A singular path (RFC 9535, section 2.3.5.1) has the subject nil if it selects nothing. The array of any other path
    /// contains all selected values, even one or none, so that the type never depends on the document.
    ///
    /// - Throws: ``JSONPathLimitError`` if the evaluation takes too long or selects too much.
    public func subject(in body: JSONValue) throws(JSONPathLimitError) -> JSONValue? {
        isSingular ? try firstValue(in: body) : .array(try values(in: body))
    }
}
