/// The difference between an expected and an actual value: only the parts that differ, each with its location.
///
/// Array elements are aligned, so an insertion is a single change and does not affect the elements after it:
///
/// - Objects with a unique identifying member (`id`, `_id`, `@id`, `uuid`, `guid`, `key`, `code`, `slug` or `name`) are
///   paired by it, regardless of their order. The first of these members that is unique in both arrays is used.
/// - Other elements are paired if they are equal, by a longest common subsequence. A remaining element that occurs once
///   in both arrays has moved.
/// - The elements left between two pairs are paired by similarity, up to 4,096 possible pairs, otherwise by index.
///
/// The work is bounded for all values. A longest common subsequence with more than 1,000 insertions and removals is
/// searched only between elements that occur once in both arrays. After twenty million steps in total, the remaining
/// elements are compared by index. The changes are then not minimal, but still correct.
public struct JSONDifference: Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: String, Sendable, Hashable {
        /// Both values are present but differ.
        case changed
        /// Only the expected value is present.
        case missing
        /// Only the actual value is present.
        case unexpected
        /// An array element is at a different position among the others. Differences within it are separate changes.
        case moved
    }

    /// A difference at one location.
    public struct Change: Sendable, Hashable {
        /// The location in the actual value.
        ///
        /// A missing value has the location of its parent, followed by its own name or its index in the expected array.
        public let location: NormalizedPath
        /// The kind of the change.
        public let kind: Kind
        /// The expected value; nil if `kind` is `.unexpected`.
        public let expected: JSONValue?
        /// The actual value; nil if `kind` is `.missing`.
        public let actual: JSONValue?
        /// The location of a moved element in the expected value; otherwise nil.
        public let origin: NormalizedPath?

        /// Creates a change.
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

        /// The location in shorthand notation, such as `$.a[2].b`.
        public var path: String { location.shorthand }
    }

    /// The changes in the document order of the expected value; unexpected members of an object come last.
    public let changes: [Change]

    /// Whether the values are equal.
    public var isEmpty: Bool { changes.isEmpty }

    /// Creates the difference of two values.
    public init(expected: JSONValue, actual: JSONValue) {
        var comparison = StructuralComparison()
        comparison.compare(expected, actual)
        changes = comparison.changes
    }
}

/// A structural comparison of two values, which records where they differ.
struct StructuralComparison {
    private(set) var changes: [JSONDifference.Change] = []
    /// The current location in the actual value.
    private var location: [NormalizedPath.Step] = []
    /// The current location in the expected value, which differs after inserted, removed or moved elements.
    private var origin: [NormalizedPath.Step] = []
    /// The number of comparisons left for aligning arrays, in the whole difference.
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
