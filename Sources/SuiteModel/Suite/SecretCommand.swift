public import Diagnostics

/// A secret whose value is the output of a program.
public struct SecretCommand: Sendable {
    /// The name of the variable.
    public var name: String
    /// The program.
    public var command: CommandSpec
    /// Whether the suite needs the value for any of its tests, as for its server or its setup.
    public var isAlwaysNeeded = false
    /// The source range of the name.
    public var range: SourceRange

    /// Creates a secret.
    public init(name: String, command: CommandSpec, range: SourceRange) {
        self.name = name
        self.command = command
        self.range = range
    }
}
