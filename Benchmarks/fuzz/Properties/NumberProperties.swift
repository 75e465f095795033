import JSON

/// The properties of the numbers in a document: order, equality and sums by exact decimal value.
enum NumberProperties {
    static func check(_ numbers: [JSONNumber]) throws(PropertyViolation) {
        let numbers = numbers.prefix(8)
        for number in numbers { try check(number) }
        for left in numbers {
            for right in numbers { try check(left, right) }
        }
    }

    private static func check(_ number: JSONNumber) throws(PropertyViolation) {
        guard let again = JSONNumber(literal: number.literal) else {
            throw PropertyViolation("the literal \(number) is refused")
        }
        try require(again == number && again.literal == number.literal, "\(number) is read as \(again)")
        if let value = number.int64 {
            let integer = JSONNumber(value)
            try require(integer == number && integer.hashValue == number.hashValue, "\(number) is not \(value)")
            try require(number.isInteger && number.isNegative == (value < 0), "\(number) is no integer")
        }
        if let value = number.uint64 {
            let integer = JSONNumber(value)
            try require(integer == number && integer.hashValue == number.hashValue, "\(number) is not \(value)")
        }
        try require(Double(number.literal) == number.double, "the double of \(number) is \(number.double)")
        if let double = JSONNumber(number.double) {
            try require(double.double == number.double, "the double of \(number) is written as \(double)")
        }
        guard isUsual(number) else { return }
        try require(-(-number) == number, "\(number) changes when negated twice")
        try require(!number.magnitude.isNegative, "the magnitude of \(number) is negative")
    }

    private static func check(_ left: JSONNumber, _ right: JSONNumber) throws(PropertyViolation) {
        let pair = "\(left) and \(right)"
        let relations = [left < right, left == right, right < left].filter(\.self).count
        try require(relations == 1, "\(relations) relations hold between \(pair)")
        if left == right { try require(left.hashValue == right.hashValue, "equal with different hashes: \(pair)") }
        if left < right { try require(left.double <= right.double, "the doubles of \(pair) are in another order") }
        guard isUsual(left), isUsual(right) else { return }
        let difference = left - right
        try require(difference + right == left, "the difference of \(pair) is \(difference)")
        try require(left + right == right + left, "the sum of \(pair) depends on their order")
        try require((left < right) == difference.isNegative, "the difference of \(pair) is \(difference)")
        try require((left == right) == (difference == 0), "the difference of \(pair) is \(difference)")
    }

    /// Whether sums are exact. Terms of very different magnitude are not added digit by digit.
    private static func isUsual(_ number: JSONNumber) -> Bool {
        let magnitude = number.double.magnitude
        return number.literal.utf8.count < 500 && (number == 0 || (magnitude > 1e-300 && magnitude < 1e300))
    }
}
