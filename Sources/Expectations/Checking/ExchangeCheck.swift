import Basics
import CEL
import Diagnostics
import JSON
import JSONPath
import JSONSchema
import RunModel
import SuiteModel

/// The check of one exchange.
struct ExchangeCheck {
    let content: ResponseContent
    let evaluator: MatcherEvaluator
    /// The variables of the suite, without the names of the response.
    let variables: any CELScope
    let context: CELContext

    /// Creates the check of an exchange.
    init(_ content: ResponseContent, variables: any CELScope, context: CELContext) {
        self.content = content
        self.variables = variables
        self.context = context
        evaluator = MatcherEvaluator(
            scope: ExchangeScope(content, parent: variables, precedence: .parent), context: context)
    }

    /// Returns the findings of all expectations in a set.
    func findings(_ set: ExpectationSet) -> [Finding] {
        var findings: [Finding] = []
        var failuresAtStrings: Set<SourceRange?> = []
        if set.isDefault, content.status >= 400 {
            findings.append(
                Finding(
                    subject: .status, type: .status,
                    message: "expected a status below 400 (the default), got \(content.status)",
                    actual: .number(JSONNumber(content.status))))
        }
        if let status = set.status { check(status, actual: content.status, .status, &findings) }
        for header in set.headers { check(header, in: content.headers, noun: "header", &findings) }
        for cookie in set.cookies { checkCookie(cookie, &findings) }
        if !set.json.isEmpty { checkJSON(set.json, &findings) }
        if let extras = set.extras {
            if !extras.xml.isEmpty { check(extras.xml, as: .xml, &findings) }
            if !extras.html.isEmpty { check(extras.html, as: .html, &findings) }
        }
        if let body = set.body { checkBody(body, &findings) }
        if let text = set.extras?.text {
            for mismatch in textEvaluator.mismatches(.string(content.text), text) {
                findings.append(mismatch.finding(subject: .text))
            }
        }
        if let duration = set.duration {
            check(.number(JSONNumber(content.exchange.timings.total)), duration, "duration", &findings)
        }
        if let size = set.size { check(.number(JSONNumber(content.size)), size, "size", &findings) }
        if let extras = set.extras { check(extras, &findings) }
        if !set.assertions.isEmpty {
            let scope = ExchangeScope(content, parent: variables)
            for assertion in set.assertions {
                guard let failed = AssertionCheck.finding(assertion, scope: scope, context: context) else { continue }
                findings.append(failed.finding)
                if failed.isAtString { failuresAtStrings.insert(failed.finding.range) }
            }
        }
        if content.status == 407 { noteProxy(&findings) }
        return noteCharset(noteDuplicates(noteText(Self.inOrder(findings), failuresAtStrings: failuresAtStrings)))
    }

    /// Adds to the failed check of a status 407 the note that a proxy sent it (RFC 9110, section 15.5.8).
    private func noteProxy(_ findings: inout [Finding]) {
        guard let index = findings.firstIndex(where: { $0.subject == .status }) else { return }
        findings[index].details.append(
            "407 is the response of a proxy that requires a user name and password: set them in \"proxy\"")
    }

    /// Adds a note about an unknown charset to the first failed check of the body's text.
    private func noteCharset(_ findings: [Finding]) -> [Finding] {
        guard !findings.isEmpty, let charset = content.unknownCharset else { return findings }
        var findings = findings
        if let index = findings.firstIndex(where: { Self.isAboutText($0) }) {
            findings[index].details.append(
                "unknown charset \"\(charset)\" in Content-Type; the body is decoded as UTF-8")
        }
        return findings
    }

    /// Adds to the first finding that treats a text body as JSON a note that the body was not parsed.
    ///
    /// - Parameter failuresAtStrings: The source ranges of the assertions that failed because a part of them is a
    ///   string.
    private func noteText(_ findings: [Finding], failuresAtStrings: Set<SourceRange?>) -> [Finding] {
        for (index, finding) in findings.enumerated() {
            var note: MessageText?
            switch finding.subject {
            case .body:
                let isStructure = finding.expected?.objectValue != nil || finding.expected?.arrayValue != nil
                note = isStructure ? content.undeclaredJSONNote : textOfJSONNote(finding)
            case .assert: note = failuresAtStrings.contains(finding.range) ? content.undeclaredJSONNote : nil
            default: break
            }
            guard let note else { continue }
            var findings = findings
            findings[index].details.append(note)
            return findings
        }
        return findings
    }

    /// Returns a note for a text operator that was applied to a JSON value, or a string that was compared with an object
    /// or array; nil for any other finding.
    private func textOfJSONNote(_ finding: Finding) -> MessageText? {
        let keywords: [Matcher.Operator.Keyword] = [.contains, .startsWith, .endsWith, .matches]
        let isStructure = finding.actual?.objectValue != nil || finding.actual?.arrayValue != nil
        let isComparison = isStructure && finding.expected?.stringValue != nil && finding.type.rawValue == "equals"
        guard content.isDeclaredJSON, isComparison || keywords.contains(where: { finding.type.rawValue == $0.rawValue })
        else { return nil }
        return "body is a JSON value because of its Content-Type; to check its text, write \"text\" instead of \"body\""
    }

    private static func isAboutText(_ finding: Finding) -> Bool {
        finding.subject.isContent
    }

    /// Adds a note about duplicate members to the first failed check of the body.
    private func noteDuplicates(_ findings: [Finding]) -> [Finding] {
        guard let note = DuplicateMembersText.sentence(content.duplicateMembers) else { return findings }
        var findings = findings
        let index = findings.firstIndex { finding in
            if case .schema = finding.subject { false } else { finding.subject.isContent }
        }
        if let index { findings[index].details.append(note) }
        return findings
    }

    /// Returns the findings in the order of their expectations in the suite. The sort is stable.
    private static func inOrder(_ findings: [Finding]) -> [Finding] {
        guard findings.count > 1 else { return findings }
        let start = SourcePosition(line: 0, column: 0)
        let sorted = findings.enumerated().sorted { left, right in
            let first = left.element.range?.start ?? start
            let second = right.element.range?.start ?? start
            return (first, left.offset) < (second, right.offset)
        }
        return sorted.map(\.element)
    }

    private func check(_ value: JSONValue, _ matcher: Matcher, _ subject: Finding.Subject, _ findings: inout [Finding])
    {
        for mismatch in evaluator.mismatches(value, matcher) { findings.append(mismatch.finding(subject: subject)) }
    }

    /// Checks the status of the response or of a redirect.
    func check(_ status: ExpectationSet.Status, actual: Int, _ subject: Finding.Subject, _ findings: inout [Finding]) {
        switch status.pattern {
        case .ranges(let ranges):
            for range in ranges where range.contains(actual) { return }
            var expected = JSONValue.string(status.text)
            if ranges.count == 1, let only = ranges.first, only.lowerBound == only.upperBound {
                expected = .number(JSONNumber(only.lowerBound))
            }
            findings.append(
                Finding(
                    subject: subject, type: .status, message: "expected \(status.text), got \(actual)",
                    expected: expected, actual: .number(JSONNumber(actual)), range: status.range))
        case .matcher(let matcher):
            check(.number(JSONNumber(actual)), matcher, subject, &findings)
        }
    }

    // MARK: Headers and cookies

    /// The evaluator for untyped text.
    var textEvaluator: MatcherEvaluator {
        MatcherEvaluator(scope: evaluator.scope, context: context, subjectKind: .text)
    }

    /// Checks a header or trailer field.
    func check(
        _ expected: ExpectationSet.Named, in fields: [HeaderField], noun: String, _ findings: inout [Finding]
    ) {
        guard let name = value(of: expected.name, noun, &findings) else { return }
        guard let first = fields.firstIndex(where: { $0.isNamed(name) }) else {
            var names: [String] = []
            for field in fields where !names.contains(where: field.isNamed) { names.append(field.name) }
            checkAbsent(name, expected.matcher, noun, "the response has no \(noun)", names, &findings)
            return
        }
        let evaluator = textEvaluator
        if let found = evaluator.mismatches(
            ofList: fields[first...].filter { $0.isNamed(name) }.map { .string($0.value) }, expected.matcher,
            matchesAll: expected.matchesAll)
        {
            for mismatch in found { findings.append(mismatch.finding(subject: "\(noun) \(name)")) }
            return
        }
        var mismatches: [(value: String, mismatches: [Mismatch])] = []
        for field in fields[first...] where field.isNamed(name) {
            let found = evaluator.mismatches(.string(field.value), expected.matcher)
            if found.isEmpty, !expected.matchesAll { return }
            mismatches.append((field.value, found))
        }
        report(mismatches, expected, "\(noun) \(name)", &findings)
    }

    /// Reports mismatching fields: all of them with `all`, otherwise the first, because then none matches.
    private func report(
        _ fields: [(value: String, mismatches: [Mismatch])], _ expected: ExpectationSet.Named,
        _ subject: Finding.Subject,
        _ findings: inout [Finding]
    ) {
        for (index, field) in fields.enumerated() {
            for var mismatch in field.mismatches {
                if fields.count > 1 {
                    if expected.matchesAll {
                        mismatch.wording = "field \(index + 1) of \(fields.count): \(mismatch.wording)"
                    } else {
                        mismatch.details += fields.dropFirst().map { "also sent: \(ValueDescription.quoted($0.value))" }
                    }
                }
                findings.append(mismatch.finding(subject: subject))
            }
            if !expected.matchesAll { return }
        }
    }

    private func checkCookie(_ expected: ExpectationSet.Cookie, _ findings: inout [Finding]) {
        guard let name = value(of: expected.name, "cookie", &findings) else { return }
        let subject = Finding.Subject.other("cookie \(name)")
        guard let cookie = content.exchange.cookies.last(where: { $0.name == name }) else {
            // Without the cookie, findings about its attributes would add nothing.
            let matcher =
                expected.value
                ?? Matcher([Matcher.Operation(.exists(true), range: expected.range)], range: expected.range)
            checkAbsent(
                name, matcher, "cookie", "the response does not set the cookie",
                content.exchange.cookies.map(\.name), &findings)
            return
        }
        let evaluator = textEvaluator
        if let value = expected.value {
            for mismatch in evaluator.mismatches(.string(cookie.value), value) {
                findings.append(mismatch.finding(subject: subject))
            }
        }
        guard !expected.attributes.isEmpty else { return }
        let attributes = CookieAttributes(cookie.field)
        for (attribute, matcher) in expected.attributes {
            for var mismatch in evaluator.mismatches(attributes[attribute], matcher) {
                if mismatch.isAbsence {
                    mismatch.wording = "the cookie has no \(attribute.fieldName)"
                    mismatch.details.append("Set-Cookie: \(ValueDescription.plain(.string(cookie.field), limit: 200))")
                }
                findings.append(mismatch.finding(subject: "\(subject) \(attribute.rawValue)"))
            }
        }
    }

    private func checkAbsent(
        _ name: String, _ matcher: Matcher, _ noun: String, _ beginning: MessageText, _ names: [String],
        _ findings: inout [Finding]
    ) {
        for var mismatch in textEvaluator.mismatches(nil, matcher) {
            if mismatch.isAbsence {
                mismatch.wording = Absence.message(beginning, name, among: names)
            }
            findings.append(mismatch.finding(subject: "\(noun) \(name)"))
        }
    }

    /// Returns a name; nil if its expression fails, which becomes a finding.
    private func value(of name: Templated<String>, _ noun: String, _ findings: inout [Finding]) -> String? {
        do {
            return try name.value(in: evaluator.scope, context: context)
        } catch {
            findings.append(error.finding(subject: "\(noun) \(name.template ?? "")"))
            return nil
        }
    }

    // MARK: Body

    private func checkJSON(_ expectations: [ExpectationSet.JSON], _ findings: inout [Finding]) {
        let body: JSONValue
        do {
            body = try content.json()
        } catch {
            findings.append(BodyProblem.finding(error, content: content, range: expectations.first?.pathRange))
            return
        }
        var evaluator = evaluator
        // By index, because a loop over the elements copies each of them.
        for index in expectations.indices {
            let path: JSONPath
            do {
                path = try expectations[index].path.value(in: evaluator.scope, context: context)
            } catch {
                findings.append(error.finding(subject: .json(expectations[index].path.template)))
                continue
            }
            // A location such as `[2].name` in a list of selected values has no path in the body.
            evaluator.root = path.isSingular ? path.source : ""
            evaluator.isSelection = !path.isSingular
            let subject: JSONValue?
            do {
                subject = try path.subject(in: body)
            } catch {
                findings.append(
                    Finding(
                        kind: .error, subject: .json(path.source), type: .json, message: error.wording,
                        range: expectations[index].pathRange))
                continue
            }
            let mismatches = evaluator.mismatches(subject, expectations[index].matcher)
            for (position, var mismatch) in mismatches.enumerated() {
                if mismatch.isAbsence, mismatch.kind == .failure {
                    mismatch.wording = Absence.message(path, in: body)
                    if expectations[index].matcher.acceptsNothingness {
                        mismatch.details.append("to expect no value at a path, write exists: false")
                    }
                } else if position == 0, mismatch.kind == .failure, !path.isSingular, subject == .array([]) {
                    mismatch.details.insert(Absence.message(path, in: body), at: 0)
                }
                mismatch.details += Absence.note(writtenAs: expectations[index].path)
                findings.append(mismatch.finding(subject: .json(path.source)))
            }
        }
    }

    private func checkBody(_ matcher: Matcher, _ findings: inout [Finding]) {
        guard content.isDeclaredJSON else {
            for mismatch in textEvaluator.mismatches(.string(content.text), matcher) {
                findings.append(mismatch.finding(subject: .body))
            }
            return
        }
        let value = content.value
        for var mismatch in evaluator.mismatches(value, matcher) {
            do {
                _ = try content.json()
            } catch {
                mismatch.details.append("the body is checked as a string because it is not JSON: \(error.description)")
            }
            findings.append(mismatch.finding(subject: .body))
        }
        checkNegatedText(of: value, matcher, &findings)
    }
}

extension ExchangeCheck {
    /// Validates the body as JSON against a schema.
    ///
    /// Violations at different elements of the same array are combined into one finding. The number of findings is
    /// limited.
    func check(_ expected: ExpectationExtras.Schema, _ findings: inout [Finding]) {
        let body: JSONValue
        do {
            body = try content.json()
        } catch {
            // A problem that the `json` check has reported is not repeated.
            guard !findings.contains(where: { $0.type == .json && $0.subject == .json(nil) }) else { return }
            findings.append(
                BodyProblem.finding(error, content: content, range: expected.range, subject: .schema(nil)))
            return
        }
        let violations = expected.schema.schema.violations(of: body, upTo: Self.countedViolations)
        if violations.isEmpty { return }
        let isCut = violations.count >= Self.countedViolations
        let report = SchemaReport(schema: expected.schema, root: "$", range: expected.range)
        let groups = JSONSchemaViolationGroup.groups(of: violations.map { (nil, $0) })
        for (index, group) in groups.prefix(SchemaReport.maximum).enumerated() {
            guard let violation = group.first.first?.violation else { continue }
            var details = group.lines(isCut: isCut) + report.details(of: violation)
            if index == SchemaReport.maximum - 1, groups.count > SchemaReport.maximum {
                details.append(SchemaReport.rest(groups.count - SchemaReport.maximum))
            }
            findings.append(
                Finding(
                    kind: violation.kind == .limit ? .error : .failure,
                    subject: .schema(group.count == 1 ? report.path(of: violation) : group.path), type: .schema,
                    message: group.message(isCut: isCut),
                    expected: violation.expected.flatMap(ValueDescription.kept),
                    actual: violation.actual.flatMap(ValueDescription.kept), range: report.location(of: violation),
                    details: details))
        }
    }

    /// The maximum number of counted violations per body.
    private static let countedViolations = 20_000
}
