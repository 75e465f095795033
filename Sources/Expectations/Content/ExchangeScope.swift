public import CEL

/// The names of an exchange's response over another scope.
///
/// It is made for each exchange and kept by reference, so that evaluators can be copied for nothing.
public final class ExchangeScope: CELScope {
    /// Which scope is asked first.
    public enum Precedence: Sendable {
        /// The response: for `assert`, `until` and `capture`.
        case response
        /// The other scope, so that a variable named `text` keeps its meaning: for the operands of matchers.
        case parent
    }

    /// The response.
    public let content: ResponseContent
    /// The other scope.
    public let parent: any CELScope
    /// Which scope is asked first.
    public let precedence: Precedence

    /// Creates a scope.
    public init(_ content: ResponseContent, parent: any CELScope, precedence: Precedence = .response) {
        self.content = content
        self.parent = parent
        self.precedence = precedence
    }

    /// The names of both scopes.
    public var names: [String] { ResponseContent.names + parent.names }

    /// The value of a variable, or nil when neither scope has it.
    public func value(of name: String) throws(CELEvaluationError) -> CELValue? {
        switch precedence {
        case .response:
            if let value = content.value(of: name) { return value }
            return try parent.value(of: name)
        case .parent:
            if let value = try parent.value(of: name) { return value }
            return content.value(of: name)
        }
    }
}
