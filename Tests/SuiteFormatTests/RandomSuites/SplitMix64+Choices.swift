import Basics

extension SplitMix64 {
    /// Returns true with the given probability in percent.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// Returns a number in a range.
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Returns one of several values.
    mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
        let index = Int.random(in: 0...others.count, using: &self)
        return index == 0 ? first : others[index - 1]
    }

    /// Returns an element of an array, or nil if it is empty.
    mutating func element<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &self) }
}
