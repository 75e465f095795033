import JSON
import RegularExpressions
import RunModel
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("The plan of a run")
struct TestPlanTests {
    private let chain = Suites.suite([
        Suites.test(0, "add"),
        Suites.test(1, "read", after: [.init(test: 0, reason: .capture(name: "bookID"))]),
        Suites.test(2, "other", tags: ["slow"]),
        Suites.test(3, "remove", after: [.init(test: 1, reason: .needs)]),
    ])

    @Test("Without a selection, the plan contains every test in file order")
    func everything() {
        let plan = TestPlan(suites: [chain])
        #expect(plan.tests.map(\.reference.name) == ["add", "read", "other", "remove"])
        #expect(plan.tests[1].edges == [.init(test: 0, reason: .capture(name: "bookID"))])
        #expect(plan.tests.indices.map { plan.dependents(of: $0).map(\.test) } == [[1], [3], [], []])
    }

    @Test("The plan includes the dependencies of a selected test, transitively")
    func dependencies() {
        let plan = TestPlan(suites: [chain], selection: TestSelection(patterns: [NamePattern("remove")]))
        #expect(plan.tests.map(\.reference.name) == ["add", "read", "remove"])
        #expect(plan.tests.map(\.isSelected) == [false, false, true])
        #expect(plan.tests[2].edges == [.init(test: 1, reason: .needs)])
    }

    @Test("Tests are selected by tag, excluded tag, and location")
    func selection() {
        #expect(TestPlan(suites: [chain], selection: TestSelection(tags: [.tag("slow")])).tests.count == 1)
        #expect(TestPlan(suites: [chain], selection: TestSelection(excludedTags: [.tag("slow")])).tests.count == 3)
        let location = TestSelection(locations: [.init(path: "suite.yaml", line: 25)])
        #expect(TestPlan(suites: [chain], selection: location).tests.map(\.reference.name) == ["other"])
    }

    @Test("The plan omits suites without selected tests")
    func suites() {
        let other = Suites.suite([Suites.test(0, "else")], path: "other.yaml")
        let plan = TestPlan(suites: [other, chain], selection: TestSelection(tags: [.tag("slow")]))
        #expect(plan.suites.map(\.path) == ["suite.yaml"])
        #expect(plan.testsOfSuite == [0..<1])
        #expect(plan.tests[0].suite == 0)
    }

    @Test("The selected tests of a serial suite stay in order across unselected ones")
    func serial() {
        let suite = Suites.suite(
            [Suites.test(0, "a"), Suites.test(1, "b", tags: ["x"]), Suites.test(2, "c")], mode: .serial)
        let plan = TestPlan(suites: [suite], selection: TestSelection(excludedTags: [.tag("x")]))
        #expect(plan.tests.map(\.edges) == [[], [.init(test: 0, reason: .order)]])
    }

    @Test("Tests with the same name get distinct names")
    func names() {
        let plan = TestPlan(suites: [Suites.suite([Suites.test(0, "same"), Suites.test(1, "same")])])
        #expect(plan.tests.map(\.reference.name) == ["same", "same [2]"])
    }

    @Test("The graph is printed as text, Mermaid, and JSON")
    func printed() {
        let plan = TestPlan(suites: [chain])
        #expect(plan.textGraph().contains("  read\n    after \"add\", which captures bookID\n"))
        #expect(plan.mermaidGraph().contains("  t0 -->|\"bookID\"| t1\n"))
        #expect(plan.json()[0]?["tests"]?[3]?["after"]?[0]?["test"] == "read")
    }
}

@Testing.Suite("Patterns of names")
struct NamePatternTests {
    @Test(
        "A name pattern is a substring, or with asterisks, matches the whole name",
        arguments: [
            ("book", "Add a BOOK", true), ("add*book", "add a book", true), ("add*", "please add", false),
            ("*book", "add a book", true), ("a*a*a", "aa", false), ("a*a*a", "aXaYa", true), ("", "anything", true),
            ("*", "", true), ("a**b", "ab", true),
        ])
    func matching(pattern: String, name: String, isMatch: Bool) {
        #expect(NamePattern(pattern).matches(name) == isMatch)
    }

    @Test(
        "A name pattern can be exact or a regular expression",
        arguments: [
            ("=Add a book", "Add a book", true), ("=add a book", "Add a book", false), ("=Add", "Add a book", false),
            ("=", "a = b", true), ("/^Add/", "Add a book", true), ("/^add/", "Add a book", false),
            ("/^add/i", "Add a book", true), ("/\\d{2}$/", "number 42", true), ("/x", "a/x", true),
            ("//", "a//b", true),
            ("/a|b/", "xbx", true),
        ])
    func parsed(pattern: String, name: String, isMatch: Bool) throws {
        #expect(try NamePattern(parsing: pattern).matches(name) == isMatch)
    }

    @Test("An invalid regular expression is rejected with its position in the pattern")
    func mistakes() {
        let error = #expect(throws: RegularExpressionError.self) { try NamePattern(parsing: "/a(b/") }
        #expect(error?.offset == 2)
    }

    @Test("Setup and teardown are planned with any test, and the teardown's dependencies add no tests")
    func setupAndTeardown() {
        var setup = Suites.test(0, "setup")
        setup.kind = .setup
        var teardown = Suites.test(4, "teardown", after: [.init(test: 2, reason: .capture(name: "id"))])
        teardown.kind = .teardown
        let afterSetup = SuiteTest.Dependency(test: 0, reason: .setup)
        let suite = Suites.suite([
            setup, Suites.test(1, "a", tags: ["x"], after: [afterSetup]), Suites.test(2, "b", after: [afterSetup]),
            Suites.test(3, "c", tags: ["y"], skip: "", after: [afterSetup]), teardown,
        ])
        func names(_ test: String) -> [String] {
            TestPlan(suites: [suite], selection: TestSelection(patterns: [NamePattern(test)])).tests
                .map(\.reference.name)
        }
        #expect(names("a") == ["setup", "a", "teardown"])
        #expect(names("c") == ["setup", "c", "teardown"])
        #expect(names("setup") == [])
        #expect(names("teardown") == [])
        let location = TestSelection(locations: [.init(path: "suite.yaml", line: 2)])
        #expect(TestPlan(suites: [suite], selection: location).tests.map(\.reference.name) == ["setup", "teardown"])
        let plan = TestPlan(suites: [suite])
        #expect(plan.tests.map(\.reference.name) == ["setup", "a", "b", "c", "teardown"])
        #expect(plan.tests[4].edges == [.init(test: 2, reason: .capture(name: "id"))])
    }

    @Test("Tests marked \"only\" run alone, in all suites, with their dependencies")
    func only() {
        var remove = Suites.test(3, "remove", after: [.init(test: 1, reason: .needs)])
        remove.isOnly = true
        let limited = Suites.suite([
            Suites.test(0, "add"), Suites.test(1, "read", after: [.init(test: 0, reason: .needs)]),
            Suites.test(2, "other"), remove,
        ])
        let plan = TestPlan(suites: [Suites.suite([Suites.test(0, "else")], path: "other.yaml"), limited])
        #expect(plan.tests.map(\.reference.name) == ["add", "read", "remove"])
        #expect(plan.limitNotice?.message == "only tests with \"only\" are run: suite.yaml:31:1")
        #expect(TestPlan(suites: [Suites.suite([Suites.test(0, "else")])]).limitNotice == nil)
    }
}
