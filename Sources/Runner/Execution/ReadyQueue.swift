/// A first-in, first-out queue of test indices.
struct ReadyQueue {
    private var items: [Int] = []
    private var head = 0

    /// Appends an index.
    mutating func push(_ index: Int) {
        items.append(index)
    }

    /// Removes the oldest index.
    mutating func pop() -> Int? {
        guard head < items.count else { return nil }
        defer {
            head += 1
            if head == items.count {
                items.removeAll(keepingCapacity: true)
                head = 0
            }
        }
        return items[head]
    }
}
