/// Pairs of elements of two lists that are the same thing, and which of them have kept their order.
struct ElementMatching {
    /// The members that name an object, those first that do so most surely.
    private static let identifyingMembers = ["id", "_id", "@id", "uuid", "guid", "key", "code", "slug", "name"]

    /// For each expected element the actual one that it is paired with.
    private(set) var partners: [Int?]
    /// For each expected element with a partner, whether it stands in the same order as the others that do.
    private(set) var stays: [Bool]
    /// For each actual element, whether it is in a pair.
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

    // MARK: By identity

    /// Pairs objects by a member that names them; nil unless all elements are objects, each has that member with a string
    /// or number that no other element of its list has, and some of these are in both lists.
    init?(identitiesOf expected: ArraySlice<JSONValue>, _ actual: ArraySlice<JSONValue>) {
        for name in ElementMatching.identifyingMembers {
            guard let places = ElementMatching.places(actual, by: name),
                let expectedPlaces = ElementMatching.places(expected, by: name)
            else { continue }
            var found: [(expected: Int, actual: Int)] = []
            for (identity, place) in expectedPlaces {
                if let other = places[identity] { found.append((place, other)) }
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

    /// The place of each element by its identity, or nil if not all have one of their own.
    private static func places(_ elements: ArraySlice<JSONValue>, by name: String) -> [JSONValue: Int]? {
        var places: [JSONValue: Int] = [:]
        for (place, element) in elements.enumerated() {
            guard let identity = element[name] else { return nil }
            switch identity {
            case .string, .number: break
            default: return nil
            }
            guard places.updateValue(place, forKey: identity) == nil else { return nil }
        }
        return places
    }

    // MARK: By equality

    /// Pairs equal elements: those of a longest common subsequence, and of the others those that are there once.
    ///
    /// - Parameter steps: How many comparisons may be made; is lowered by those that are. When they do not suffice for the
    ///   whole lists, the elements that are there once divide them.
    init(equalElementsOf expected: ArraySlice<JSONValue>, _ actual: ArraySlice<JSONValue>, steps: inout Int) {
        self.init(expected.count, actual.count)
        // Equal elements have the same number.
        var numbers: [JSONValue: Int] = [:]
        let rows = expected.map { ElementMatching.number($0, &numbers) }
        let columns = actual.map { ElementMatching.number($0, &numbers) }
        let once = ElementMatching.onlyOnce(rows, columns, among: numbers.count)
        if let pairs = CommonSubsequence.pairs(rows[...], columns[...], steps: &steps) {
            for (row, column) in pairs { pair(row, column, stays: true) }
        } else {
            pairBetween(once, rows, columns, &steps)
        }
        // What is there once in both lists and could not keep its order has moved.
        for (row, column) in once where partners[row] == nil { pair(row, column, stays: false) }
    }

    private static func number(_ element: JSONValue, _ numbers: inout [JSONValue: Int]) -> Int {
        if let number = numbers[element] { return number }
        let next = numbers.count
        numbers[element] = next
        return next
    }

    /// The places of the numbers that are once in each list, in the order of the first.
    private static func onlyOnce(_ rows: [Int], _ columns: [Int], among count: Int) -> [(row: Int, column: Int)] {
        let several = -2
        var places = [Int](repeating: -1, count: count)
        for (column, number) in columns.enumerated() { places[number] = places[number] == -1 ? column : several }
        var rowCounts = [Int](repeating: 0, count: count)
        for number in rows { rowCounts[number] += 1 }
        var result: [(row: Int, column: Int)] = []
        for (row, number) in rows.enumerated() where rowCounts[number] == 1 && places[number] >= 0 {
            result.append((row, places[number]))
        }
        return result
    }

    /// Pairs as many elements of `once` as keep their order, and between any two of them a longest common subsequence.
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
