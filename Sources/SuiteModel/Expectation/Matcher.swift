public import Diagnostics
public import RegularExpressions

/// A set of operators that a value must all satisfy.
///
/// A scalar or a sequence in the suite is a single ``Operator/equals(_:)``; a mapping has one operator per key.
public struct Matcher: Sendable {
    /// The unit of operands and messages.
    public enum Domain: Sendable, Hashable {
        /// JSON values without a unit.
        case value
        /// Nanoseconds, written as `250ms`, `2s`, or `1m30s`.
        case duration
        /// Bytes, written as `64KB` or `5MiB`.
        case size
        /// Status codes: numbers, or strings such as `2xx` and `200-204` for ranges.
        case status

        /// Whether operands are quantities that are written with a unit.
        public var isQuantity: Bool {
            switch self {
            case .value, .status: false
            case .duration, .size: true
            }
        }
    }

    /// An operator and its location in the suite.
    public struct Operation: Sendable {
        /// The operator.
        public var `operator`: Operator
        /// The source range of the operand, or of the scalar that implies equality.
        public var range: SourceRange

        /// Creates an operation.
        public init(_ operator: Operator, range: SourceRange) {
            self.operator = `operator`
            self.range = range
        }
    }

    /// An operand of `type`.
    public enum ValueType: String, Sendable, CaseIterable {
        case string, number, integer, boolean, array, object, null
        case uuid, date, dateTime, email, uri, ipv4, ipv6
    }

    /// The sort direction of `sorted`.
    public enum Order: String, Sendable, CaseIterable {
        case ascending, descending
    }

    /// A regular expression: compiled while loading, or a template that is compiled after rendering.
    public enum Pattern: Sendable {
        case compiled(RegularExpression)
        case template(Template, range: SourceRange)
    }

    /// A condition on a value.
    public indirect enum Operator: Sendable {
        case equals(ValueTemplate)
        case not(Matcher)
        case type([ValueType])
        case contains(ValueTemplate)
        case startsWith(Template)
        case endsWith(Template)
        case matches(Pattern)
        case oneOf([ValueTemplate])
        case gt(ValueTemplate)
        case gte(ValueTemplate)
        case lt(ValueTemplate)
        case lte(ValueTemplate)
        /// An inclusive range.
        case between(ValueTemplate, ValueTemplate)
        case closeTo(value: ValueTemplate, within: ValueTemplate)
        /// A matcher for the length: Unicode scalars of a string, elements of an array, or members of an object.
        case length(Matcher)
        case empty(Bool)
        case exists(Bool)
        case each(Matcher)
        case any(Matcher)
        case none(Matcher)
        case unique(Bool)
        case sorted(Order)
        case includes(Matcher)
        case like(ValueTemplate)
        case strictLike(ValueTemplate)
        case before(ValueTemplate)
        case after(ValueTemplate)
        /// A date-time within `amount` nanoseconds of another, in either direction.
        case within(of: ValueTemplate, amount: Int64)
        case schema(CompiledSchema)
        case all([Matcher])
        case either([Matcher])

        /// The key of the operator in a suite.
        public var keyword: String {
            switch self {
            case .equals: "equals"
            case .not: "not"
            case .type: "type"
            case .contains: "contains"
            case .startsWith: "startsWith"
            case .endsWith: "endsWith"
            case .matches: "matches"
            case .oneOf: "oneOf"
            case .gt: "gt"
            case .gte: "gte"
            case .lt: "lt"
            case .lte: "lte"
            case .between: "between"
            case .closeTo: "closeTo"
            case .length: "length"
            case .empty: "empty"
            case .exists: "exists"
            case .each: "each"
            case .any: "any"
            case .none: "none"
            case .unique: "unique"
            case .sorted: "sorted"
            case .includes: "includes"
            case .like: "like"
            case .strictLike: "strictLike"
            case .before: "before"
            case .after: "after"
            case .within: "within"
            case .schema: "schema"
            case .all: "all"
            case .either: "either"
            }
        }
    }

    /// The operators, in source order.
    public var operations: [Operation]
    /// The unit of operands and messages.
    public var domain: Domain
    /// The source range of the matcher.
    public var range: SourceRange

    /// Creates a matcher.
    public init(_ operations: [Operation], domain: Domain = .value, range: SourceRange) {
        self.operations = operations
        self.domain = domain
        self.range = range
    }
}
