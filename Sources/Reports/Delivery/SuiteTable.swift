/// A table of values by suite index, with fast lookup for the usual small indices.
///
/// Reports read it for every test.
struct SuiteTable<Value> {
    /// The values of small indices.
    private var values: [Value?] = []
    private var others: [Int: Value] = [:]

    /// The maximum number of indices stored in the array.
    private static var maximum: Int { 4_096 }

    /// The value of a suite, or `nil` if it has none.
    subscript(suite: Int) -> Value? {
        @inline(__always) _read {
            if values.indices.contains(suite) {
                yield values[suite]
            } else {
                yield others[suite]
            }
        }
        @inline(__always) _modify {
            if 0..<Self.maximum ~= suite {
                while values.count <= suite { values.append(nil) }
                yield &values[suite]
            } else {
                yield &others[suite]
            }
        }
    }

    /// The suites and their values, ordered by index.
    var sorted: [(suite: Int, value: Value)] {
        var all: [(suite: Int, value: Value)] = others.map { ($0.key, $0.value) }
        for (suite, value) in values.enumerated() {
            if let value { all.append((suite, value)) }
        }
        return all.sorted { $0.suite < $1.suite }
    }
}

extension SuiteTable: Sendable where Value: Sendable {}
