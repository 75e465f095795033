/// A parsed JUnit XML report.
struct JUnitReport {
    /// Counts of test cases.
    struct Counts: Equatable, CustomStringConvertible {
        var tests = 0
        var failures = 0
        var errors = 0
        var skipped = 0

        var description: String { "\(tests) tests, \(failures) failures, \(errors) errors, \(skipped) skipped" }

        /// Creates the counts in an element's attributes.
        init(_ element: XMLElement) {
            func number(_ name: String) -> Int { element.attributes[name].flatMap { Int($0) } ?? -1 }
            tests = number("tests")
            failures = number("failures")
            errors = number("errors")
            skipped = number("skipped")
        }

        /// Creates the counts of test cases.
        init(cases: [XMLElement]) {
            tests = cases.count
            failures = cases.count { !$0.children("failure").isEmpty }
            errors = cases.count { !$0.children("error").isEmpty }
            skipped = cases.count { !$0.children("skipped").isEmpty }
        }
    }

    /// The root element.
    let root: XMLElement

    /// Parses a report.
    ///
    /// - Throws: An error if the document is not well-formed XML.
    init(_ document: String) throws {
        root = try XMLElement(document: document)
    }

    /// All test cases.
    var cases: [XMLElement] { root.descendants("testcase") }

    /// The counts of all test cases.
    var counts: Counts { Counts(cases: cases) }

    /// The outcomes in the terms of the console, where a test with steps counts once instead of once per step.
    var outcomes: [String: Int] {
        let tests = Dictionary(grouping: cases.filter { !Self.isProblem($0) }) { test in
            let name = (test.attributes["name"] ?? "").prefix { $0 != "›" }
            return "\(test.attributes["classname"] ?? "")#\(name)"
        }
        var outcomes: [String: Int] = [:]
        for cases in tests.values {
            let counts = Counts(cases: cases)
            let outcome =
                if counts.errors > 0 { "errored" } else if counts.failures > 0 {
                    "failed"
                } else if counts.skipped == counts.tests { "skipped" } else if cases.contains(where: Self.isFlaky) {
                    "flaky"
                } else { "passed" }
            outcomes[outcome, default: 0] += 1
        }
        return outcomes
    }

    /// Returns whether a test case represents an error outside of the tests, which the console does not count.
    private static func isProblem(_ test: XMLElement) -> Bool {
        test.attributes["classname"] == "apitest.run" || test.attributes["name"] == "suite error"
    }

    /// Returns whether a test case passed only after a retry.
    private static func isFlaky(_ test: XMLElement) -> Bool {
        test.children.contains { $0.name == "flakyFailure" || $0.name == "flakyError" }
    }

    /// The problems that consumers of the report would have.
    var problems: [String] {
        var problems: [String] = []
        func check(_ holds: Bool, _ problem: @autoclosure () -> String) {
            if !holds { problems.append(problem()) }
        }
        check(root.name == "testsuites", "the root is \(root.name)")
        check(Counts(root) == counts, "testsuites says \(Counts(root)), but has \(counts)")
        for suite in root.children {
            check(suite.name == "testsuite", "testsuites has a \(suite.name)")
            let name = suite.attributes["name"] ?? ""
            let found = Counts(cases: suite.children("testcase"))
            check(!name.isEmpty, "a testsuite has no name")
            check(Counts(suite) == found, "testsuite \(name) says \(Counts(suite)), but has \(found)")
            check(suite.children("testsuite").isEmpty, "testsuite \(name) has another one in it")
            check(
                suite.attributes["timestamp"]?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) != nil,
                "testsuite \(name) has the timestamp \(suite.attributes["timestamp"] ?? "")")
            check(suite.attributes["hostname"]?.isEmpty == false, "testsuite \(name) has no hostname")
        }
        for element in [root] + root.children + cases {
            check(
                element.attributes["time"]?.wholeMatch(of: /\d+\.\d{3}/) != nil,
                "\(element.name) has the time \(element.attributes["time"] ?? "")")
        }
        var names: Set<String> = []
        for test in cases {
            let name = "\(test.attributes["classname"] ?? "")#\(test.attributes["name"] ?? "")"
            check(names.insert(name).inserted, "\(name) comes twice")
            check(
                test.attributes["classname"]?.wholeMatch(of: /[^\s\/]+/) != nil, "\(name): the classname is unusable")
            if test.attributes["classname"] != "apitest.run" {
                check(test.attributes["file"]?.isEmpty == false, "\(name) has no file")
                check(test.attributes["line"].flatMap { Int($0) } != nil, "\(name) has no line")
            }
            let verdicts = test.children.filter { ["failure", "error", "skipped"].contains($0.name) }
            check(verdicts.count <= 1, "\(name) has \(verdicts.count) verdicts")
            for verdict in verdicts where verdict.name != "skipped" {
                check(verdict.attributes["message"]?.isEmpty == false, "\(name) has no message")
                check(verdict.attributes["type"]?.isEmpty == false, "\(name) has no type")
                check(!verdict.text.isEmpty, "\(name) has no text")
            }
            for output in test.children("system-out") {
                check(output.text.utf8.count <= 70_000, "\(name) has \(output.text.utf8.count) bytes of output")
            }
        }
        return problems
    }
}
