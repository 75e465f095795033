import Basics
import Diagnostics
import RunModel
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("Names of tests and rows")
struct SuiteNamesTests {
    /// Returns a test with the given number of rows or without any, whose rows have their own names or the test's.
    private func test(_ index: Int, _ name: String, rows: Int? = nil, names: [String] = []) -> SuiteTest {
        var test = Suites.test(index, name)
        if let rows { test.data = TestData(sources: [.repetition(rows)], names: NameList(names)) }
        return test
    }

    @Test(
        "Duplicate names are numbered, whatever they look like",
        arguments: [
            ([("a", nil), ("b", nil)], ["a", "b"]),
            ([("a", nil), ("a", nil), ("a", nil)], ["a", "a [2]", "a [3]"]),
            ([("a", 3), ("b", 2)], ["a", "a [2]", "a [3]", "b", "b [2]"]),
            ([("a", 2), ("a [2]", nil)], ["a", "a [2]", "a [2] [2]"]),
            ([("a [2]", nil), ("a", 2)], ["a [2]", "a", "a [3]"]),
            ([("a", 1), ("a [2]", nil)], ["a", "a [2]"]),
            ([("a", 2), ("a", 2)], ["a", "a [2]", "a [3]", "a [4]"]),
            ([("[2]", 2), (" [2]", nil), ("", 2)], ["[2]", "[2] [2]", " [2]", "", " [3]"]),
        ] as [([(String, Int?)], [String])])
    func numbers(_ tests: [(String, Int?)], _ expected: [String]) {
        let suite = Suites.suite(tests.enumerated().map { test($0, $1.0, rows: $1.1) })
        let plan = TestPlan(suites: [suite])
        #expect(plan.tests.map(\.reference.name) == expected)
    }

    @Test("Row names stay unchanged unless they are duplicates")
    func rows() {
        let unique = Suites.suite([test(0, "${x}", rows: 2, names: ["a", "b"]), test(1, "c")])
        #expect(TestPlan(suites: [unique]).tests.map(\.reference.name) == ["a", "b", "c"])
        let repeated = Suites.suite([test(0, "${x}", rows: 3, names: ["a", "b", "a"]), test(1, "b")])
        #expect(TestPlan(suites: [repeated]).tests.map(\.reference.name) == ["a", "b", "a [2]", "b [2]"])
    }

    @Test("Names are numbered like those of a generator that remembers all of them", arguments: 0..<300)
    func generator(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let names = ["a", "a [2]", "a [2] [2]", "a [3]", "b", "b [2]", "c", "[2]", " [2]", "d [x]"]
        let tests = (0..<Int.random(in: 1...4, using: &random)).map { index in
            let rows = Int.random(in: 0...5, using: &random)
            let isNamed = Bool.random(using: &random)
            let name = names.randomElement(using: &random) ?? ""
            return test(
                index, name, rows: rows == 0 ? nil : rows,
                names: isNamed ? (0..<rows).map { _ in names.randomElement(using: &random) ?? "" } : [])
        }
        var written: [String] = []
        for test in tests {
            guard let data = test.data else {
                written.append(test.name)
                continue
            }
            written += (0..<data.count).map { data.names.isEmpty ? test.name : data.names[$0] }
        }
        var counts: [String: Int] = [:]
        let expected = written.map { name in
            var count = counts[name, default: 0] + 1
            counts[name] = count
            if count == 1 { return name }
            while counts["\(name) [\(count)]"] != nil { count += 1 }
            counts[name] = count
            counts["\(name) [\(count)]"] = 1
            return "\(name) [\(count)]"
        }
        #expect(TestPlan(suites: [Suites.suite(tests)]).tests.map(\.reference.name) == expected)
        #expect(Set(expected).count == expected.count)
    }

    @Test("Rows, tests, and their dependencies keep their order and positions")
    func order() {
        var last = Suites.test(3, "last", after: [.init(test: 1, reason: .needs)])
        last.data = TestData(sources: [.repetition(2)])
        let suite = Suites.suite([test(0, "first"), test(1, "rows", rows: 3), test(2, "between"), last])
        let plan = TestPlan(suites: [suite, suite])
        let names = ["first", "rows", "rows [2]", "rows [3]", "between", "last", "last [2]"]
        #expect(plan.tests.map(\.reference.name) == names + names)
        #expect(plan.tests.map(\.reference.position) == Array(0..<7) + Array(0..<7))
        #expect(plan.tests.map(\.reference.ordinal) == Array(0..<7) + Array(0..<7))
        #expect(plan.tests.map(\.suite) == Array(repeating: 0, count: 7) + Array(repeating: 1, count: 7))
        #expect(plan.tests.map(\.row) == [nil, 0, 1, 2, nil, 0, 1, nil, 0, 1, 2, nil, 0, 1])
        #expect(plan.tests.indices.map(plan.suite) == plan.tests.map(\.suite))
        #expect(plan.tests[6].edges == [.init(test: 1, reason: .needs, count: 3)])
        #expect(plan.tests[12].edges == [.init(test: 8, reason: .needs, count: 3)])
        #expect(plan.tests.indices.map(plan.tests.edges) == plan.tests.map(\.edges))
    }
}
