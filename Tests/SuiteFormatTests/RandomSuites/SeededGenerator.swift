/// Random numbers that a seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

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
