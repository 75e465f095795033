import Basics
import Diagnostics
import RunModel
import SuiteModel
import YAML

/// Reports tests that use the same resource without a defined order, if at least one of them changes it.
enum UnorderedTests: LintCheck {
    static let rule = LintRule(
        "unordered-tests", "Tests of a concurrent suite that use and change the same URL in no defined order")

    /// The maximum number of tests of one URL to compare; further ones add no information.
    private static let maximumTests = 64

    /// The last path segments of services that only echo requests.
    private static let echoes: Set<String> = ["echo", "anything", "mirror", "ping"]

    /// A request of a test, or of a fragment that the test calls.
    private struct Site {
        let test: Int
        let method: String
        let range: SourceRange
        /// The strings in the request body, and those that the response is expected to contain.
        let sent: Set<String>
        let expected: Set<String>

        var changes: Bool { method == "PUT" || method == "PATCH" || method == "DELETE" }

        init(_ request: RequestSpec, of step: SuiteStep, test: Int, range: SourceRange) {
            self.test = test
            method = request.method
            self.range = range
            sent = request.method == "POST" ? LiteralTexts.sent(by: request) : []
            expected = request.method == "GET" ? LiteralTexts.expected(by: step.expectations) : []
        }
    }

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        let suite = subject.suite
        guard suite.mode == .concurrent else { return }
        var sites: [String: [Site]] = [:]
        var order: [String] = []
        let scopes = ResourceScope.tests(subject)
        let rows = Set(
            subject.names.units.indices.filter { index in
                let node = subject.names.units[index].node
                return node["cases"] != nil || node["matrix"] != nil || node["repeat"] != nil
            })
        /// Adds the requests of steps. Loading limits the depth of calls and the number of their steps.
        func add(
            _ steps: [SuiteStep], of test: Int, _ scope: ResourceScope, isRepeated: Bool, call: FragmentCall? = nil
        ) {
            for (index, step) in steps.enumerated() {
                // A resource that differs between rows or iterations is not shared.
                let isRepeated =
                    isRepeated || step.flow?.isLoop == true
                    || steps.hasGroup(around: index) { $0.flow?.isLoop == true }
                // The run makes the requests of such a call once for all tests.
                if let inner = step.call, !inner.runsOnce {
                    let scope = ResourceScope(of: inner, in: scope, suite)
                    add(inner.fragment.steps, of: test, scope, isRepeated: isRepeated, call: call ?? inner)
                }
                guard let request = step.request,
                    let url = isRepeated ? request.url.constantText : scope.identity(of: request.url),
                    let resource = resource(url)
                else { continue }
                if sites[resource] == nil { order.append(resource) }
                sites[resource, default: []].append(
                    Site(request, of: step, test: test, range: call?.range ?? request.urlRange))
            }
        }
        for (test, scope) in zip(suite.tests, scopes) where test.kind == .test && test.skip == nil {
            add(test.steps, of: test.index, scope, isRepeated: rows.contains(test.index))
        }
        for resource in order {
            guard let sites = sites[resource], sites.count > 1,
                sites.contains(where: { $0.changes || $0.method == "POST" })
            else { continue }
            check(Array(sites.prefix(maximumTests)), suite, report)
        }
    }

    /// Returns a URL without its query; nil for the URL of a service that only echoes requests.
    private static func resource(_ url: String) -> String? {
        let text = String(url.prefix { $0 != "?" && $0 != "#" })
        let last = text.split(separator: "/").last.map(String.init) ?? ""
        return text.isEmpty || echoes.contains(last) ? nil : text
    }

    private static func check(_ sites: [Site], _ suite: Suite, _ report: (LintFinding) -> Void) {
        var before: [Int: Set<Int>] = [:]
        func isOrdered(_ first: Int, _ second: Int) -> Bool {
            let known = before[first] ?? ancestors(of: first, suite)
            before[first] = known
            return known.contains(second)
        }
        var reported: Set<Int> = []
        for (index, site) in sites.enumerated() where !reported.contains(site.test) {
            let other = sites[..<index].first { other in
                guard other.test != site.test, isRace(other, site) else { return false }
                if isOrdered(site.test, other.test) || isOrdered(other.test, site.test) { return false }
                return Set(suite.tests[site.test].locks).isDisjoint(with: suite.tests[other.test].locks)
            }
            guard let other else { continue }
            reported.insert(site.test)
            let name = suite.tests[other.test].id ?? suite.tests[other.test].name
            report(
                LintFinding(
                    message:
                        "no defined order between this \(site.method) and the \(other.method) of \"\(suite.tests[other.test].name)\"",
                    range: site.range,
                    related: [Diagnostic.Related(message: "the other request is here", range: other.range)],
                    suggestion:
                        "add \"needs: \(name)\" to the test that should run second, or \"mode: serial\" to the suite"
                ))
        }
    }

    /// Returns whether the results of two requests can depend on their order.
    private static func isRace(_ first: Site, _ second: Site) -> Bool {
        if first.changes && second.method != "OPTIONS" && second.method != "POST" { return true }
        if second.changes && first.method != "OPTIONS" && first.method != "POST" { return true }
        // A POST affects a GET that expects some of the posted values.
        return !first.sent.isDisjoint(with: second.expected) || !second.sent.isDisjoint(with: first.expected)
    }

    /// Returns the tests that always finish before another one starts.
    private static func ancestors(of test: Int, _ suite: Suite) -> Set<Int> {
        var found: Set<Int> = []
        var pending = [test]
        while let next = pending.popLast() {
            for dependency in suite.tests[next].dependencies where found.insert(dependency.test).inserted {
                pending.append(dependency.test)
            }
        }
        return found
    }
}

/// Collects the literal strings in a request or an expectation.
enum LiteralTexts {
    /// The minimum length of a string; shorter ones may be equal by coincidence.
    private static let shortest = 3

    /// Returns the strings in the body of a request.
    static func sent(by request: RequestSpec) -> Set<String> {
        var texts: Set<String> = []
        switch request.body {
        case .json(let value): add(value, to: &texts)
        case .form(let fields): for field in fields.known ?? [] { add(field.value, to: &texts) }
        case .text, .file, .multipart, .xml, .graphql, .base64, nil: break
        }
        return texts
    }

    /// Returns the strings that a body is expected to contain.
    static func expected(by set: ExpectationSet) -> Set<String> {
        var texts: Set<String> = []
        for path in set.json { add(path.matcher, to: &texts) }
        if let body = set.body { add(body, to: &texts) }
        if let text = set.extras?.text { add(text, to: &texts) }
        return texts
    }

    private static func add(_ matcher: Matcher, to texts: inout Set<String>) {
        for operation in matcher.operations {
            switch operation.operator {
            case .equals(let value), .contains(let value), .like(let value), .strictLike(let value):
                add(value, to: &texts)
            case .partial(let value, _): add(value, to: &texts)
            case .any(let inner), .includes(let inner): add(inner, to: &texts)
            case .all(let matchers): for inner in matchers { add(inner, to: &texts) }
            default: break
            }
        }
    }

    private static func add(_ value: PartialValue, to texts: inout Set<String>) {
        switch value {
        case .value(let value): add(value, to: &texts)
        case .matcher(let matcher): add(matcher, to: &texts)
        case .array(let elements): for element in elements { add(element, to: &texts) }
        case .object(let members): for member in members { add(member.value, to: &texts) }
        }
    }

    private static func add(_ value: ValueTemplate, to texts: inout Set<String>) {
        switch value {
        case .constant(let value):
            for text in SecretText.leaves(of: value) where text.utf8.count >= shortest { texts.insert(text) }
        case .template: break
        case .array(let elements): for element in elements { add(element, to: &texts) }
        case .object(let members): for member in members { add(member.value, to: &texts) }
        }
    }
}
