public import Basics
public import Diagnostics

/// The output of a step besides its result: a saved body, and printed values.
public struct StepOutput: Sendable {
    /// The path of the file for the body of the response, relative to the output directory.
    public var path: Template?
    /// The source range of ``path``.
    public var pathRange: SourceRange?
    /// The expressions whose values reports show, with their source text.
    public var printed: [(source: String, expression: EmbeddedExpression)] = []

    /// Creates an empty output.
    public init() {}
}

/// The rules for the paths of saved bodies.
public enum SavedPath {
    /// Returns the reason why a path cannot be that of a saved body; nil if it can.
    ///
    /// The path is relative and does not leave the output directory.
    public static func problem(of path: String) -> MessageText? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if path.isEmpty || path.hasSuffix("/") { return "\"\(path)\" is not the path of a file" }
        if path.hasPrefix("/") { return "the path \"\(path)\" is absolute" }
        if parts.contains("..") { return "the path \"\(path)\" contains \"..\"" }
        if path.utf8.contains(0) { return "a path cannot contain a NUL character" }
        return nil
    }
}
