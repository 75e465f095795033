/// Gives each test of a suite a name of its own: a repeated one has ` [2]` added.
struct UniqueNames {
    private var counts: [String: Int] = [:]

    /// A name that was not given before.
    mutating func name(_ name: String) -> String {
        guard var count = counts[name] else {
            counts[name] = 1
            return name
        }
        var candidate: String
        repeat {
            count += 1
            candidate = "\(name) [\(count)]"
        } while counts[candidate] != nil
        counts[name] = count
        counts[candidate] = 1
        return candidate
    }
}
