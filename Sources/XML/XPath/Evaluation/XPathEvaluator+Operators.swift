/// Operators (XPath 1.0 sections 3.4 and 3.5).
extension XPathEvaluator {
    /// Applies an operator to a value and a term, which is evaluated if it matters.
    func apply(
        _ operator: XPathOperator, _ left: XPathResult, _ right: XPathTerm, _ context: Context
    ) throws(XMLError) -> XPathResult {
        switch `operator` {
        case .or: return .boolean(boolean(left) ? true : try isTrue(right, context))
        case .and: return .boolean(boolean(left) ? try isTrue(right, context) : false)
        case .equal: return .boolean(try areEqual(left, value(right, context), isNegated: false))
        case .unequal: return .boolean(try areEqual(left, value(right, context), isNegated: true))
        case .less: return .boolean(try compare(left, value(right, context), <))
        case .lessOrEqual: return .boolean(try compare(left, value(right, context), <=))
        case .greater: return .boolean(try compare(left, value(right, context), >))
        case .greaterOrEqual: return .boolean(try compare(left, value(right, context), >=))
        case .add: return .number(try number(left) + number(right, context))
        case .subtract: return .number(try number(left) - number(right, context))
        case .multiply: return .number(try number(left) * number(right, context))
        case .divide: return .number(try number(left) / number(right, context))
        case .modulo: return .number(try number(left).truncatingRemainder(dividingBy: number(right, context)))
        case .union: return .nodes(try ordered(items(left) + nodes(right, context)))
        }
    }

    private func items(_ value: XPathResult) -> [XPathItem] {
        if case .nodes(let items) = value { items } else { [] }
    }

    /// Whether two values, or any of the nodes that they are, are equal; when negated, whether they differ.
    private func areEqual(_ left: XPathResult, _ right: XPathResult, isNegated: Bool) throws(XMLError) -> Bool {
        switch (left, right) {
        case (.nodes(let left), .nodes(let right)): return try isNegated ? differ(left, right) : share(left, right)
        case (.nodes(let items), let other), (let other, .nodes(let items)):
            if case .boolean(let flag) = other { return (!items.isEmpty == flag) != isNegated }
            for item in items {
                try budget.spend(1)
                let text = try stringValue(of: item)
                let isEqual: Bool
                if case .number(let number) = other {
                    isEqual = XPathNumber.parse(text) == number
                } else {
                    isEqual = text == (try string(other))
                }
                if isEqual != isNegated { return true }
            }
            return false
        case (.boolean, _), (_, .boolean): return (boolean(left) == boolean(right)) != isNegated
        case (.number, _), (_, .number): return (try number(left) == number(right)) != isNegated
        case (.string(let left), .string(let right)): return (left == right) != isNegated
        }
    }

    /// Whether a node of each have the same string-value.
    private func share(_ left: [XPathItem], _ right: [XPathItem]) throws(XMLError) -> Bool {
        let (few, many) = left.count < right.count ? (left, right) : (right, left)
        var texts: Set<[UInt8]> = []
        for item in few { texts.insert(try stringValue(of: item)) }
        if texts.isEmpty { return false }
        for item in many {
            try budget.spend(1)
            if texts.contains(try stringValue(of: item)) { return true }
        }
        return false
    }

    /// Whether a node of each have different string-values.
    private func differ(_ left: [XPathItem], _ right: [XPathItem]) throws(XMLError) -> Bool {
        guard let first = left.first, !right.isEmpty else { return false }
        // Unless they all are the same.
        let text = try stringValue(of: first)
        for item in left + right {
            try budget.spend(1)
            if try stringValue(of: item) != text { return true }
        }
        return false
    }

    /// Whether an order holds between two values, or any of the nodes that they are.
    private func compare(
        _ left: XPathResult, _ right: XPathResult, _ isOrdered: (Double, Double) -> Bool
    ) throws(XMLError) -> Bool {
        // Compared with a boolean, nodes are one too.
        switch (left, right) {
        case (.boolean(let flag), .nodes(let items)): return isOrdered(flag ? 1 : 0, items.isEmpty ? 0 : 1)
        case (.nodes(let items), .boolean(let flag)): return isOrdered(items.isEmpty ? 0 : 1, flag ? 1 : 0)
        default: break
        }
        let left = try extremes(left)
        let right = try extremes(right)
        guard let left, let right else { return false }
        return isOrdered(left.least, right.greatest) || isOrdered(left.greatest, right.least)
    }

    /// The least and the greatest of the numbers that a value is; nil if it is none.
    private func extremes(_ value: XPathResult) throws(XMLError) -> (least: Double, greatest: Double)? {
        guard case .nodes(let items) = value else {
            let number = try number(value)
            return number.isNaN ? nil : (number, number)
        }
        var found: (least: Double, greatest: Double)?
        for item in items {
            try budget.spend(1)
            let number = XPathNumber.parse(try stringValue(of: item))
            if number.isNaN { continue }
            found = (min(found?.least ?? number, number), max(found?.greatest ?? number, number))
        }
        return found
    }
}
