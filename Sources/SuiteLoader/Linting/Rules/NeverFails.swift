import CEL
import Diagnostics
import SuiteModel

/// Reports expectations that hold whatever the response is.
enum NeverFails: LintCheck {
    static let rule = LintRule("never-fails", "An expectation or assertion that holds whatever the response is")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        // What stands under `defaults` is part of many steps.
        var seen: Set<SourcePosition> = []
        let note: (LintFinding?) -> Void = { finding in
            if let finding, seen.insert(finding.range.start).inserted { report(finding) }
        }
        for test in subject.suite.tests {
            for step in test.steps {
                check(step.expectations, note)
                if let until = step.flow?.value.until { check(until.expectations, note) }
                for element in step.webSocket?.value.elements ?? [] {
                    if case .receive(let expected) = element.action { check(expected.value.expectations, note) }
                }
            }
        }
    }

    private static func check(_ set: ExpectationSet, _ note: (LintFinding?) -> Void) {
        if let status = set.status { note(AlwaysTrue.finding(in: status)) }
        func check(_ matcher: Matcher?, _ subject: AlwaysTrue.Subject = .value) {
            if let matcher { AlwaysTrue.findings(in: matcher, subject, note) }
        }
        for header in set.headers { check(header.matcher) }
        for cookie in set.cookies {
            check(cookie.value)
            for attribute in cookie.attributes { check(attribute.matcher) }
        }
        for path in set.json { check(path.matcher) }
        check(set.body)
        check(set.duration, .positive)
        check(set.size, .natural)
        for assertion in set.assertions {
            guard let value = assertion.expression.constantValue else { continue }
            let isTrue = if case .bool(true) = value { true } else { false }
            note(
                LintFinding(
                    message: isTrue
                        ? "the assertion is always true" : "the assertion is the same whatever the response is",
                    range: assertion.range,
                    suggestion: "compare with a part of the response, such as body or status"))
        }
        guard let extras = set.extras?.value else { return }
        for path in extras.xml + extras.html { check(path.matcher) }
        for trailer in extras.trailers { check(trailer.matcher) }
        check(extras.redirects, .natural)
        if case .list(let matcher)? = extras.hops { check(matcher) }
        for timing in extras.timings { check(timing.matcher, .natural) }
        check(extras.http)
        check(extras.sha256)
    }
}
