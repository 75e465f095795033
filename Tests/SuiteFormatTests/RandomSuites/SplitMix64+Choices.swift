import Basics

extension SplitMix64 {
    /// Whether something that is so often so, in percent, is so now.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// A number of a range.
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// One of some values.
    mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
        let index = Int.random(in: 0...others.count, using: &self)
        return index == 0 ? first : others[index - 1]
    }

    /// One of a list's elements; nil for an empty one.
    mutating func element<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &self) }
}
