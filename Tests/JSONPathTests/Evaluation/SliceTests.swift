import JSON
import JSONPath
import Testing

struct SliceTests {
    /// Compares the results with the definition in RFC 9535, section 2.3.4.2.2, for all small bounds and some large
    /// ones.
    @Test func slicesFollowTheDefinition() throws {
        let bounds: [Int?] = [nil, -9_007_199_254_740_991, -4, -3, -1, 0, 1, 2, 3, 5, 9_007_199_254_740_991]
        let steps: [Int?] = [nil, -9_007_199_254_740_991, -2, -1, 0, 1, 2, 9_007_199_254_740_991]
        for count in [0, 1, 3, 4] {
            let document = JSONValue.array((0..<count).map { .number(JSONNumber($0)) })
            for start in bounds {
                for end in bounds {
                    for step in steps {
                        let text = [start, end, step].map { $0.map(String.init) ?? "" }.joined(separator: ":")
                        let values = try JSONPath("$[\(text)]").values(in: document)
                        #expect(values == expected(start, end, step ?? 1, count), "\(text) of \(count)")
                    }
                }
            }
        }
    }

    private func expected(_ start: Int?, _ end: Int?, _ step: Int, _ count: Int) -> [JSONValue] {
        func normalized(_ index: Int) -> Int { index >= 0 ? index : count + index }
        let from = normalized(start ?? (step >= 0 ? 0 : count - 1))
        let to = end.map(normalized) ?? (step >= 0 ? count : -1)
        var positions: [Int] = []
        if step > 0 {
            let upper = min(max(to, 0), count)
            var position = min(max(from, 0), count)
            while position < upper {
                positions.append(position)
                position += step
            }
        } else if step < 0 {
            let lower = min(max(to, -1), count - 1)
            var position = min(max(from, -1), count - 1)
            while position > lower {
                positions.append(position)
                position += step
            }
        }
        return positions.map { .number(JSONNumber($0)) }
    }
}
