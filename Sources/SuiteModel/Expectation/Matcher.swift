public import Diagnostics
public import RegularExpressions

/// A set of operators, all of which must hold for a value.
///
/// A scalar or a list in the suite is one ``Operator/equals(_:)``; a map gives one operator per key.
public struct Matcher: Sendable {
    /// The unit of operands and messages.
    public enum Domain: Sendable, Hashable {
        /// JSON values as they are.
        case value
        /// Nanoseconds, written `250ms`, `2s`, `1m30s`.
        case duration
        /// Bytes, written `64KB`, `5MiB`.
        case size
        /// Statuses: numbers, and texts such as `2xx` or `200-204` for all that are in them.
        case status

        /// Whether operands are amounts that are written with their unit.
        public var isQuantity: Bool {
            switch self {
            case .value, .status: false
            case .duration, .size: true
            }
        }
    }

    /// An operator with its place in the suite.
    public struct Operation: Sendable {
        /// The operator.
        public var `operator`: Operator
        /// The place of the operand, or of the scalar that stands for equality.
        public var range: SourceRange

        /// Creates an operation.
        public init(_ operator: Operator, range: SourceRange) {
            self.operator = `operator`
            self.range = range
        }
    }

    /// What `type` may ask for.
    public enum ValueType: String, Sendable, CaseIterable {
        case string, number, integer, boolean, array, object, null
        case uuid, date, dateTime, email, uri, ipv4, ipv6
    }

    /// The direction of `sorted`.
    public enum Order: String, Sendable, CaseIterable {
        case ascending, descending
    }

    /// A regular expression: compiled while loading, or a template that is compiled when it is rendered.
    public enum Pattern: Sendable {
        case compiled(RegularExpression)
        case template(Template, range: SourceRange)
    }

    /// What must hold for a value.
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
        /// Both ends are included.
        case between(ValueTemplate, ValueTemplate)
        case closeTo(value: ValueTemplate, within: ValueTemplate)
        /// A matcher on the length: of text in Unicode scalars, of a list in elements, of an object in members.
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
        /// A date-time at most `amount` nanoseconds away from `of`.
        case within(of: ValueTemplate, amount: Int64)
        case schema(CompiledSchema)
        case all([Matcher])
        case either([Matcher])

        /// The operator's key in a suite.
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

    /// The operators, in the order in which they were written.
    public var operations: [Operation]
    /// The unit of operands and messages.
    public var domain: Domain
    /// The place of the whole matcher.
    public var range: SourceRange

    /// Creates a matcher.
    public init(_ operations: [Operation], domain: Domain = .value, range: SourceRange) {
        self.operations = operations
        self.domain = domain
        self.range = range
    }
}
