/// Turns problems into text.
public protocol DiagnosticRenderer: Sendable {
    /// The text for some problems, in the order given; every line of it ends with a line feed.
    func render(_ diagnostics: [Diagnostic]) -> String
}
