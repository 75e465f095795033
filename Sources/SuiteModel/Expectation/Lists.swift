import JSON
import JSONPath
import XML

extension ExpectationSet.JSON {
    /// The path, if it is known while loading and yields a list, even of one value or none.
    public var listPath: String? { path.listPath }
}

extension Templated<JSONPath> {
    /// The path, if it is known while loading and yields a list.
    fileprivate var listPath: String? {
        known.flatMap { $0.isSingular ? nil : $0.source }
    }
}

extension XPathQuery {
    /// The expression, if it yields a list, even of one node or none; nil for a singular expression.
    public var listPath: String? { expression.isSingular ? nil : expression.text }
}

extension Capture.Source {
    /// The JSONPath or XPath, if it is known while loading and yields a list, even of one value or none.
    public var listPath: String? {
        switch self {
        case .json(let path): path.listPath
        case .xpath(let query): query.listPath
        case .expression, .header, .headers, .cookie, .text, .status, .body: nil
        }
    }
}

extension Matcher.Operator {
    /// Whether no array satisfies the operator, as far as this is known before the run.
    ///
    /// Expressions in operands may evaluate to arrays, so they count as arrays. Operators that contain matchers are
    /// satisfied by an array if the matchers are, so the result is false for them.
    public var rejectsArrays: Bool {
        switch self {
        case .equals(let operand), .like(let operand), .strictLike(let operand): !operand.mayBeArray
        case .oneOf(let operands): !operands.contains(where: \.mayBeArray)
        case .type(let types): !types.contains(.array)
        case .partial(let value, _): if case .array = value { false } else { true }
        case .startsWith, .endsWith, .matches, .gt, .gte, .lt, .lte, .between, .closeTo, .before, .after, .within,
            .regex,
            .as:
            true
        case .not, .contains, .length, .empty, .exists, .each, .any, .none, .unique, .sorted, .includes, .schema, .all,
            .either:
            false
        }
    }
}

extension ValueTemplate {
    /// Whether the value is an array, or an expression that may evaluate to one.
    fileprivate var mayBeArray: Bool {
        switch self {
        case .constant(let value): value.arrayValue != nil
        case .array, .template(.expression): true
        case .template, .object: false
        }
    }
}
