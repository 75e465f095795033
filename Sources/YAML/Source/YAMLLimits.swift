import Basics
import Diagnostics

/// Limits for parsing, so that no file can exhaust time or memory.
public struct YAMLLimits: Sendable, Hashable {
    /// The maximum nesting depth of sequences and mappings, with aliases expanded.
    public var maximumDepth: Int
    /// The maximum number of nodes that aliases and merge keys may add.
    public var maximumExpandedNodes: Int
    /// The maximum number of bytes of text that aliases and merge keys may add.
    public var maximumExpandedBytes: Int
    /// The maximum size of a file in bytes.
    public var maximumBytes: Int
    /// The maximum number of diagnostics; later ones are omitted.
    public var maximumDiagnostics: Int

    /// Creates limits.
    public init(
        maximumDepth: Int = 256, maximumExpandedNodes: Int = 1_000_000, maximumExpandedBytes: Int = 64 << 20,
        maximumBytes: Int = 256 << 20, maximumDiagnostics: Int = 100
    ) {
        self.maximumDepth = maximumDepth
        self.maximumExpandedNodes = maximumExpandedNodes
        self.maximumExpandedBytes = maximumExpandedBytes
        self.maximumBytes = maximumBytes
        self.maximumDiagnostics = maximumDiagnostics
    }
}

/// Detects files that are not worth parsing, because they are too large or not UTF-8 at all.
enum EncodingCheck {
    static func problem(of file: SourceFile, limits: YAMLLimits) -> Diagnostic? {
        let bytes = file.text
        let start = SourcePosition(line: 1, column: 1)
        let range = SourceRange(file: file, start: start, end: start)
        // Lines and columns are 32-bit integers.
        let maximumBytes = min(limits.maximumBytes, Int(Int32.max) - 1)
        if bytes.count > maximumBytes {
            return Diagnostic(
                id: "file-too-large",
                message: "the file has \(bytes.count) bytes, more than the maximum of \(maximumBytes)",
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
