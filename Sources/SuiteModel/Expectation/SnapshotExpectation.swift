public import Diagnostics
public import JSONPath

/// The comparison of a response with a snapshot that is stored in a file next to the suite.
public struct SnapshotExpectation: Sendable {
    /// A part of the body that must satisfy a matcher and is excluded from the comparison.
    public struct Redaction: Sendable {
        /// The JSONPath that selects the part.
        public var path: Templated<JSONPath>
        /// The source range of the path.
        public var range: SourceRange
        /// The matcher for each selected value.
        public var matcher: Matcher

        /// Creates a redaction.
        public init(path: Templated<JSONPath>, range: SourceRange, matcher: Matcher) {
            self.path = path
            self.range = range
            self.matcher = matcher
        }
    }

    /// The name that the suite gives the snapshot; nil derives one from the names of the test and the step.
    public var name: String?
    /// The parts of the body that are left out.
    public var ignored: [Templated<JSONPath>]
    /// The parts of the body whose values are never replaced by placeholders.
    public var kept: [Templated<JSONPath>]
    /// The parts of the body that are checked with a matcher and stored as placeholders.
    public var redactions: [Redaction]
    /// The source range of the name, or of the whole value.
    public var range: SourceRange

    /// Creates an expectation.
    public init(
        name: String? = nil, ignored: [Templated<JSONPath>] = [], kept: [Templated<JSONPath>] = [],
        redactions: [Redaction] = [], range: SourceRange
    ) {
        self.name = name
        self.ignored = ignored
        self.kept = kept
        self.redactions = redactions
        self.range = range
    }

    /// Whether any JSONPath refers to the body.
    public var hasPaths: Bool { !ignored.isEmpty || !kept.isEmpty || !redactions.isEmpty }
}

/// Creates the names of snapshot files.
///
/// A name consists of readable parts, contains no path separators, and fits the limits of common file systems. Names
/// that differ only in case count as equal, as they do on some file systems.
public enum SnapshotName {
    /// The maximum length of a name in bytes, without the file extension.
    private static let maximumLength = 120

    /// Returns the file name, without its extension, for parts such as the names of a test and a step.
    ///
    /// Letters, digits, `_`, and `.` are kept; each run of other characters becomes one `-`. Parts are joined with `.`.
    public static func stem(_ parts: [String]) -> String {
        let stem = parts.map(safe).filter { !$0.isEmpty }.joined(separator: ".")
        if stem.isEmpty { return "snapshot" }
        guard stem.utf8.count > maximumLength else { return stem }
        // The readable prefix identifies the snapshot for people; the hash of all parts makes it unique.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in parts {
            for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
        }
        var start = ""
        for scalar in stem.unicodeScalars {
            if start.utf8.count > maximumLength - 24 { break }
            start.unicodeScalars.append(scalar)
        }
        return trimmed(start) + "-" + String(hash, radix: 16)
    }

    /// Returns the name of the snapshot of a step.
    ///
    /// - Parameters:
    ///   - given: The name that the suite gives the snapshot.
    ///   - test: The name of the test.
    ///   - row: The name of the row or repetition; nil if the test runs once.
    ///   - step: The name of the step; nil if the test is a single exchange.
    ///   - isRepeated: Whether the step runs once per element. Its name then distinguishes the elements.
    public static func stem(
        given: String?, test: String, row: String? = nil, step: String? = nil, isRepeated: Bool = false
    ) -> String {
        let step = step.map { [$0] } ?? []
        if let given { return stem([given] + (row.map { [$0] } ?? []) + (isRepeated ? step : [])) }
        return stem([row ?? test] + step)
    }

    private static func safe(_ part: String) -> String {
        var result = ""
        var isPending = false
        for scalar in part.unicodeScalars {
            guard isKept(scalar) else {
                isPending = true
                continue
            }
            if isPending, !result.isEmpty { result += "-" }
            isPending = false
            result.unicodeScalars.append(scalar)
        }
        return trimmed(result)
    }

    /// Removes leading and trailing dots and hyphens, which a file name should not have.
    private static func trimmed(_ text: String) -> String {
        var scalars = Substring(text).unicodeScalars
        while let first = scalars.first, first == "." || first == "-" { scalars.removeFirst() }
        while let last = scalars.last, last == "." || last == "-" { scalars.removeLast() }
        return String(scalars)
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ".": return true
        case "\u{00}"..<"\u{80}": return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber: return true
        default: return scalar.properties.isAlphabetic
        }
    }
}
