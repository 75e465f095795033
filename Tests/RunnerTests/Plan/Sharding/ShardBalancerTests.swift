import Testing

@testable import Runner

@Testing.Suite("The balance of shards")
struct ShardBalancerTests {
    @Test("The heaviest items are assigned first, each to the least loaded shard")
    func order() {
        #expect(ShardBalancer.shards(of: [5, 4, 3, 3, 3], among: 2) == [0, 1, 1, 0, 1])
        #expect(ShardBalancer.shards(of: [1, 1, 1, 1, 1], among: 2) == [0, 1, 0, 1, 0])
        #expect(ShardBalancer.shards(of: [0, 0, 0], among: 3) == [0, 1, 2])
        #expect(ShardBalancer.shards(of: [], among: 3) == [])
        #expect(ShardBalancer.shards(of: [.max, .max, 1], among: 1) == [0, 0, 0])
        #expect(ShardBalancer.shards(of: [7, -3], among: 2) == [0, 1])
    }

    @Test("The heaviest shard is within Graham's bound of the optimum", arguments: 0..<300)
    func bound(seed: Int) {
        var random = TestRandom(seed: UInt64(seed))
        let shards = random.number(1...4)
        let weights = (0..<random.number(1...7)).map { _ in Int64(random.number(0...20)) }
        let heaviest = Self.heaviest(weights, ShardBalancer.shards(of: weights, among: shards), shards)
        let best = Self.best(weights, shards)
        // heaviest ≤ (4/3 − 1/(3·shards)) · best
        #expect(3 * Int64(shards) * heaviest <= (4 * Int64(shards) - 1) * best, "\(weights) among \(shards)")
    }

    @Test("The heaviest shard is within the list scheduling bound for many weights", arguments: 0..<50)
    func listBound(seed: Int) {
        var random = TestRandom(seed: UInt64(seed) + 1_000)
        let shards = random.number(1...20)
        let weights = (0..<random.number(0...500)).map { _ in Int64(random.number(0...1_000)) }
        let locations = ShardBalancer.shards(of: weights, among: shards)
        #expect(locations.allSatisfy { (0..<shards).contains($0) })
        let total = weights.reduce(0, +)
        let bound = total + Int64(shards - 1) * (weights.max() ?? 0)
        #expect(Self.heaviest(weights, locations, shards) * Int64(shards) <= bound)
    }

    private static func heaviest(_ weights: [Int64], _ locations: [Int], _ shards: Int) -> Int64 {
        var loads = [Int64](repeating: 0, count: shards)
        for (weight, location) in zip(weights, locations) { loads[location] += weight }
        return loads.max() ?? 0
    }

    /// Returns the heaviest shard of the optimal distribution, found by exhaustive search.
    private static func best(_ weights: [Int64], _ shards: Int) -> Int64 {
        var best = Int64.max
        func location(_ index: Int, _ loads: [Int64]) {
            guard index < weights.count else {
                best = min(best, loads.max() ?? 0)
                return
            }
            for shard in loads.indices {
                var loads = loads
                loads[shard] += weights[index]
                location(index + 1, loads)
            }
        }
        location(0, [Int64](repeating: 0, count: shards))
        return best
    }
}
