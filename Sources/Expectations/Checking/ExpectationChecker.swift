public import CEL
import Diagnostics
import JSON
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
        assertions.compactMap { AssertionCheck.finding($0, scope: scope, context: context) }
    }
}
