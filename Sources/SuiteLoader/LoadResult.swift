public import Diagnostics
public import SuiteModel

/// The suites that were loaded, and every problem that was found.
public struct LoadResult: Sendable {
    /// The suites in the order of the paths; one with an error may be incomplete.
    public var suites: [Suite]
    /// The problems of all files, by file and position.
    public var diagnostics: [Diagnostic]

    /// Creates a result.
    public init(suites: [Suite] = [], diagnostics: [Diagnostic] = []) {
        self.suites = suites
        self.diagnostics = diagnostics
    }

    /// The values that every output masks, as far as they are known before anything runs.
    public var secretValues: [String] { suites.flatMap(\.secretValues) }

    /// Whether a problem is an error, so that nothing may be sent.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
