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
