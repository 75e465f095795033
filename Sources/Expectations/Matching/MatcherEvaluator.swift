public import Basics
public import CEL
public import Diagnostics
public import JSON
import RegularExpressions
public import RunModel
public import SuiteModel

/// An evaluator of matchers, which evaluates expressions in operands in a scope.
///
/// Messages are created only for mismatches, and only if they are requested.
public struct MatcherEvaluator {
    /// The interpretation of a subject's type.
    public enum SubjectKind: Sendable {
        /// A JSON value, whose type is compared strictly.
        case value
        /// Untyped text, such as the value of a header field.
        ///
        /// An expected number, `true` or `null` is compared with the value that the text represents.
        case text
    }

    /// The scope of the operands' expressions.
    let scope: any CELScope
    /// The context of the operands' expressions.
    let context: CELContext
    /// The interpretation of the subjects' types.
    private(set) var subjectKind: SubjectKind
    /// Whether the subject is the array of the values that a path selects, which exists if it has an element.
    public var isSelection = false
    /// The path of the subject in details.
    var root: String
    /// Whether messages are created; false if only the result matters.
    private(set) var explains = true

    /// Creates an evaluator.
    ///
    /// - Parameter root: The path of the subject in details, such as `$` or `$.data`.
    public init(
        scope: any CELScope, context: CELContext, subjectKind: SubjectKind = .value, root: String = "$"
    ) {
        self.scope = scope
        self.context = context
        self.subjectKind = subjectKind
        self.root = root
    }

    /// An evaluator that creates mismatches without messages.
    var quiet: MatcherEvaluator {
        var evaluator = self
        evaluator.explains = false
        return evaluator
    }

    /// The evaluator of the subject's elements.
    var ofElements: MatcherEvaluator {
        guard isSelection else { return self }
        var evaluator = self
        evaluator.isSelection = false
        return evaluator
    }

    /// Returns an evaluator for subjects of another kind.
    func of(_ kind: SubjectKind) -> MatcherEvaluator {
        var evaluator = self
        evaluator.subjectKind = kind
        return evaluator
    }

    /// Returns the first mismatch, or nil if the value matches.
    ///
    /// - Parameter value: The subject; nil for a missing value, which only `exists: false` accepts.
    public func matches(_ value: JSONValue?, _ matcher: Matcher) -> Mismatch? {
        for operation in matcher.operations {
            if let mismatch = mismatch(value, operation, matcher.domain) { return mismatch }
        }
        return nil
    }

    /// Returns all mismatches, or at most one for a missing value.
    public func mismatches(_ value: JSONValue?, _ matcher: Matcher) -> [Mismatch] {
        guard value != nil else { return matches(nil, matcher).map { [$0] } ?? [] }
        var result: [Mismatch] = []
        for operation in matcher.operations {
            if case .all(let matchers) = operation.operator {
                for inner in matchers { result += mismatches(value, inner) }
            } else if let value, let found = filtered(value, operation) {
                result += found
            } else if let mismatch = mismatch(value, operation, matcher.domain) {
                result.append(mismatch)
            }
        }
        return result
    }

    /// Returns the mismatch of one operator, or nil if it is satisfied.
    func mismatch(_ value: JSONValue?, _ operation: Matcher.Operation, _ domain: Matcher.Domain) -> Mismatch? {
        do {
            guard let value else { return try absence(operation, domain) }
            guard var mismatch = try check(value, operation, domain) else { return nil }
            if isSelection, explains, let note = operation.noteOnSelection(mismatch) { mismatch.details.append(note) }
            return mismatch
        } catch {
            return Mismatch(error)
        }
    }

    /// Evaluates an operator without a value.
    private func absence(_ operation: Matcher.Operation, _ domain: Matcher.Domain) throws(TemplateError) -> Mismatch? {
        switch operation.operator {
        case .exists(false): return nil
        case .not(let inner) where inner.asksForExistence:
            guard let mismatch = quiet.matches(nil, inner) else { break }
            return mismatch.kind == .error ? mismatch : nil
        case .all(let matchers):
            for inner in matchers { if let mismatch = matches(nil, inner) { return mismatch } }
            return nil
        case .either(let matchers):
            for inner in matchers where matches(nil, inner) == nil { return nil }
        default: break
        }
        guard explains else { return silent(operation) }
        return Mismatch(
            type: operation.reason,
            message: "expected \(try clause(operation.operator, domain).text), got no value",
            expected: try expectedValue(operation.operator, domain), range: operation.range, isAbsence: true)
    }

    private func expectedValue(_ op: Matcher.Operator, _ domain: Matcher.Domain) throws(TemplateError) -> JSONValue? {
        guard case .equals(let template) = op else { return nil }
        return shownOperand(try operand(template, domain), domain)
    }

    // MARK: Operands

    /// Evaluates an operand. Strings from expressions are parsed as quantities or statuses, depending on the domain.
    func operand(_ template: ValueTemplate, _ domain: Matcher.Domain) throws(TemplateError) -> JSONValue {
        if case .constant(let value) = template { return value }
        let value = try template.json(in: scope, context: context)
        guard domain != .value, case .template(let scalar) = template, let expression = scalar.expressions.first else {
            return value
        }
        if domain == .status { return try statusOperand(value, expression) }
        let text = value.stringValue
        let amount =
            domain == .duration ? text.flatMap(Quantity.parseDuration) : text.flatMap(Quantity.parseSize)
        guard let amount else {
            let example: MessageText = domain == .duration ? "a duration such as 250ms or 2s" : "a size such as 64KB"
            throw TemplateError(
                message: "expected \(example), got \(ValueDescription.typed(value))", range: expression.range,
                expression: expression.expression.source)
        }
        return .number(JSONNumber(amount))
    }

    /// Returns a measured value for reports, including the unit of durations and sizes.
    func shown(_ value: JSONValue, _ domain: Matcher.Domain) -> JSONValue {
        domain.isQuantity ? .string(Quantity.describe(value, in: domain).text) : value
    }

    /// Returns an operand for reports, including the unit of durations and sizes, without rounding.
    func shownOperand(_ value: JSONValue, _ domain: Matcher.Domain) -> JSONValue {
        domain.isQuantity ? .string(Quantity.describeOperand(value, in: domain).text) : value
    }

    /// Returns the regular expression of a pattern, compiled after the evaluation of a template if necessary.
    func regularExpression(_ pattern: Matcher.Pattern) throws(TemplateError) -> RegularExpression {
        switch pattern {
        case .compiled(let expression): return expression
        case .template(let template, let range):
            let source = try template.text(in: scope, context: context)
            do {
                return try RegularExpression(source, dialect: .ecmaScript)
            } catch {
                throw TemplateError(
                    message: "\(ValueDescription.quoted(source)) is not a regular expression: \(error.wording)",
                    range: range, expression: source)
            }
        }
    }

    // MARK: Results

    /// Returns a mismatch without a message.
    func silent(_ operation: Matcher.Operation) -> Mismatch {
        Mismatch(type: operation.reason, message: "", range: operation.range)
    }

    /// Returns the mismatch of an operator: its clause, the value, and the reason if the type of the value is
    /// unsuitable.
    func unmet(
        _ value: JSONValue, _ operation: Matcher.Operation, _ domain: Matcher.Domain
    ) throws(TemplateError) -> Mismatch {
        guard explains else { return silent(operation) }
        var message: MessageText =
            "expected \(try clause(operation.operator, domain).text), got \(Quantity.describe(value, in: domain))"
        if let obstacle = operation.operator.need?.obstacle(value) { message += ", \(obstacle)" }
        return Mismatch(
            type: operation.reason, message: message, actual: shown(value, domain), range: operation.range)
    }

    func negation(
        _ value: JSONValue, _ inner: Matcher, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        if let mismatch = quiet.matches(value, inner) {
            return mismatch.kind == .error ? mismatch : nil
        }
        guard explains else { return silent(operation) }
        let clause = try clause(inner).negated
        let sole = inner.operations.count == 1 ? inner.operations.first?.operator : nil
        var message: MessageText = "expected \(clause.text)"
        let got: MessageText = ", got \(Quantity.describe(value, in: inner.domain))"
        switch sole {
        case .equals(let template):
            // The class does not reveal which of its statuses it was.
            if inner.domain == .status, try operand(template, inner.domain).numberValue == nil {
                message += ", got \(ValueDescription.plain(value))"
            }
        case .any(let matcher), .includes(let matcher):
            // The unwanted element is more informative than the list.
            guard case .array(let elements) = value,
                let index = elements.firstIndex(where: { ofElements.quiet.matches($0, matcher) == nil })
            else { break }
            message += ", but \(try verdict(on: elements[index], at: index, matcher))"
        case .contains(let part): message += "\(got)\(try occurrence(ofPart: part, in: value))"
        case .matches(let pattern): message += "\(got)\(try occurrence(of: pattern, in: value))"
        default: message += got
        }
        return Mismatch(
            type: operation.reason, message: message, actual: shown(value, inner.domain),
            range: operation.range)
    }

    func alternatives(_ value: JSONValue, _ matchers: [Matcher], _ operation: Matcher.Operation) -> Mismatch? {
        let quiet = quiet
        for inner in matchers {
            guard let mismatch = quiet.matches(value, inner) else { return nil }
            if mismatch.kind == .error { return mismatch }
        }
        guard explains else { return silent(operation) }
        var reasons: [MessageText] = []
        for (index, inner) in matchers.enumerated() {
            guard let mismatch = matches(value, inner) else { return nil }
            reasons.append("\(index + 1). \(mismatch.wording)")
            reasons += mismatch.details.map { "   " + $0 }
        }
        let domain = matchers.first?.domain ?? .value
        return Mismatch(
            type: operation.reason,
            message:
                "expected one of \(ValueDescription.count(matchers.count, "alternative")) to match, got \(Quantity.describe(value, in: domain))",
            actual: shown(value, domain), range: operation.range, details: reasons)
    }
}

extension Matcher {
    /// Whether an operator expects a value similar to a missing one: null, or an empty value.
    var acceptsNothingness: Bool {
        operations.contains { operation in
            switch operation.operator {
            case .equals(.constant(.null)), .empty(true): true
            default: false
            }
        }
    }

    /// Whether an operator refers to the existence of the value.
    var asksForExistence: Bool {
        operations.contains { operation in
            switch operation.operator {
            case .exists: true
            case let other: other.combined?.contains(where: \.asksForExistence) == true
            }
        }
    }
}

extension Matcher.Operation {
    /// The operator's key as the reason of a finding.
    var reason: Finding.Reason { Finding.Reason(rawValue: `operator`.keyword.rawValue) }
}

/// A mismatch of a value: an unsatisfied operator, or one whose operand could not be evaluated.
public struct Mismatch: Error, Sendable {
    /// `failure` if the operator is not satisfied; `error` if an operand could not be evaluated.
    public var kind: Finding.Kind
    /// The key of the operator, such as `equals`; `expression` if an operand could not be evaluated.
    public var type: Finding.Reason
    /// A one-sentence description without a final period: `expected "Dune" (string), got 42 (integer)`.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public var wording: MessageText
    /// The expected value, if the operator has one.
    public var expected: JSONValue?
    /// The actual value, if there is one.
    public var actual: JSONValue?
    /// The location of the operand in the suite.
    public var range: SourceRange
    /// Additional lines: a structural difference, or the reasons of the alternatives.
    public var details: [MessageText]
    /// Whether the value was missing.
    public var isAbsence: Bool

    /// Creates a mismatch.
    public init(
        kind: Finding.Kind = .failure, type: Finding.Reason, message: MessageText, expected: JSONValue? = nil,
        actual: JSONValue? = nil, range: SourceRange, details: [MessageText] = [], isAbsence: Bool = false
    ) {
        self.kind = kind
        self.type = type
        wording = message
        self.expected = expected
        self.actual = actual
        self.range = range
        self.details = details
        self.isAbsence = isAbsence
    }

    /// Creates the mismatch of an operand that could not be evaluated.
    init(_ error: TemplateError) {
        self.init(kind: .error, type: error.reason, message: error.message, range: error.range)
    }

    /// Returns the mismatch as a finding about a subject, such as `json $.title`. Large values are omitted.
    public func finding(subject: Finding.Subject) -> Finding {
        Finding(
            kind: kind, subject: subject, type: type, message: wording,
            expected: expected.flatMap(ValueDescription.kept), actual: actual.flatMap(ValueDescription.kept),
            range: range, details: details)
    }
}
