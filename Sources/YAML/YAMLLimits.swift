/// Bounds on what is read, so that no file can exhaust time or memory.
public struct YAMLLimits: Sendable, Hashable {
    /// How deep lists and maps may be nested, aliases expanded.
    public var maximumDepth: Int
    /// How many nodes aliases and merge keys may add to those that are written.
    public var maximumExpandedNodes: Int
    /// How many bytes a file may have.
    public var maximumBytes: Int
    /// How many problems are reported; later ones are left out.
    public var maximumDiagnostics: Int

    /// Creates limits.
    public init(
        maximumDepth: Int = 256, maximumExpandedNodes: Int = 1_000_000, maximumBytes: Int = 256 << 20,
        maximumDiagnostics: Int = 100
    ) {
        self.maximumDepth = maximumDepth
        self.maximumExpandedNodes = maximumExpandedNodes
        self.maximumBytes = maximumBytes
        self.maximumDiagnostics = maximumDiagnostics
    }
}
