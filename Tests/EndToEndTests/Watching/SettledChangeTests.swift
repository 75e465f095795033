import Runner
import Synchronization
import Testing

@testable import apitest

/// Tests of waiting for changes, with a clock that the test controls.
struct SettledChangeTests {
    /// A simulated world that changes over time. Time advances only during waits.
    private final class World: Sendable {
        private let time = Mutex<Int64>(0)
        private let changes: [(at: Int64, value: Int)]
        private let stopsAt: Int64
        private let looks = Mutex(0)

        init(_ changes: [(at: Int64, value: Int)], stopsAt: Int64 = 10_000) {
            self.changes = changes
            self.stopsAt = stopsAt
        }

        var now: Int64 { time.withLock { $0 } }
        var lookCount: Int { looks.withLock { $0 } }

        var clock: RunClock {
            RunClock(now: { self.now }, sleep: { duration in self.time.withLock { $0 += duration } })
        }

        func waiting(hints: [Int64]? = nil) -> StableChange<Int> {
            StableChange(
                clock: clock, interval: 10, quiet: 50, hasHint: { hints.map { $0.contains(self.now) } ?? true },
                state: {
                    self.looks.withLock { $0 += 1 }
                    return self.changes.last { $0.at <= self.now }?.value ?? 0
                }, isStopped: { self.now >= self.stopsAt })
        }
    }

    @Test func aChangeCountsOnceItHasSettled() async {
        let world = World([(100, 1), (130, 2), (170, 3)])
        #expect(await world.waiting().next(after: 0) == 3)
        #expect(world.now == 220)
    }

    @Test func whatIsUndoneInTimeIsNoChange() async {
        let world = World([(100, 1), (120, 0), (500, 4)])
        #expect(await world.waiting().next(after: 0) == 4)
        #expect(world.now == 550)
    }

    @Test func aChangeBeforeTheWaitCounts() async {
        #expect(await World([(0, 1)]).waiting().next(after: 0) == 1)
    }

    @Test func waitingEndsWhenItIsStopped() async {
        #expect(await World([]).waiting().next(after: 0) == nil)
        #expect(await World([(100, 1)], stopsAt: 120).waiting().next(after: 0) == nil)
    }

    @Test func withoutAHintNothingIsLookedAt() async {
        let world = World([(100, 1)], stopsAt: 1_000)
        #expect(await world.waiting(hints: [300]).next(after: 0) == 1)
        #expect(world.now == 350)
        let idle = World([(100, 1)], stopsAt: 1_000)
        #expect(await idle.waiting(hints: []).next(after: 0) == nil)
        #expect(idle.lookCount == 0)
    }
}
