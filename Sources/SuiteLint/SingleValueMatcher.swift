import Basics
import Diagnostics
import SuiteModel

/// Reports matchers for one value on a path that yields a list.
enum SingleValueMatcher: LintCheck {
    static let rule = LintRule(
        "single-value-matcher", "A matcher or conversion for one value on a JSONPath or XPath that yields a list")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        // Values under `defaults`, in fragments and behind aliases are part of many steps, and are reported once.
        var seen: Set<SourceRange> = []
        var fragments: Set<ObjectIdentifier> = []
        func note(_ finding: LintFinding) {
            if seen.insert(finding.range).inserted { report(finding) }
        }
        func check(_ steps: [SuiteStep]) {
            for step in steps {
                Self.check(step, note)
                guard case .call(let call) = step.action,
                    fragments.insert(ObjectIdentifier(call.fragment)).inserted
                else { continue }
                check(call.fragment.steps)
            }
        }
        for test in subject.suite.tests { check(test.steps) }
        for fragment in subject.suite.fragments where fragments.insert(ObjectIdentifier(fragment)).inserted {
            check(fragment.steps)
        }
    }

    /// Checks the conditions of the routes of a mock file.
    static func check(_ definition: MockDefinition, _ note: (LintFinding) -> Void) {
        for route in definition.routes { check(route.conditions.json, note) }
    }

    private static func check(_ step: SuiteStep, _ note: (LintFinding) -> Void) {
        check(step.expectations, note)
        for capture in step.captures { check(capture, note) }
        if let until = step.flow?.until {
            check(until.expectations, note)
            if let abort = until.abort { check(abort, note) }
        }
        for element in step.webSocket?.elements ?? [] {
            guard case .receive(let expected) = element.action else { continue }
            check(expected.expectations, note)
            for capture in expected.captures { check(capture, note) }
        }
    }

    private static func check(_ expectations: [ExpectationSet.JSON], _ note: (LintFinding) -> Void) {
        for expectation in expectations {
            if let path = expectation.listPath { check(expectation.matcher, path, note) }
        }
    }

    private static func check(_ set: ExpectationSet, _ note: (LintFinding) -> Void) {
        check(set.json, note)
        guard let extras = set.extras else { return }
        for expectation in extras.xml + extras.html {
            if let path = expectation.query.listPath { check(expectation.matcher, path, note) }
        }
    }

    private static func check(_ matcher: Matcher, _ path: String, _ note: (LintFinding) -> Void) {
        guard let operation = matcher.operationForOneValue else { return }
        if case .not = operation.operator {
            note(
                LintFinding(
                    message: "\"\(path)\" yields a list, so \"not\" always holds", range: operation.range,
                    suggestion: "write { none: … } to check each value"))
            return
        }
        let operand = "\(operation.operator.keyword.rawValue): \(operation.range.excerpt)"
        let suggestion: MessageText =
            if case .equals = operation.operator {
                "write [\(operation.range.excerpt)], or { any: … } if the list may have other values"
            } else {
                "write { length: 1, each: { \(operand) } }, or { any: … } if the list may have other values"
            }
        note(
            LintFinding(
                message: "\"\(path)\" yields a list, and no list can match this", range: operation.range,
                suggestion: suggestion, edits: ListRewrite.edits(matcher)))
    }

    private static func check(_ capture: Capture, _ note: (LintFinding) -> Void) {
        guard let path = capture.source.listPath, let conversion = capture.conversion, conversion != .string else {
            return
        }
        note(
            LintFinding(
                message: "\"\(path)\" yields a list, which cannot be converted to \(conversion.rawValue)",
                range: capture.sourceRange,
                suggestion: "select one value: a JSONPath with names and indexes only, or an XPath such as (…)[1]"))
    }
}

extension Matcher {
    /// The first operation that no list can match or, for `not`, that every list matches; at any depth of `all` and
    /// `either`.
    fileprivate var operationForOneValue: Operation? {
        if let found = operations.first(where: { $0.operator.rejectsArrays }) { return found }
        for operation in operations {
            switch operation.operator {
            case .not(let inner):
                if inner.rejectsArrays { return operation }
            case .all(let matchers), .either(let matchers):
                if let found = matchers.lazy.compactMap(\.operationForOneValue).first { return found }
            default: break
            }
        }
        return nil
    }

    /// Whether no list can match.
    private var rejectsArrays: Bool {
        operations.contains { operation in
            switch operation.operator {
            case .all(let matchers): matchers.contains(where: \.rejectsArrays)
            case .either(let matchers): matchers.allSatisfy(\.rejectsArrays)
            case let other: other.rejectsArrays
            }
        }
    }
}

extension SourceRange {
    /// The text of a short range, otherwise an ellipsis.
    fileprivate var excerpt: String { isOneLine && text.count <= 40 ? text : "…" }
}
