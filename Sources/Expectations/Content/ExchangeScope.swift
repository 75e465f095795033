public import CEL

/// The names of an exchange's response, combined with another scope.
///
/// A class that is created once per exchange, so copies of evaluators are cheap.
public final class ExchangeScope: CELScope {
    /// The scope that takes precedence.
    public enum Precedence: Sendable {
        /// The response: for `assert`, `until` and `capture`.
        case response
        /// The other scope, so that a variable named `text` keeps its meaning: for operands of matchers.
        case parent
    }

    /// The response.
    public let content: ResponseContent
    /// The other scope.
    public let parent: any CELScope
    /// The scope that takes precedence.
    public let precedence: Precedence

    /// Creates a scope.
    public init(_ content: ResponseContent, parent: any CELScope, precedence: Precedence = .response) {
        self.content = content
        self.parent = parent
        self.precedence = precedence
    }

    /// The names of both scopes.
    public var names: [String] { ResponseContent.names + parent.names }

    /// Returns the value of a name, or nil if neither scope contains it.
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
