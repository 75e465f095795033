/// Gives each test of a suite a name of its own: a repeated one has ` [2]` added.
struct UniqueNames {
    private var counts: [String: Int] = [:]

    /// Makes room for so many names.
    mutating func reserveCapacity(_ count: Int) {
        counts.reserveCapacity(count)
    }

    /// A name that was not given before.
    mutating func name(_ name: String) -> String {
        var count = Self.increment(&counts[name, default: 0])
        if count == 1 { return name }
        var candidate = "\(name) [\(count)]"
        while counts[candidate] != nil {
            count += 1
            candidate = "\(name) [\(count)]"
        }
        counts[name] = count
        counts[candidate] = 1
        return candidate
    }

    private static func increment(_ count: inout Int) -> Int {
        count += 1
        return count
    }
}
