extension Dispatcher {
    /// The locks of a run: which test holds each, and which ones wait for it.
    struct LockQueues {
        /// For each test its place in a shuffled order; empty when tests start in file order.
        private let ranks: [Int32]
        /// The tests that wait for each lock that is held.
        private var waiting: [String: ReadyQueue] = [:]
        /// The locks that are held, by their tests.
        private var held: [Int: String] = [:]

        init(ranks: [Int32]) {
            self.ranks = ranks
        }

        /// Takes a lock for a test; false when another one holds it, so that the test waits.
        mutating func take(_ name: String, for test: Int) -> Bool {
            if waiting[name] != nil {
                waiting[name]?.push(test)
                return false
            }
            waiting[name] = ReadyQueue(ranks: ranks)
            held[test] = name
            return true
        }

        /// Releases what a test that is done holds.
        ///
        /// - Parameter passesOn: Whether a test that waits for the lock takes it now.
        /// - Returns: That test; nil when there is none.
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
