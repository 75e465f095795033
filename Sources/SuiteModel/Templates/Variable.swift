public import Diagnostics

/// A named value of a `variables` map; its expressions are evaluated when it is first read in a scope.
public struct Variable: Sendable {
    /// The variable's name.
    public var name: String
    /// Its value.
    public var value: ValueTemplate
    /// The place of its name.
    public var range: SourceRange

    /// Creates a variable.
    public init(name: String, value: ValueTemplate, range: SourceRange) {
        self.name = name
        self.value = value
        self.range = range
    }
}
