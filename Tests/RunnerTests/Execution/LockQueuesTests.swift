import Testing

@testable import Runner

@Testing.Suite("The resource locks of a run")
struct LockQueuesTests {
    @Test("A test with several locks starts when all of them are free, and holds none while it waits")
    func several() {
        var locks = Dispatcher.LockQueues(ranks: [])
        let starts = [locks.take(["a"], for: 0), locks.take(["a", "b"], for: 1), locks.take(["c"], for: 2)]
        #expect(starts == [true, false, true])
        let next = [locks.release(by: 2, passesOn: true), locks.release(by: 0, passesOn: true)]
        #expect(next == [[], [1]])
        let startsAtOnce = locks.take(["b"], for: 3)
        #expect(!startsAtOnce)
        let last = locks.release(by: 1, passesOn: true)
        #expect(last == [3])
    }

    @Test("A test that waits for several locks is not overtaken by later tests with one of them")
    func order() {
        var locks = Dispatcher.LockQueues(ranks: [])
        let starts = [locks.take(["a"], for: 0), locks.take(["b", "a"], for: 1), locks.take(["b"], for: 2)]
        #expect(starts == [true, false, false])
        let next = (0..<3).map { locks.release(by: $0, passesOn: true) }
        #expect(next == [[1], [2], []])
    }

    @Test("The end of one test starts several that waited for different locks of it")
    func fanOut() {
        var locks = Dispatcher.LockQueues(ranks: [])
        let starts = [locks.take(["a", "b"], for: 0), locks.take(["a"], for: 1), locks.take(["b"], for: 2)]
        #expect(starts == [true, false, false])
        let next = locks.release(by: 0, passesOn: true)
        #expect(next == [1, 2])
    }

    @Test("No combination of locks and order keeps a test waiting, and no lock has two holders", arguments: 0..<200)
    func everyTestRuns(seed: Int) {
        var random = TestRandom(seed: UInt64(seed))
        let count = 40
        let ranks = seed % 2 == 0 ? [] : ShuffledOrder.ranks(count: count, seed: UInt64(seed))
        var locks = Dispatcher.LockQueues(ranks: ranks)
        var names: [[String]] = []
        for _ in 0..<count { names.append(["a", "b", "c", "d"].filter { _ in random.happens(50) }) }
        var running: Set<Int> = []
        var finished: Set<Int> = []
        var next = 0
        while finished.count < count {
            if next < count, running.isEmpty || random.happens(50) {
                if locks.take(names[next], for: next) { running.insert(next) }
                next += 1
            } else if let test = running.sorted().dropFirst(random.number(0...100) % max(1, running.count)).first {
                running.remove(test)
                finished.insert(test)
                running.formUnion(locks.release(by: test, passesOn: true))
            } else {
                Issue.record("no test runs, and \(count - finished.count) wait")
                return
            }
            let held = running.flatMap { names[$0] }
            #expect(held.count == Set(held).count)
        }
    }
}
