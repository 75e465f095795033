import JSON

/// The keywords that validate numbers.
final class NumberKeywords: Sendable {
    let bounds: [NumberBound]
    let divisor: DecimalDivisor?

    init(bounds: [NumberBound], divisor: DecimalDivisor?) {
        self.bounds = bounds
        self.divisor = divisor
    }

    /// Returns whether a number satisfies all keywords.
    func admit(_ number: JSONNumber) -> Bool {
        if !bounds.isEmpty {
            let value = number.double
            for bound in bounds where !bound.holds(for: number, near: value) { return false }
        }
        return divisor?.divides(number) ?? true
    }
}

/// A bound from `minimum`, `maximum`, `exclusiveMinimum`, or `exclusiveMaximum`.
struct NumberBound: Sendable {
    /// The required relation of a number to the limit.
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

    /// Returns whether a number satisfies the bound, using an exact comparison.
    @inline(__always)
    func holds(for number: JSONNumber, near value: Double) -> Bool {
        // Rounding is monotonic: if the nearest doubles differ, the numbers have the same order.
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
    /// Returns the bounds of an OpenAPI number format. Empty for any other format.
    static func bounds(ofFormat name: String) -> [NumberBound] {
        switch name {
        case "int32": between(JSONNumber(Int(Int32.min)), JSONNumber(Int(Int32.max)))
        case "int64": between(JSONNumber(Int(Int64.min)), JSONNumber(Int(Int64.max)))
        default: []
        }
    }

    private static func between(_ minimum: JSONNumber, _ maximum: JSONNumber) -> [NumberBound] {
        [NumberBound(.atLeast, minimum, keyword: "format"), NumberBound(.atMost, maximum, keyword: "format")]
    }
}
