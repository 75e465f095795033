import JSON

/// Comparison by the members that an expected value names: others are free at every depth.
enum PartialComparison {
    /// Whether a value has all that `expected` names; arrays must have as many elements, each like its counterpart.
    static func isLike(_ actual: JSONValue, _ expected: JSONValue) -> Bool {
        switch (expected, actual) {
        case (.object(let expected), .object(let actual)):
            for (name, value) in expected {
                guard let other = actual[name], isLike(other, value) else { return false }
            }
            return true
        case (.array(let expected), .array(let actual)):
            guard expected.count == actual.count else { return false }
            for (value, other) in zip(expected, actual) where !isLike(other, value) { return false }
            return true
        default:
            return expected == actual
        }
    }

    /// The value without the members that `expected` does not name, so that a difference shows only what was asked for.
    static func restricted(_ actual: JSONValue, to expected: JSONValue) -> JSONValue {
        switch (expected, actual) {
        case (.object(let expected), .object(let actual)):
            var result = JSONObject()
            for (name, value) in actual {
                if let other = expected[name] { result.append(name, restricted(value, to: other)) }
            }
            return .object(result)
        case (.array(let expected), .array(let actual)):
            return .array(restricted(actual, to: expected))
        default:
            return actual
        }
    }

    /// The most comparisons of elements that are made to find out which belong together.
    private static let mostComparisons = 10_000

    /// The elements, each without what its counterpart does not name.
    ///
    /// An element that was put in moves the others: the counterpart is the one at the same place if it is like it,
    /// otherwise the first that is.
    private static func restricted(_ actual: [JSONValue], to expected: [JSONValue]) -> [JSONValue] {
        let (comparisons, overflow) = actual.count.multipliedReportingOverflow(by: expected.count)
        let isSearched = !overflow && comparisons <= mostComparisons
        var result: [JSONValue] = []
        result.reserveCapacity(actual.count)
        for (index, value) in actual.enumerated() {
            let neighbor = index < expected.count ? expected[index] : expected.last
            var counterpart = neighbor
            if isSearched, neighbor.map({ isLike(value, $0) }) != true {
                counterpart = expected.first { isLike(value, $0) } ?? neighbor
            }
            let part = counterpart.map { restricted(value, to: $0) } ?? value
            // An element that has nothing in common with its counterpart is shown whole.
            result.append(part == .object(JSONObject()) ? value : part)
        }
        return result
    }
}
