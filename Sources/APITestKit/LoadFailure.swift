public import Diagnostics

/// Suites that have a mistake; nothing was sent.
public struct LoadFailure: Error, Sendable, CustomStringConvertible {
    /// Every problem that was found.
    public let diagnostics: [Diagnostic]

    /// The problems with their lines, as the program prints them.
    public var description: String {
        TextRenderer(color: false).render(diagnostics)
    }
}
