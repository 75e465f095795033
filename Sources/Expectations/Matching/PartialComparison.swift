import JSON

/// A comparison of only the members in an expected value, at any depth.
enum PartialComparison {
    /// Returns whether a value has everything in `expected`. Arrays must have equal lengths and pairwise similar
    /// elements.
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

    /// Returns the value without members that `expected` does not contain, so a difference shows only expected members.
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

    /// The maximum number of element comparisons for finding counterparts.
    private static let maximumComparisons = 10_000

    /// Returns the elements, each restricted to its counterpart.
    ///
    /// An inserted element shifts the following ones. The counterpart is therefore the element at the same index if it
    /// is similar, and otherwise the first similar one.
    private static func restricted(_ actual: [JSONValue], to expected: [JSONValue]) -> [JSONValue] {
        let (comparisons, overflow) = actual.count.multipliedReportingOverflow(by: expected.count)
        let isSearched = !overflow && comparisons <= maximumComparisons
        var result: [JSONValue] = []
        result.reserveCapacity(actual.count)
        for (index, value) in actual.enumerated() {
            let neighbor = index < expected.count ? expected[index] : expected.last
            var counterpart = neighbor
            if isSearched, neighbor.map({ isLike(value, $0) }) != true {
                counterpart = expected.first { isLike(value, $0) } ?? neighbor
            }
            let part = counterpart.map { restricted(value, to: $0) } ?? value
            // An element without common members is shown entirely.
            result.append(part == .object(JSONObject()) ? value : part)
        }
        return result
    }
}
