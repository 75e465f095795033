/// What changed between an expected and an actual value: only the parts that differ, each with its place.
public struct JSONDifference: Sendable, Hashable {
    /// What happened to one value.
    public enum Kind: String, Sendable, Hashable {
        /// Both have a value there, but not the same.
        case changed
        /// Only the expected value has it.
        case missing
        /// Only the actual value has it.
        case unexpected
    }

    /// One place where the values differ.
    public struct Change: Sendable, Hashable {
        /// Where: the place in the actual value, or in the expected value when it is missing from the actual one.
        public let location: NormalizedPath
        /// What happened there.
        public let kind: Kind
        /// The expected value; nil when `kind` is `.unexpected`.
        public let expected: JSONValue?
        /// The actual value; nil when `kind` is `.missing`.
        public let actual: JSONValue?

        /// Makes a change.
        public init(location: NormalizedPath, kind: Kind, expected: JSONValue?, actual: JSONValue?) {
            self.location = location
            self.kind = kind
            self.expected = expected
            self.actual = actual
        }

        /// The place as people write it, such as `$.a[2].b`.
        public var path: String { location.shorthand }
    }

    /// The changes in document order of the expected value, unexpected members of an object last.
    public let changes: [Change]

    /// Whether the values are equal.
    public var isEmpty: Bool { changes.isEmpty }

    /// Compares two values. Array elements are aligned, so that an inserted element is one change, unless the arrays are
    /// so large that this would be slow; then they are compared index by index.
    public init(expected: JSONValue, actual: JSONValue) {
        var comparison = StructuralComparison()
        comparison.compare(expected, actual)
        changes = comparison.changes
    }
}
