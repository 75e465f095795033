import Basics
import Diagnostics
import JSON
import JSONSchema
import RunModel
import SuiteModel

extension MatcherEvaluator {
    /// Evaluates `schema`, with the first violation in the message and the others in the details.
    func schemaCheck(_ value: JSONValue, _ schema: CompiledSchema, _ operation: Matcher.Operation) -> Mismatch? {
        // Untyped text may represent a number, `true`, `false` or `null`.
        if let said = saidValue(value), schema.schema.isValid(said) { return nil }
        let violations = schema.schema.violations(of: value)
        guard let first = violations.first else { return nil }
        if let limit = violations.last, limit.kind == .limit {
            // The result of the validation is unknown, so `not` is not satisfied either.
            return Mismatch(
                kind: .error, type: operation.reason, message: limit.wording, range: operation.range)
        }
        guard explains else { return silent(operation) }
        let report = SchemaReport(schema: schema, root: root, range: operation.range)
        return Mismatch(
            type: operation.reason, message: report.sentence(first), actual: value,
            range: report.location(of: first),
            details: report.details(of: first) + report.lines(violations.dropFirst(), maximum: SchemaReport.maximum - 1)
        )
    }

    /// Returns the value represented by untyped text if it is not a string.
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

/// The rendering of schema violations as messages and details.
struct SchemaReport {
    /// The maximum number of violations that are listed.
    static let maximum = 10
    /// The maximum number of branches of `oneOf` and `anyOf` that are listed, the closest first.
    private static let maximumBranches = 3
    /// The maximum number of violations that are listed for each branch.
    private static let maximumCauses = 3
    /// The maximum depth of nested branches.
    private static let deepest = 3

    /// The schema.
    let schema: CompiledSchema
    /// The path of the value, such as `$` or `$.data`.
    let root: String
    /// The location of the expectation in the suite.
    let range: SourceRange

    /// Returns the path of the invalid value.
    func path(of violation: JSONSchemaViolation) -> String {
        let path = root + violation.instancePath.shorthand.dropFirst()
        // The elements of a list selected by a path with several matches have no path in the body.
        return path.hasPrefix(".") ? String(path.dropFirst()) : path
    }

    /// Returns the message of a violation, after the path of the invalid value unless that is the root.
    func sentence(_ violation: JSONSchemaViolation) -> MessageText {
        violation.instancePath.steps.isEmpty ? violation.wording : "\(path(of: violation)): \(violation.wording)"
    }

    /// Returns the location for a finding: the violated keyword if the schema is in the suite, otherwise the
    /// expectation.
    func location(of violation: JSONSchemaViolation) -> SourceRange {
        guard let location = schema.location(of: violation.schemaLocation), location.file == range.file else {
            return range
        }
        return location
    }

    /// Returns the details of a violation: the location of the keyword in another file, and the branches.
    func details(of violation: JSONSchemaViolation) -> [MessageText] {
        var lines: [MessageText] = []
        if let location = schema.location(of: violation.schemaLocation), location.file != range.file {
            lines.append("\(violation.keyword) at \(location)")
        }
        return lines + branches(of: violation, depth: 1)
    }

    /// Returns the lines of the violations after the first, each followed by the violations of its branches.
    func lines(_ violations: some Collection<JSONSchemaViolation>, maximum: Int = maximum) -> [MessageText] {
        var lines: [MessageText] = []
        for violation in violations.prefix(maximum) {
            lines.append(located(violation))
            lines += branches(of: violation, depth: 1).map { "  " + $0 }
        }
        if violations.count > maximum { lines.append(Self.rest(violations.count - maximum)) }
        return lines
    }

    /// Returns the line for violations that are not listed.
    static func rest(_ count: Int) -> MessageText { "… and \(count) more" }

    /// Returns the violation with its path and the location of the keyword.
    private func located(_ violation: JSONSchemaViolation) -> MessageText {
        guard let location = schema.location(of: violation.schemaLocation) else {
            return "\(sentence(violation)) (\(violation.keyword))"
        }
        return "\(sentence(violation)) (\(violation.keyword) at \(location))"
    }

    /// Returns the violations of each branch, in the order of the causes: the closest first.
    private func branches(of violation: JSONSchemaViolation, depth: Int) -> [MessageText] {
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
        var lines: [MessageText] = []
        for (index, group) in groups.prefix(Self.maximumBranches).enumerated() {
            var label: MessageText = ""
            if Int(group.branch) != nil {
                label = "branch \(group.branch)\(index == 0 && groups.count > 1 ? ", the closest" : ""): "
            }
            for (position, cause) in group.causes.prefix(Self.maximumCauses).enumerated() {
                lines.append((position == 0 ? label : "  ") + located(cause))
                lines += branches(of: cause, depth: depth + 1).map { "  " + $0 }
            }
            let more = group.causes.count - Self.maximumCauses
            if more > 0 { lines.append("  " + Self.rest(more)) }
        }
        let more = groups.count - Self.maximumBranches
        if more > 0 { lines.append("… and \(more) more \(more == 1 ? "branch" : "branches")") }
        return lines
    }
}
