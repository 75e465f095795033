extension Dispatcher {
    /// The resource locks of a run, with the test that holds each lock and the tests that wait for it.
    struct LockQueues {
        /// For each test, its rank in the shuffled order; empty when tests start in file order.
        private let ranks: [Int32]
        /// The waiting tests, by the name of each lock that is held.
        private var waiting: [String: ReadyQueue] = [:]
        /// The names of the held locks, by the test that holds them.
        private var held: [Int: String] = [:]

        init(ranks: [Int32]) {
            self.ranks = ranks
        }

        /// Acquires a lock for a test, or queues the test and returns false if another test holds the lock.
        mutating func take(_ name: String, for test: Int) -> Bool {
            if waiting[name] != nil {
                waiting[name]?.push(test)
                return false
            }
            waiting[name] = ReadyQueue(ranks: ranks)
            held[test] = name
            return true
        }

        /// Releases the lock of a finished test.
        ///
        /// - Parameter passesOn: Whether the next waiting test acquires the lock.
        /// - Returns: The test that acquired the lock; nil if there is none.
        mutating func release(by test: Int, passesOn: Bool) -> Int? {
            guard let name = held.removeValue(forKey: test) else { return nil }
            guard passesOn, let next = waiting[name]?.pop() else {
                waiting[name] = nil
                return nil
            }
            held[next] = name
            return next
        }
    }
}
