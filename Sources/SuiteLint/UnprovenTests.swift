import Basics
import CEL
import Diagnostics
import JSON
import RegularExpressions
import RunModel
import SuiteModel
import YAML

/// Reports expectations that every response meets.
enum NeverFails: LintCheck {
    static let rule = LintRule("never-fails", "An expectation or assertion that holds for every response")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        // Values under `defaults` are part of many steps, and are reported once.
        var seen: Set<SourcePosition> = []
        let note: (LintFinding?) -> Void = { finding in
            if let finding, seen.insert(finding.range.start).inserted { report(finding) }
        }
        for test in subject.suite.tests {
            for step in test.steps {
                check(step.expectations, note)
                if let until = step.flow?.until { check(until.expectations, note) }
                for element in step.webSocket?.elements ?? [] {
                    if case .receive(let expected) = element.action { check(expected.expectations, note) }
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
        for path in set.json { check(path.matcher, path.listPath == nil ? .value : .list) }
        check(set.body)
        check(set.extras?.text)
        check(set.duration, .positive)
        check(set.size, .natural)
        for assertion in set.assertions {
            guard let value = assertion.expression.constantValue else { continue }
            let isTrue = if case .bool(true) = value { true } else { false }
            note(
                LintFinding(
                    message: isTrue
                        ? "the assertion is always true" : "the assertion has the same result for every response",
                    range: assertion.range,
                    suggestion: "compare with a part of the response, such as body or status"))
        }
        guard let extras = set.extras else { return }
        for path in extras.xml + extras.html {
            check(path.matcher, path.query.listPath == nil ? .value : .list)
        }
        for trailer in extras.trailers { check(trailer.matcher) }
        check(extras.redirects, .natural)
        if case .list(let matcher)? = extras.hops { check(matcher) }
        for timing in extras.timings { check(timing.matcher, .natural) }
        check(extras.text)
        check(extras.exit)
        check(extras.stderr)
        check(extras.http)
        check(extras.sha256)
    }
}

/// Reports tests without expectations.
enum NoExpectation: LintCheck {
    static let rule = LintRule(
        "no-expectation", "A test without expectations, which passes with any status below 400", isOnByDefault: false)

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        for test in subject.suite.tests where test.kind == .test && test.skip == nil {
            let isPlain = test.body.allSatisfy { step in
                (step.request != nil || step.group != nil) && step.expectations.isDefault && step.captures.isEmpty
                    && step.flow?.until == nil && step.webSocket == nil
            }
            guard isPlain, !test.steps.isEmpty else { continue }
            report(
                LintFinding(
                    message: "the test has no expectations: any status below 400 passes", range: test.range,
                    suggestion: "add \"expect\" or \"assert\""))
        }
    }
}

/// Reports keys that have no effect in their context.
enum NoEffect: LintCheck {
    static let rule = LintRule("no-effect", "A key that has no effect")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        if let retry = subject.root["defaults"]?["retry"] { check(retry: retry, report) }
        for unit in subject.names.units {
            if unit.hasSteps, let retry = unit.node["retry"] { check(retry: retry, report) }
            for (index, step) in unit.steps.enumerated() {
                if let retry = step["retry"] { check(retry: retry, report) }
                guard index == unit.tree.last, step["forEach"] == nil, step["while"] == nil,
                    let key = step.mapping?.keyNode("continue"), step["continue"]?.isTrue == true
                else { continue }
                report(
                    LintFinding(
                        message: "\"continue\" has no effect: no step follows", range: key.range,
                        suggestion: "remove it; the test fails in any case if the step does"))
            }
        }
    }

    private static func check(retry: YAMLNode, _ report: (LintFinding) -> Void) {
        guard let mapping = retry.mapping, let times = mapping["times"]?.scalar?.text else { return }
        for (key, value) in mapping {
            guard let name = key.scalar?.text, name != "times" else { continue }
            let reason: String? =
                switch name {
                case _ where times == "0": "nothing is retried"
                case "backoff" where value.scalar?.text == RetryRule.Backoff.exponential.rawValue && times == "1":
                    "there is only one retry, with no delay after it"
                default: nil
                }
            guard let reason else { continue }
            report(
                LintFinding(
                    message: "\"\(name)\" has no effect: \(reason)", range: key.range,
                    suggestion: times == "0" ? "write \"retry: 0\"" : "remove it, or add the key that it modifies"))
        }
    }
}

/// Reports tests that prevent all others from running.
enum FocusedTest: LintCheck {
    static let rule = LintRule("focused-test", "A test with `only`, which excludes all other tests")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        for unit in subject.names.units where unit.kind == .test {
            guard let key = unit.node.mapping?.keyNode("only"), unit.node["only"]?.isTrue == true else { continue }
            report(
                LintFinding(
                    message: "tests without \"only\" do not run", range: key.range,
                    suggestion: "remove it before committing the suite"))
        }
    }
}

/// Reports conditions that are constant.
enum ConstantCondition: LintCheck {
    static let rule = LintRule("constant-condition", "An `if` that is always true, or always false")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        for test in subject.suite.tests {
            check(test.condition, "the test", report)
            for step in test.steps { check(step.flow?.condition, "the step", report) }
        }
    }

    private static func check(_ condition: EmbeddedExpression?, _ what: String, _ report: (LintFinding) -> Void) {
        guard let condition, let value = condition.expression.constantValue else { return }
        let isTrue = if case .bool(true) = value { true } else { false }
        report(
            LintFinding(
                message: isTrue ? "the condition is always true" : "\(what) never runs: the condition is never true",
                range: condition.range, suggestion: isTrue ? "remove it" : "write \"skip\" with a reason"))
    }
}

/// Finds operators that every possible value satisfies.
enum AlwaysTrue {
    /// The known range of the checked values.
    enum Subject {
        /// Any value.
        case value
        /// The list of the values that a path selects, which may be empty.
        case list
        /// Numbers of 0 or more.
        case natural
        /// Numbers greater than 0.
        case positive

        /// Whether the values are numbers.
        var isNumber: Bool { self == .natural || self == .positive }
    }

    /// Patterns that match every string.
    private static let patterns: Set<String> = [
        "", "^", "$", ".*", ".*?", "(.*)", "^.*", ".*$", "[\\s\\S]*", "^[\\s\\S]*$", "(?:)",
    ]
    /// Types that together include every JSON value.
    private static let types: Set<Matcher.ValueType> = [.string, .number, .boolean, .array, .object, .null]
    /// The valid status codes (RFC 9110, section 15).
    private static let statuses = 100...599

    /// Reports each operator of a matcher that every value satisfies.
    static func findings(in matcher: Matcher, _ subject: Subject, _ note: (LintFinding?) -> Void) {
        for operation in matcher.operations {
            if case .exists(true) = operation.operator {
                guard let other = matcher.operations.first(where: { needsValue($0.operator, subject) }) else {
                    continue
                }
                note(
                    LintFinding(
                        message:
                            "\"exists\" has no effect: \"\(other.operator.keyword.rawValue)\" fails too if there is no value",
                        range: operation.range, suggestion: "remove \"exists: true\""))
            } else if let reason = reason(operation.operator, subject) {
                note(LintFinding(message: reason.message, range: operation.range, suggestion: reason.suggestion))
            } else {
                switch operation.operator {
                case .all(let matchers), .either(let matchers):
                    for inner in matchers { findings(in: inner, subject, note) }
                case .each(let inner), .any(let inner), .includes(let inner), .regex(_, let inner), .as(_, let inner):
                    findings(in: inner, .value, note)
                default: break
                }
            }
        }
    }

    /// Returns a finding if every status code meets an expectation; nil otherwise.
    static func finding(in status: ExpectationSet.Status) -> LintFinding? {
        let suggestion: MessageText = "write the expected statuses, such as 2xx"
        switch status.pattern {
        case .ranges(let ranges):
            var next = statuses.lowerBound
            for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound <= next {
                next = max(next, range.upperBound + 1)
            }
            guard next > statuses.upperBound else { return nil }
            return LintFinding(message: "every status matches", range: status.range, suggestion: suggestion)
        case .matcher(let matcher):
            for operation in matcher.operations {
                let isAlways: Bool? =
                    switch operation.operator {
                    case .gte(let bound): integer(bound).map { $0 <= statuses.lowerBound }
                    case .gt(let bound): integer(bound).map { $0 < statuses.lowerBound }
                    case .lte(let bound): integer(bound).map { $0 >= statuses.upperBound }
                    case .lt(let bound): integer(bound).map { $0 > statuses.upperBound }
                    case .between(let low, let high):
                        integer(low).flatMap { low in
                            integer(high).map { low <= statuses.lowerBound && $0 >= statuses.upperBound }
                        }
                    case .exists(true): true
                    default: nil
                    }
                if isAlways == true {
                    return LintFinding(
                        message: "every status matches", range: operation.range, suggestion: suggestion)
                }
            }
            return nil
        }
    }

    private static func reason(
        _ operation: Matcher.Operator, _ subject: Subject
    ) -> (message: MessageText, suggestion: MessageText)? {
        let isText: MessageText = "write { type: string } to check for a string"
        switch operation {
        case .contains(.constant(.string(""))): return ("every string contains the empty string", isText)
        case .startsWith(.constant("")): return ("every string starts with the empty string", isText)
        case .endsWith(.constant("")): return ("every string ends with the empty string", isText)
        case .matches(.compiled(let pattern)) where patterns.contains(pattern.pattern):
            return ("the pattern matches every string", isText)
        case .gte(let bound):
            guard subject.isNumber, let bound = integer(bound), bound <= 0 else { return nil }
            return ("nothing is less than 0", "write a bound that can be violated")
        case .gt(let bound):
            guard subject.isNumber, let bound = integer(bound), bound < 0 || (bound == 0 && subject == .positive)
            else { return nil }
            return ("every duration is longer than this", "write a bound that can be violated, such as { lt: 2s }")
        case .length(let matcher):
            guard !matcher.operations.isEmpty,
                matcher.operations.allSatisfy({ reason($0.operator, .natural) != nil })
            else { return nil }
            return ("every length is at least 0", "write { gt: 0 }, or \"empty: false\"")
        case .type(let types) where Self.types.isSubset(of: types):
            return ("every value has one of these types", "write { exists: true }, or the expected type")
        case .like(.constant(.object(let members))) where members.isEmpty:
            return ("every object matches the empty object", "write { type: object }")
        case .all(let matchers) where matchers.isEmpty: return ("there are no matchers", "add matchers")
        case .either(let matchers):
            let isAlways = matchers.contains { matcher in
                matcher.operations.allSatisfy { reason($0.operator, subject) != nil }
            }
            return isAlways
                ? ("one of the alternatives matches every value", "remove this alternative, or the others") : nil
        default: return nil
        }
    }

    /// Returns whether an operator fails for a missing value, or for a list without an element.
    private static func needsValue(_ operation: Matcher.Operator, _ subject: Subject) -> Bool {
        switch operation {
        case .any, .includes: true
        case .exists: false
        default: operation.combined == nil && subject != .list
        }
    }

    private static func integer(_ value: ValueTemplate) -> Int64? {
        if case .constant(.number(let number)) = value { number.int64 } else { nil }
    }
}
