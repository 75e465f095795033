extension Dispatcher {
    /// The resource locks of a run, with the test that holds each lock and the tests that wait for it.
    ///
    /// A test takes all of its locks at once, and holds none while it waits. It waits in the queue of each of its locks
    /// and starts when it is the first in all of them and all are free. All queues have the same order, so the first of
    /// all waiting tests waits only for running tests, and no test is overtaken forever by tests with fewer locks.
    struct LockQueues {
        /// A lock that is held or that tests wait for.
        private struct Lock {
            var isHeld = false
            var waiting: ReadyQueue
        }

        /// For each test, its rank in the shuffled order; empty when tests start in file order.
        private let ranks: [Int32]
        /// The locks that are in use, by name.
        private var locks: [String: Lock] = [:]
        /// The names of the locks of tests that hold them or wait for them.
        private var names: [Int: [String]] = [:]

        init(ranks: [Int32]) {
            self.ranks = ranks
        }

        /// Acquires all locks of a test, or queues the test and returns false if it has to wait.
        mutating func take(_ names: [String], for test: Int) -> Bool {
            if names.isEmpty { return true }
            self.names[test] = names
            for name in names { locks[name, default: Lock(waiting: ReadyQueue(ranks: ranks))].waiting.push(test) }
            return acquire(for: test)
        }

        /// Releases the locks of a finished test.
        ///
        /// - Parameter passesOn: Whether waiting tests acquire the locks.
        /// - Returns: The tests that acquired all of their locks.
        mutating func release(by test: Int, passesOn: Bool) -> [Int] {
            guard let released = names.removeValue(forKey: test) else { return [] }
            for name in released { locks[name]?.isHeld = false }
            var started: [Int] = []
            for name in released {
                if passesOn, let next = locks[name]?.waiting.first, acquire(for: next) { started.append(next) }
                if locks[name]?.isHeld == false, locks[name]?.waiting.isEmpty == true { locks[name] = nil }
            }
            return started
        }

        /// Acquires the locks of a waiting test if all of them are free and it is the next test for each.
        private mutating func acquire(for test: Int) -> Bool {
            let names = names[test] ?? []
            guard names.allSatisfy({ locks[$0]?.isHeld == false && locks[$0]?.waiting.first == test }) else {
                return false
            }
            for name in names {
                locks[name]?.isHeld = true
                _ = locks[name]?.waiting.pop()
            }
            return true
        }
    }
}
