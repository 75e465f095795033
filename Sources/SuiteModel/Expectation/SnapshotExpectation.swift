public import Diagnostics
public import JSONPath

/// That a response is held against one that was stored in a file beside the suite.
public struct SnapshotExpectation: Sendable {
    /// A part of the body that must match and is not compared.
    public struct Redaction: Sendable {
        /// What selects the part.
        public var path: JSONPath
        /// The place of the path.
        public var range: SourceRange
        /// What each selected value must be.
        public var matcher: Matcher

        /// Creates a redaction.
        public init(path: JSONPath, range: SourceRange, matcher: Matcher) {
            self.path = path
            self.range = range
            self.matcher = matcher
        }
    }

    /// The name that the suite gives it; nil for the one that follows from the test's and the step's.
    public var name: String?
    /// Parts of the body that are left out.
    public var ignored: [JSONPath]
    /// Parts of the body in which nothing is replaced by a placeholder.
    public var kept: [JSONPath]
    /// Parts of the body that must match and are then written as placeholders.
    public var redactions: [Redaction]
    /// The place of the name, or of the whole.
    public var range: SourceRange

    /// Creates an expectation.
    public init(
        name: String? = nil, ignored: [JSONPath] = [], kept: [JSONPath] = [], redactions: [Redaction] = [],
        range: SourceRange
    ) {
        self.name = name
        self.ignored = ignored
        self.kept = kept
        self.redactions = redactions
        self.range = range
    }

    /// True when some path looks into the body.
    public var hasPaths: Bool { !ignored.isEmpty || !kept.isEmpty || !redactions.isEmpty }
}

/// The names of the files that snapshots are in.
///
/// A name is made of readable parts, has no characters that a path could be made of, and is not too long for any file
/// system. Names that differ only in case are the same, as they are on some file systems.
public enum SnapshotName {
    /// The most bytes of a name, without the ending of the file.
    private static let longest = 120

    /// The name of the file, without its ending, for parts such as a test's and a step's name.
    ///
    /// Letters, digits, `_` and `.` stay, everything else becomes one `-`; the parts are joined by `.`.
    public static func stem(_ parts: [String]) -> String {
        let stem = parts.map(safe).filter { !$0.isEmpty }.joined(separator: ".")
        if stem.isEmpty { return "snapshot" }
        guard stem.utf8.count > longest else { return stem }
        // The beginning tells people which it is, the hash of the whole keeps it apart from others.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in parts {
            for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
        }
        var start = ""
        for scalar in stem.unicodeScalars {
            if start.utf8.count > longest - 24 { break }
            start.unicodeScalars.append(scalar)
        }
        return trimmed(start) + "-" + String(hash, radix: 16)
    }

    /// The name of the snapshot of a step.
    ///
    /// - Parameters:
    ///   - given: The name that the suite gives the snapshot.
    ///   - test: The test's name.
    ///   - row: The name of the test's row or repetition; nil when the test runs once.
    ///   - step: The step's name; nil when the test is a single exchange.
    ///   - isRepeated: Whether the step is done for several elements, which its name tells apart.
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

    /// The name without what a name of a file should not begin or end with.
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
