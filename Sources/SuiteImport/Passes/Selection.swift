/// The tests that others need, for selecting and dividing tests.
extension ImportedSuite {
    /// Keeps the tests with a request that a filter matches, and those whose captures they use.
    mutating func keepOnly(_ filter: ImportFilter) {
        if filter.isEmpty { return }
        let connections = Connections(self)
        var kept: Set<Int> = []
        var next = tests.indices.filter { index in
            filter.selects(directory: tests[index].group)
                || tests[index].steps.contains { step in
                    filter.matches(method: step.request.method, url: step.request.url.template)
                        || filter.matches(method: step.request.method, url: tests[index].name)
                }
        }
        while let index = next.popLast() {
            if kept.insert(index).inserted { next += connections.sources[index] ?? [] }
        }
        tests = tests.indices.filter(kept.contains).map { tests[$0] }
    }

    /// Returns the representative of each group, which is the same for groups that captures connect.
    func connected(_ groups: [String]) -> [String: String] {
        var representatives = Dictionary(uniqueKeysWithValues: groups.map { ($0, $0) })
        func find(_ group: String) -> String {
            var group = group
            while let next = representatives[group], next != group { group = next }
            return group
        }
        for (index, sources) in Connections(self).sources {
            for source in sources {
                let first = find(tests[source].group.first ?? "")
                let second = find(tests[index].group.first ?? "")
                if first == second { continue }
                let isEarlier = (groups.firstIndex(of: first) ?? 0) < (groups.firstIndex(of: second) ?? 0)
                representatives[isEarlier ? second : first] = isEarlier ? first : second
            }
        }
        for group in groups { representatives[group] = find(group) }
        return representatives
    }

    /// The tests whose captures each test uses.
    private struct Connections {
        private(set) var sources: [Int: [Int]] = [:]

        init(_ suite: ImportedSuite) {
            var uses = NameUses()
            /// The last test that captured each name.
            var captured: [String: Int] = [:]
            for (index, test) in suite.tests.enumerated() {
                var names: Set<String> = []
                var own: Set<String> = []
                for step in test.steps + test.cleanup {
                    var step = step
                    var found: [String] = []
                    let transform = FormTransform {
                        found.append($0)
                        return $0
                    }
                    transform.applyBeforeResponse(to: &step)
                    transform.applyAfterResponse(to: &step)
                    for source in found { names.formUnion(uses.names(in: source)) }
                    own.formUnion(step.capturedNames)
                }
                let list = names.compactMap { captured[$0] }.filter { $0 != index }
                if !list.isEmpty { sources[index] = Set(list).sorted() }
                for name in own { captured[name] = index }
            }
            for (index, test) in suite.tests.enumerated() where !test.needs.isEmpty {
                let needed = suite.tests.indices.filter { test.needs.contains(suite.tests[$0].name) }
                sources[index, default: []] += needed
            }
        }
    }
}
