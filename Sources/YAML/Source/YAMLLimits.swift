import Diagnostics

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

/// Finds files that are not worth parsing: too large, or not in UTF-8 at all.
enum EncodingCheck {
    static func problem(of file: SourceFile, limits: YAMLLimits) -> Diagnostic? {
        let bytes = file.text
        let start = SourcePosition(line: 1, column: 1)
        let range = SourceRange(file: file, start: start, end: start)
        // Lines and columns are counted in 32 bits.
        let maximumBytes = min(limits.maximumBytes, Int(Int32.max) - 1)
        if bytes.count > maximumBytes {
            return Diagnostic(
                id: "file-too-large",
                message: "the file has \(bytes.count) bytes, more than the limit of \(maximumBytes)",
                range: range)
        }
        guard bytes.count >= 2 else { return nil }
        let first = (bytes[0], bytes[1])
        let isUTF16 = first == (0xFF, 0xFE) || first == (0xFE, 0xFF) || (first.0 == 0) != (first.1 == 0)
        guard isUTF16 || first == (0, 0) else { return nil }
        return Diagnostic(
            id: "not-utf8", message: "the file is in UTF-16 or another encoding that is not UTF-8",
            suggestion: "save \(file.name) as UTF-8")
    }
}
