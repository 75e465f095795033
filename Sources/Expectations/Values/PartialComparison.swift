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
            var result: [JSONValue] = []
            result.reserveCapacity(actual.count)
            for (index, value) in actual.enumerated() {
                result.append(index < expected.count ? restricted(value, to: expected[index]) : value)
            }
            return .array(result)
        default:
            return actual
        }
    }
}
