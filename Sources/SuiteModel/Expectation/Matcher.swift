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

    /// A type or string format that `type` can require.
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
        /// A pattern without expressions.
        case compiled(RegularExpression)
        /// A pattern with expressions, and its source range.
        case template(Template, range: SourceRange)
    }

    /// A condition on a value.
    public indirect enum Operator: Sendable {
        /// The value is equal to the operand; numbers compare as decimals.
        case equals(ValueTemplate)
        /// The matcher does not match.
        case not(Matcher)
        /// The value has one of the types.
        case type([ValueType])
        /// A string contains the operand as a substring, or an array contains it as an element.
        case contains(ValueTemplate)
        /// A string starts with the operand.
        case startsWith(Template)
        /// A string ends with the operand.
        case endsWith(Template)
        /// A regular expression matches a part of the string.
        case matches(Pattern)
        /// The value is equal to one of the operands.
        case oneOf([ValueTemplate])
        /// The value is greater than the operand.
        case gt(ValueTemplate)
        /// The value is greater than or equal to the operand.
        case gte(ValueTemplate)
        /// The value is less than the operand.
        case lt(ValueTemplate)
        /// The value is less than or equal to the operand.
        case lte(ValueTemplate)
        /// The value is in a range, which includes both operands.
        case between(ValueTemplate, ValueTemplate)
        /// The number or date-time differs from `value` by at most `within`.
        case closeTo(value: ValueTemplate, within: ValueTemplate)
        /// A matcher matches the length: Unicode scalars of a string, elements of an array, or members of an object.
        case length(Matcher)
        /// Whether the string, array, or object must be empty.
        case empty(Bool)
        /// Whether there must be a value.
        case exists(Bool)
        /// The matcher matches every element of an array.
        case each(Matcher)
        /// The matcher matches at least one element of an array.
        case any(Matcher)
        /// The matcher matches no element of an array.
        case none(Matcher)
        /// Whether all elements of an array must be different.
        case unique(Bool)
        /// An array is sorted in this order.
        case sorted(Order)
        /// The matcher matches an element of an array.
        case includes(Matcher)
        /// The members of the operand match recursively; other members are ignored.
        case like(ValueTemplate)
        /// The members of the operand match recursively; other members are errors.
        case strictLike(ValueTemplate)
        /// `like` or `strictLike` with a value that contains matchers.
        case partial(PartialValue, isStrict: Bool)
        /// The date-time is earlier than the operand.
        case before(ValueTemplate)
        /// The date-time is later than the operand.
        case after(ValueTemplate)
        /// The date-time is within `amount` nanoseconds of another, in either direction.
        case within(of: ValueTemplate, amount: Templated<Int64>)
        /// The value satisfies a JSON Schema.
        case schema(CompiledSchema)
        /// All of the matchers match.
        case all([Matcher])
        /// At least one of the matchers matches.
        case either([Matcher])
        /// A regular expression matches a string, and the matcher matches its first group, or the whole match of a
        /// pattern without groups.
        case regex(Pattern, Matcher)
        /// The value can be converted to the type, and the matcher matches the result.
        case `as`(Capture.Conversion, Matcher)

        /// The matchers that the operator combines, which apply to the same value; nil if it does not combine matchers.
        public var combined: [Matcher]? {
            switch self {
            case .not(let matcher): [matcher]
            case .all(let matchers), .either(let matchers): matchers
            case .equals, .type, .contains, .startsWith, .endsWith, .matches, .oneOf, .gt, .gte, .lt, .lte, .between,
                .closeTo, .length, .empty, .exists, .each, .any, .none, .unique, .sorted, .includes, .like, .strictLike,
                .partial, .before, .after, .within, .schema, .regex, .as:
                nil
            }
        }

        /// The key of the operator in a suite.
        public var keyword: Keyword {
            switch self {
            case .equals: .equals
            case .not: .not
            case .type: .type
            case .contains: .contains
            case .startsWith: .startsWith
            case .endsWith: .endsWith
            case .matches: .matches
            case .oneOf: .oneOf
            case .gt: .gt
            case .gte: .gte
            case .lt: .lt
            case .lte: .lte
            case .between: .between
            case .closeTo: .closeTo
            case .length: .length
            case .empty: .empty
            case .exists: .exists
            case .each: .each
            case .any: .any
            case .none: .none
            case .unique: .unique
            case .sorted: .sorted
            case .includes: .includes
            case .like: .like
            case .strictLike: .strictLike
            case .partial(_, let isStrict): isStrict ? .strictLike : .like
            case .before: .before
            case .after: .after
            case .within: .within
            case .schema: .jsonSchema
            case .all: .all
            case .either: .either
            case .regex: .regex
            case .as: .as
            }
        }

        /// The keys of the operators.
        public enum Keyword: String, Sendable, CaseIterable {
            case equals, not, type, contains, startsWith, endsWith, matches, oneOf, gt, gte, lt, lte, between, closeTo
            case length, empty, exists, each, any, none, unique, sorted, includes, like, strictLike, before, after
            case within, all, either, regex, `as`
            case jsonSchema = "schema"
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
