public import Diagnostics

/// A server of a suite that could not be started.
public struct ServeError: Error, Sendable {
    /// A stable word for the kind of error: `serve-command`, `serve-timeout`, `serve-exit`, `serve-mock`.
    public var kind: String
    /// What happened, as one sentence without a final full stop.
    public var message: String
    /// Further lines, such as the end of the server's output.
    public var details: [String]
    /// The place of the `serve` entry.
    public var range: SourceRange?

    /// Creates an error.
    public init(kind: String, message: String, details: [String] = [], range: SourceRange? = nil) {
        self.kind = kind
        self.message = message
        self.details = details
        self.range = range
    }
}
