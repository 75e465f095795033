import CEL
import Diagnostics
import JSON
import JSONSchema
import SuiteModel

extension ExchangeCheck {
    /// Holds the body, read as JSON, against a schema: a finding for each place, whatever the elements of arrays on the way to it, up to a bound.
    func check(_ expected: ExpectationExtras.Schema, _ findings: inout [Finding]) {
        let body: JSONValue
        do {
            body = try content.json()
        } catch {
            // What `json` has said already is not said again.
            guard !findings.contains(where: { $0.type == "json" && $0.subject == "json" }) else { return }
            findings.append(
                BodyProblem.finding(error, content: content, range: expected.range, subject: "schema"))
            return
        }
        let violations = expected.schema.schema.violations(of: body, upTo: Self.countedViolations)
        if violations.isEmpty { return }
        let isCut = violations.count >= Self.countedViolations
        let report = SchemaReport(schema: expected.schema, root: "$", range: expected.range)
        let groups = JSONSchemaViolationGroup.groups(of: violations.map { (nil, $0) })
        for (index, group) in groups.prefix(SchemaReport.most).enumerated() {
            guard let violation = group.first.first?.violation else { continue }
            var details = group.lines(isCut: isCut) + report.details(of: violation)
            if index == SchemaReport.most - 1, groups.count > SchemaReport.most {
                details.append(SchemaReport.rest(groups.count - SchemaReport.most))
            }
            findings.append(
                Finding(
                    kind: violation.kind == .limit ? .error : .failure,
                    subject: "schema \(group.count == 1 ? report.path(of: violation) : group.path)", type: "schema",
                    message: group.message(isCut: isCut), expected: violation.expected.flatMap(ValueDescription.kept),
                    actual: violation.actual.flatMap(ValueDescription.kept), range: report.place(of: violation),
                    details: details))
        }
    }

    /// How many violations of one body are counted.
    private static let countedViolations = 20_000
}
