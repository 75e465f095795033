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
