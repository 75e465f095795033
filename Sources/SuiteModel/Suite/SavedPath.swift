/// The rules for the paths of saved bodies.
public enum SavedPath {
    /// Returns the reason why a path cannot be that of a saved body; nil if it can.
    ///
    /// The path is relative and does not leave the output directory.
    public static func problem(of path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if path.isEmpty || path.hasSuffix("/") { return "\"\(path)\" is not the path of a file" }
        if path.hasPrefix("/") { return "the path \"\(path)\" is absolute" }
        if parts.contains("..") { return "the path \"\(path)\" contains \"..\"" }
        if path.utf8.contains(0) { return "a path cannot contain a NUL character" }
        return nil
    }
}
