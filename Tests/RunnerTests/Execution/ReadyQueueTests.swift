import Testing

@testable import Runner

@Testing.Suite("The queue of tests that may start")
struct ReadyQueueTests {
    @Test("Without ranks, the queue is first in, first out")
    func order() {
        var queue = ReadyQueue()
        for test in [3, 1, 2] { queue.push(test) }
        #expect(queue.pop() == 3)
        queue.push(0)
        #expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()] == [1, 2, 0, nil])
        #expect(queue.isEmpty)
    }

    @Test("With ranks, the queue is ordered by rank", arguments: 0..<50)
    func ranks(seed: Int) {
        let count = 60
        let ranks = ShuffledOrder.ranks(count: count, seed: UInt64(seed))
        #expect(ranks.sorted() == (0..<Int32(count)).map { $0 })
        var queue = ReadyQueue(ranks: ranks)
        for test in 0..<count { queue.push(test) }
        var order: [Int32] = []
        while let test = queue.pop() { order.append(ranks[test]) }
        #expect(order == ranks.sorted())
    }

    @Test("The shuffled order depends only on the seed")
    func seeds() {
        #expect(ShuffledOrder.ranks(count: 50, seed: 7) == ShuffledOrder.ranks(count: 50, seed: 7))
        #expect(ShuffledOrder.ranks(count: 50, seed: 7) != ShuffledOrder.ranks(count: 50, seed: 8))
        #expect(ShuffledOrder.ranks(count: 0, seed: 7) == [])
        #expect(ShuffledOrder.ranks(count: 1, seed: 7) == [0])
    }
}
