/// The slowest of many tests; what it keeps does not grow with their number.
struct SlowestList<Item> {
    private let limit: Int
    private(set) var items: [(duration: Int64, item: Item)] = []

    /// Creates a list of at most some items.
    init(limit: Int) { self.limit = limit }

    /// Adds an item if it is among the slowest; of equal ones the first stays.
    mutating func add(_ duration: Int64, _ item: @autoclosure () -> Item) {
        if items.count == limit {
            guard let last = items.last, duration > last.duration else { return }
            items.removeLast()
        }
        let index = items.firstIndex { $0.duration < duration } ?? items.endIndex
        items.insert((duration, item()), at: index)
    }
}
