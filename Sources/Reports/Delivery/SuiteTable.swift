/// Values by the indices of suites, which are mostly those from 0 on: looked up for each test.
struct SuiteTable<Value> {
    /// Those of small indices.
    private var values: [Value?] = []
    private var others: [Int: Value] = [:]

    /// The indices that are below it have a place of their own.
    private static var most: Int { 4_096 }

    /// The value of a suite; nil where there is none.
    subscript(suite: Int) -> Value? {
        @inline(__always) _read {
            if values.indices.contains(suite) {
                yield values[suite]
            } else {
                yield others[suite]
            }
        }
        @inline(__always) _modify {
            if 0..<Self.most ~= suite {
                while values.count <= suite { values.append(nil) }
                yield &values[suite]
            } else {
                yield &others[suite]
            }
        }
    }

    /// Suites and their values, in the order of the indices.
    var sorted: [(suite: Int, value: Value)] {
        var all: [(suite: Int, value: Value)] = others.map { ($0.key, $0.value) }
        for (suite, value) in values.enumerated() {
            if let value { all.append((suite, value)) }
        }
        return all.sorted { $0.suite < $1.suite }
    }
}

extension SuiteTable: Sendable where Value: Sendable {}
