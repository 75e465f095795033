import Diagnostics
import JSON
import JSONSchema
import RunModel
import SuiteModel

extension MatcherEvaluator {
    /// `schema`: the first violation in the message, the others in the details.
    func schemaCheck(_ value: JSONValue, _ schema: CompiledSchema, _ operation: Matcher.Operation) -> Mismatch? {
        // Text without types of its own may say a number, `true`, `false` or `null`.
        if let said = saidValue(value), schema.schema.isValid(said) { return nil }
        let violations = schema.schema.violations(of: value)
        guard let first = violations.first else { return nil }
        if let limit = violations.last, limit.kind == .limit {
            // Nothing is known of the value, so that `not` does not hold either.
            return Mismatch(
                kind: .error, type: operation.reason, message: limit.message, range: operation.range)
        }
        guard explains else { return silent(operation) }
        let report = SchemaReport(schema: schema, root: root, range: operation.range)
        return Mismatch(
            type: operation.reason, message: report.sentence(first), actual: value,
            range: report.place(of: first),
            details: report.details(of: first) + report.lines(violations.dropFirst(), most: SchemaReport.most - 1))
    }

    /// What text without types says, when that is no text.
    private func saidValue(_ value: JSONValue) -> JSONValue? {
        guard subjectKind == .text, case .string(let text) = value else { return nil }
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default: return JSONNumber(literal: text).map(JSONValue.number)
        }
    }
}

/// The violations of a schema in the words of messages and details.
struct SchemaReport {
    /// Violations that are told one by one.
    static let most = 10
    /// Branches of `oneOf` and `anyOf` that are told, the closest first.
    private static let mostBranches = 3
    /// Violations that are told of each branch.
    private static let mostCauses = 3
    /// How deep branches within branches are told.
    private static let deepest = 3

    /// The schema.
    let schema: CompiledSchema
    /// What stands for the value in paths, such as `$` or `$.data`.
    let root: String
    /// The expectation's place in the suite.
    let range: SourceRange

    /// The path of the value that a violation is about.
    func path(of violation: JSONSchemaViolation) -> String {
        let path = root + violation.instancePath.shorthand.dropFirst()
        // The elements of a list that a path with several matches selects have no path of the body.
        return path.hasPrefix(".") ? String(path.dropFirst()) : path
    }

    /// The violation with the path of its value, unless that is the whole.
    func sentence(_ violation: JSONSchemaViolation) -> String {
        violation.instancePath.steps.isEmpty ? violation.message : "\(path(of: violation)): \(violation.message)"
    }

    /// The place that a finding about a violation has: the keyword of a schema that the suite holds, otherwise the path.
    func place(of violation: JSONSchemaViolation) -> SourceRange {
        guard let place = schema.place(of: violation.schemaLocation), place.file == range.file else { return range }
        return place
    }

    /// What stands below the message of a violation: the keyword's place in another file, and the branches.
    func details(of violation: JSONSchemaViolation) -> [String] {
        var lines: [String] = []
        if let place = schema.place(of: violation.schemaLocation), place.file != range.file {
            lines.append("\(violation.keyword) at \(place)")
        }
        return lines + branches(of: violation, depth: 1)
    }

    /// Violations behind the first, a line for each and for what speaks against their branches.
    func lines(_ violations: some Collection<JSONSchemaViolation>, most: Int = most) -> [String] {
        var lines: [String] = []
        for violation in violations.prefix(most) {
            lines.append(located(violation))
            lines += branches(of: violation, depth: 1).map { "  " + $0 }
        }
        if violations.count > most { lines.append(Self.rest(violations.count - most)) }
        return lines
    }

    /// How many violations are not told.
    static func rest(_ count: Int) -> String { "… and \(count) more" }

    /// The violation with its path and the place of the keyword.
    private func located(_ violation: JSONSchemaViolation) -> String {
        guard let place = schema.place(of: violation.schemaLocation) else {
            return "\(sentence(violation)) (\(violation.keyword))"
        }
        return "\(sentence(violation)) (\(violation.keyword) at \(place))"
    }

    /// What speaks against each branch of a violation, in the order of the causes: the closest first.
    private func branches(of violation: JSONSchemaViolation, depth: Int) -> [String] {
        guard depth <= Self.deepest, !violation.causes.isEmpty else { return [] }
        let position = violation.schemaPath.tokens.count
        var groups: [(branch: String, causes: [JSONSchemaViolation])] = []
        for cause in violation.causes {
            let tokens = cause.schemaPath.tokens
            let branch = tokens.indices.contains(position) ? tokens[position] : ""
            if let group = groups.firstIndex(where: { $0.branch == branch }) {
                groups[group].causes.append(cause)
            } else {
                groups.append((branch, [cause]))
            }
        }
        var lines: [String] = []
        for (index, group) in groups.prefix(Self.mostBranches).enumerated() {
            var label = ""
            if Int(group.branch) != nil {
                label = "branch \(group.branch)\(index == 0 && groups.count > 1 ? ", the closest" : ""): "
            }
            for (position, cause) in group.causes.prefix(Self.mostCauses).enumerated() {
                lines.append((position == 0 ? label : "  ") + located(cause))
                lines += branches(of: cause, depth: depth + 1).map { "  " + $0 }
            }
            let more = group.causes.count - Self.mostCauses
            if more > 0 { lines.append("  " + Self.rest(more)) }
        }
        let more = groups.count - Self.mostBranches
        if more > 0 { lines.append("… and \(more) more \(more == 1 ? "branch" : "branches")") }
        return lines
    }
}
