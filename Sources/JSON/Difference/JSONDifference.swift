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

/// Walks two values side by side and notes where they differ.
struct StructuralComparison {
    private(set) var changes: [JSONDifference.Change] = []
    /// The place of what is being compared in the actual value.
    private var location: [NormalizedPath.Step] = []
    /// The same in the expected value, which differs behind elements that were inserted, removed or moved.
    private var origin: [NormalizedPath.Step] = []
    /// How many comparisons may still be made to align arrays, in the whole difference.
    private var steps = 20_000_000

    mutating func compare(_ expected: JSONValue, _ actual: JSONValue) {
        switch (expected, actual) {
        case (.object(let expected), .object(let actual)):
            compareMembers(expected, actual)
        case (.array(let expected), .array(let actual)):
            compareElements(expected, actual)
        default:
            if expected != actual { note(.changed, expected: expected, actual: actual) }
        }
    }

    private mutating func compareMembers(_ expected: JSONObject, _ actual: JSONObject) {
        for (name, value) in expected {
            location.append(.name(name))
            origin.append(.name(name))
            if let other = actual[name] {
                compare(value, other)
            } else {
                note(.missing, expected: value, actual: nil)
            }
            location.removeLast()
            origin.removeLast()
        }
        for (name, value) in actual where !expected.contains(name) {
            location.append(.name(name))
            note(.unexpected, expected: nil, actual: value)
            location.removeLast()
        }
    }

    private mutating func compareElements(_ expected: [JSONValue], _ actual: [JSONValue]) {
        let alignment = ArrayAlignment(expected, actual, steps: &steps)
        for pair in alignment.pairs {
            switch pair {
            case .both(let expectedIndex, let actualIndex):
                compareElement(expected, expectedIndex, actual, actualIndex, hasMoved: false)
            case .moved(let expectedIndex, let actualIndex):
                compareElement(expected, expectedIndex, actual, actualIndex, hasMoved: true)
            case .missing(let index):
                location.append(.index(index))
                note(.missing, expected: expected[index], actual: nil)
                location.removeLast()
            case .unexpected(let index):
                location.append(.index(index))
                note(.unexpected, expected: nil, actual: actual[index])
                location.removeLast()
            }
        }
    }

    private mutating func compareElement(
        _ expected: [JSONValue], _ expectedIndex: Int, _ actual: [JSONValue], _ actualIndex: Int, hasMoved: Bool
    ) {
        location.append(.index(actualIndex))
        origin.append(.index(expectedIndex))
        if hasMoved {
            note(
                .moved, expected: expected[expectedIndex], actual: actual[actualIndex], origin: NormalizedPath(origin))
        }
        compare(expected[expectedIndex], actual[actualIndex])
        location.removeLast()
        origin.removeLast()
    }

    private mutating func note(
        _ kind: JSONDifference.Kind, expected: JSONValue?, actual: JSONValue?, origin: NormalizedPath? = nil
    ) {
        changes.append(
            JSONDifference.Change(
                location: NormalizedPath(location), kind: kind, expected: expected, actual: actual, origin: origin))
    }
}
