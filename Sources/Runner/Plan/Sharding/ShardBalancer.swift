/// A distribution of weights among shards: the heaviest first, each to the shard with the lowest total so far.
///
/// The heaviest shard has at most 4/3 − 1/(3·shards) times the weight of an optimal distribution (R. L. Graham, "Bounds
/// on Multiprocessing Timing Anomalies", 1969). The distribution depends only on the weights and their order.
enum ShardBalancer {
    /// Returns the shard of each weight, starting at 0.
    ///
    /// - Parameters:
    ///   - weights: The weights to distribute. Equal weights are processed in order.
    ///   - shards: The number of shards, at least 1.
    static func shards(of weights: [Int64], among shards: Int) -> [Int] {
        let order = weights.indices.sorted { (weights[$1], $0) < (weights[$0], $1) }
        var result = [Int](repeating: 0, count: weights.count)
        var heap = LoadHeap(count: max(1, shards))
        for index in order { result[index] = heap.add(max(0, weights[index])) }
        return result
    }

    /// A heap of shards, ordered by weight, then by number of items, then by index.
    private struct LoadHeap {
        private struct Load {
            var weight: Int64
            var items: Int
            var shard: Int

            static func < (left: Load, right: Load) -> Bool {
                (left.weight, left.items, left.shard) < (right.weight, right.items, right.shard)
            }
        }

        private var loads: [Load]

        init(count: Int) {
            loads = (0..<count).map { Load(weight: 0, items: 0, shard: $0) }
        }

        /// Adds a weight to the shard with the lowest weight, and returns the shard.
        mutating func add(_ weight: Int64) -> Int {
            let shard = loads[0].shard
            let (sum, overflow) = loads[0].weight.addingReportingOverflow(weight)
            loads[0].weight = overflow ? .max : sum
            loads[0].items += 1
            var index = 0
            while true {
                var minimum = index
                for child in [2 * index + 1, 2 * index + 2] where child < loads.count && loads[child] < loads[minimum] {
                    minimum = child
                }
                if minimum == index { return shard }
                loads.swapAt(minimum, index)
                index = minimum
            }
        }
    }
}
