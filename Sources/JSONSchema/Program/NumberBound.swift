import JSON

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
