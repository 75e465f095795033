import CEL
import Diagnostics
import JSON
import JSONSchema
import SuiteModel

extension ExchangeCheck {
    /// Holds the body, read as JSON, against a schema: a finding for each violation, up to a bound.
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
        let violations = expected.schema.schema.violations(of: body)
        if violations.isEmpty { return }
        let report = SchemaReport(schema: expected.schema, root: "$", range: expected.range)
        for (index, violation) in violations.prefix(SchemaReport.most).enumerated() {
            var details = report.details(of: violation)
            if index == SchemaReport.most - 1, violations.count > SchemaReport.most {
                details.append(SchemaReport.rest(violations.count - SchemaReport.most))
            }
            findings.append(
                Finding(
                    kind: violation.kind == .limit ? .error : .failure,
                    subject: "schema \(report.path(of: violation))", type: "schema", message: violation.message,
                    expected: violation.expected.flatMap(ValueDescription.kept),
                    actual: violation.actual.flatMap(ValueDescription.kept),
                    range: report.place(of: violation), details: details))
        }
    }
}
