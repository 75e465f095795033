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
