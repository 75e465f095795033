import Synchronization
import Testing

@testable import Runner

@Testing.Suite("The grace period of teardowns")
struct GracePeriodTests {
    /// Sleeps that a test ends, with their durations.
    final class Waits: Sendable {
        let times = Mutex<[Int64]>([])

        /// Returns a clock with a fixed time, whose sleeps end immediately or with the task.
        func clock(now: Int64, endsAtOnce: Bool) -> RunClock {
            RunClock(
                now: { now },
                sleep: { [self] time in
                    times.withLock { $0.append(time) }
                    if !endsAtOnce { try await Task.sleep(for: .seconds(3_600)) }
                })
        }
    }

    @Test("Work in a task that is not cancelled runs to completion")
    func plain() async {
        let waits = Waits()
        let done = Mutex(false)
        let grace = GracePeriod(clock: waits.clock(now: 5, endsAtOnce: true)) { nil }
        await grace.run(on: globalConcurrentExecutor) { done.withLock { $0 = !Task.isCancelled } }
        #expect(done.withLock { $0 })
        #expect(waits.times.withLock { $0 }.isEmpty)
    }

    @Test("Work in a cancelled task continues during the grace period")
    func interrupted() async {
        let waits = Waits()
        let wasCancelled = Mutex(true)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let grace = GracePeriod(clock: waits.clock(now: 4_000_000_000, endsAtOnce: false)) { 1_000_000_000 }
            await grace.run(on: globalConcurrentExecutor) { wasCancelled.withLock { $0 = Task.isCancelled } }
        }
        await task.value
        #expect(!wasCancelled.withLock { $0 })
    }

    @Test("Work that is unfinished after the grace period is cancelled")
    func timeIsUp() async {
        let waits = Waits()
        let wasCancelled = Mutex(false)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let grace = GracePeriod(clock: waits.clock(now: 4_000_000_000, endsAtOnce: true)) { 1_000_000_000 }
            await grace.run(on: globalConcurrentExecutor) {
                try? await Task.sleep(for: .seconds(3_600))
                wasCancelled.withLock { $0 = Task.isCancelled }
            }
        }
        await task.value
        #expect(wasCancelled.withLock { $0 })
        #expect(waits.times.withLock { $0 } == [7_000_000_000])
    }
}
