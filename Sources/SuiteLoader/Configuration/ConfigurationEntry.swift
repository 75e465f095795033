public import Diagnostics

/// An option that a configuration file sets, with the arguments that stand for it.
public struct ConfigurationEntry: Sendable {
    /// The option's long name, or `paths`.
    public var name: String
    /// What would be written on the command line.
    public var arguments: [String]
    /// The place of the value.
    public var range: SourceRange
}
