/// A suite file that paths on the command line stand for.
public struct SuiteFile: Sendable, Hashable {
    /// The path as the user is shown it.
    public let path: String
    /// The absolute path.
    public let absolutePath: String
}
