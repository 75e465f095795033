/// What changed between an expected and an actual value: only the parts that differ, each with its place.
///
/// Elements of arrays are paired, so that an insertion is one change and not everything behind it:
///
/// - Objects that each have an identifying member of their own (`id`, `_id`, `@id`, `uuid`, `guid`, `key`, `code`, `slug`
///   or `name`) are paired by that, wherever they stand. The first of these members that serves in both arrays counts.
/// - Other elements are paired when they are equal, by a longest common subsequence. Of the rest, an element that is there
///   once in both arrays has moved.
/// - What is left between two pairs is paired by likeness, up to 4,096 possible pairs, otherwise by index.
///
/// The work is bounded, whatever the values: a longest common subsequence with more than 1,000 insertions and removals is
/// only looked for between elements that are there once in both arrays; and when a whole difference has taken twenty
/// million steps, what is left is compared by index. The changes are then more than necessary, but never wrong.
public struct JSONDifference: Sendable, Hashable {
    /// What happened to one value.
    public enum Kind: String, Sendable, Hashable {
        /// Both have a value there, but not the same.
        case changed
        /// Only the expected value has it.
        case missing
        /// Only the actual value has it.
        case unexpected
        /// An element of an array stands at another place among the others. What differs within it has changes of its own.
        case moved
    }

    /// One place where the values differ.
    public struct Change: Sendable, Hashable {
        /// Where, in the actual value. What is missing has the place of what it is missing from, and then its own name, or
        /// its index in the expected array.
        public let location: NormalizedPath
        /// What happened there.
        public let kind: Kind
        /// The expected value; nil when `kind` is `.unexpected`.
        public let expected: JSONValue?
        /// The actual value; nil when `kind` is `.missing`.
        public let actual: JSONValue?
        /// The place in the expected value of what has moved; otherwise nil.
        public let origin: NormalizedPath?

        /// Makes a change.
        public init(
            location: NormalizedPath, kind: Kind, expected: JSONValue?, actual: JSONValue?,
            origin: NormalizedPath? = nil
        ) {
            self.location = location
            self.kind = kind
            self.expected = expected
            self.actual = actual
            self.origin = origin
        }

        /// The place as people write it, such as `$.a[2].b`.
        public var path: String { location.shorthand }
    }

    /// The changes in document order of the expected value, unexpected members of an object last.
    public let changes: [Change]

    /// Whether the values are equal.
    public var isEmpty: Bool { changes.isEmpty }

    /// Compares two values.
    public init(expected: JSONValue, actual: JSONValue) {
        var comparison = StructuralComparison()
        comparison.compare(expected, actual)
        changes = comparison.changes
    }
}
