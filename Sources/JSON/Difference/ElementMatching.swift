/// A matching of the corresponding elements of two arrays, and of those that have kept their order.
struct ElementMatching {
    /// The members that identify an object, most reliable first.
    private static let identifyingMembers = ["id", "_id", "@id", "uuid", "guid", "key", "code", "slug", "name"]

    /// The index of the paired actual element of each expected element.
    private(set) var partners: [Int?]
    /// For each paired expected element, whether it has kept its order among the others that have.
    private(set) var stays: [Bool]
    /// For each actual element, whether it is paired.
    private(set) var isTaken: [Bool]

    private init(_ expected: Int, _ actual: Int) {
        partners = Array(repeating: nil, count: expected)
        stays = Array(repeating: false, count: expected)
        isTaken = Array(repeating: false, count: actual)
    }

    private mutating func pair(_ expected: Int, _ actual: Int, stays: Bool) {
        partners[expected] = actual
        self.stays[expected] = stays
        isTaken[actual] = true
    }

    // MARK: Matching by identity

    /// Creates a matching of objects by an identifying member.
    ///
    /// Fails unless all elements are objects, each has that member with a string or number that is unique in its array,
    /// and at least one of these identities is in both arrays.
    init?(identitiesOf expected: ArraySlice<JSONValue>, _ actual: ArraySlice<JSONValue>) {
        for name in ElementMatching.identifyingMembers {
            guard let locations = ElementMatching.locations(actual, by: name),
                let expectedLocations = ElementMatching.locations(expected, by: name)
            else { continue }
            var found: [(expected: Int, actual: Int)] = []
            for (identity, location) in expectedLocations {
                if let other = locations[identity] { found.append((location, other)) }
            }
            guard !found.isEmpty else { continue }
            found.sort { $0.expected < $1.expected }
            self.init(expected.count, actual.count)
            let kept = LongestIncreasingSubsequence.indices(of: found.map(\.actual))
            for pair in found { self.pair(pair.expected, pair.actual, stays: false) }
            for index in kept { stays[found[index].expected] = true }
            return
        }
        return nil
    }

    /// Returns the index of each element by its identity; nil unless every element has a unique identity.
    private static func locations(_ elements: ArraySlice<JSONValue>, by name: String) -> [JSONValue: Int]? {
        var locations: [JSONValue: Int] = [:]
        for (location, element) in elements.enumerated() {
            guard let identity = element[name] else { return nil }
            switch identity {
            case .string, .number: break
            default: return nil
            }
            guard locations.updateValue(location, forKey: identity) == nil else { return nil }
        }
        return locations
    }

    // MARK: Matching by equality

    /// Creates a matching of equal elements: a longest common subsequence, then the elements that occur once in each
    /// array.
    ///
    /// - Parameter steps: The number of comparisons left; decremented by the ones made. If they do not suffice for
    ///   whole arrays, the elements that occur once divide the arrays.
    init(equalElementsOf expected: ArraySlice<JSONValue>, _ actual: ArraySlice<JSONValue>, steps: inout Int) {
        self.init(expected.count, actual.count)
        // Equal elements get the same number.
        var numbers: [JSONValue: Int] = [:]
        let rows = expected.map { ElementMatching.number($0, &numbers) }
        let columns = actual.map { ElementMatching.number($0, &numbers) }
        let once = ElementMatching.onlyOnce(rows, columns, among: numbers.count)
        if let pairs = CommonSubsequence.pairs(rows[...], columns[...], steps: &steps) {
            for (row, column) in pairs { pair(row, column, stays: true) }
        } else {
            pairBetween(once, rows, columns, &steps)
        }
        // Unique elements that could not keep their order have moved.
        for (row, column) in once where partners[row] == nil { pair(row, column, stays: false) }
    }

    private static func number(_ element: JSONValue, _ numbers: inout [JSONValue: Int]) -> Int {
        if let number = numbers[element] { return number }
        let next = numbers.count
        numbers[element] = next
        return next
    }

    /// Returns the positions of the numbers that occur once in each array, in the order of the first.
    private static func onlyOnce(_ rows: [Int], _ columns: [Int], among count: Int) -> [(row: Int, column: Int)] {
        let several = -2
        var locations = [Int](repeating: -1, count: count)
        for (column, number) in columns.enumerated() { locations[number] = locations[number] == -1 ? column : several }
        var rowCounts = [Int](repeating: 0, count: count)
        for number in rows { rowCounts[number] += 1 }
        var result: [(row: Int, column: Int)] = []
        for (row, number) in rows.enumerated() where rowCounts[number] == 1 && locations[number] >= 0 {
            result.append((row, locations[number]))
        }
        return result
    }

    /// Pairs a longest sequence of unique elements in order, and between any two of them a longest common subsequence.
    private mutating func pairBetween(
        _ once: [(row: Int, column: Int)], _ rows: [Int], _ columns: [Int], _ steps: inout Int
    ) {
        var row = 0
        var column = 0
        let kept = LongestIncreasingSubsequence.indices(of: once.map(\.column)).map { once[$0] }
        for anchor in kept + [(rows.count, columns.count)] {
            let between = CommonSubsequence.pairs(
                rows[row..<anchor.row], columns[column..<anchor.column], steps: &steps)
            for (row, column) in between ?? [] { pair(row, column, stays: true) }
            if anchor.row < rows.count { pair(anchor.row, anchor.column, stays: true) }
            row = anchor.row + 1
            column = anchor.column + 1
        }
    }
}
