import JSON

/// A filter's logical expression (RFC 9535 §2.3.5).
indirect enum FilterExpression: Sendable {
    case or([FilterExpression])
    case and([FilterExpression])
    case not(FilterExpression)
    case comparison(FilterValue, ComparisonOperator, FilterValue)
    /// True when the query selects anything.
    case exists(PathQuery)
    case matches(PatternTest)
}

/// A comparison operator.
enum ComparisonOperator: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
}

/// What gives one value or nothing: an operand of a comparison, or an argument of type ValueType.
indirect enum FilterValue: Sendable {
    case literal(JSONValue)
    /// A singular query.
    case query(PathQuery)
    /// `length(value)`
    case length(FilterValue)
    /// `count(nodes)`
    case count(PathQuery)
    /// `value(nodes)`
    case value(PathQuery)
}

/// A call of `match` or `search`.
struct PatternTest: Sendable {
    /// A pattern that is known when the query is compiled, or one that comes from the document.
    enum Pattern: Sendable {
        /// nil for a text that is no I-Regexp, which matches nothing (RFC 9535 §2.4.6).
        case compiled(PathPattern?)
        case computed(FilterValue)
    }

    var text: FilterValue
    var pattern: Pattern
    /// Whether the whole text must match (`match`) and not only a part of it (`search`).
    var isWhole: Bool
}
