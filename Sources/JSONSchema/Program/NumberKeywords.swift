import JSON

/// The keywords that check numbers.
final class NumberKeywords: Sendable {
    let bounds: [NumberBound]
    let divisor: DecimalDivisor?

    init(bounds: [NumberBound], divisor: DecimalDivisor?) {
        self.bounds = bounds
        self.divisor = divisor
    }

    /// Whether a number keeps to all of them.
    func admit(_ number: JSONNumber) -> Bool {
        if !bounds.isEmpty {
            let value = number.double
            for bound in bounds where !bound.holds(for: number, near: value) { return false }
        }
        return divisor?.divides(number) ?? true
    }
}

/// One of `minimum`, `maximum`, `exclusiveMinimum` and `exclusiveMaximum`.
struct NumberBound: Sendable {
    /// How a number must be related to the limit.
    enum Relation: Sendable {
        case atLeast, moreThan, atMost, lessThan
    }

    let relation: Relation
    let limit: JSONNumber
    /// The keyword, for messages.
    let keyword: String
    private let nearest: Double

    init(_ relation: Relation, _ limit: JSONNumber, keyword: String) {
        self.relation = relation
        self.limit = limit
        self.keyword = keyword
        nearest = limit.double
    }

    /// Whether a number keeps to the bound, compared exactly.
    @inline(__always)
    func holds(for number: JSONNumber, near value: Double) -> Bool {
        // Rounding keeps the order: numbers whose nearest doubles differ are ordered as these are.
        if value < nearest { return relation == .atMost || relation == .lessThan }
        if value > nearest { return relation == .atLeast || relation == .moreThan }
        return holdsExactly(for: number)
    }

    private func holdsExactly(for number: JSONNumber) -> Bool {
        switch relation {
        case .atLeast: !(number < limit)
        case .moreThan: limit < number
        case .atMost: !(limit < number)
        case .lessThan: number < limit
        }
    }
}

extension NumberBound {
    /// The bounds that a format of numbers in OpenAPI means; none for any other.
    static func bounds(ofFormat name: String) -> [NumberBound] {
        switch name {
        case "int32": between(JSONNumber(Int(Int32.min)), JSONNumber(Int(Int32.max)))
        case "int64": between(JSONNumber(Int(Int64.min)), JSONNumber(Int(Int64.max)))
        default: []
        }
    }

    private static func between(_ least: JSONNumber, _ most: JSONNumber) -> [NumberBound] {
        [NumberBound(.atLeast, least, keyword: "format"), NumberBound(.atMost, most, keyword: "format")]
    }
}
