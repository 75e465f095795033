import HTTPSession
import NIOCore
import RunModel
import SuiteModel
import Synchronization

/// The generator of a load: it starts iterations on the event loops at the times of a schedule.
struct LoadEngine: Sendable {
    /// Whether the load ends before the end of its schedule. Iterations in flight finish nevertheless.
    final class StopFlag: Sendable {
        private let flag = Atomic(false)

        var isSet: Bool { flag.load(ordering: .relaxed) }

        func set() { flag.store(true, ordering: .relaxed) }
    }

    /// The maximum time until a waiting generator notices that the load ends, in nanoseconds.
    private static let patience: Int64 = 100_000_000

    let model: LoadProfile.Model
    let think: Int64
    /// The schedule of the whole load, and the part of it to generate.
    let schedule: LoadSchedule
    let share: LoadShare
    /// The time at the start that counts in no figure, in nanoseconds.
    let warmup: Int64
    let order: LoadOrder
    let setup: (index: Int, captures: TestCaptures)?
    let runner: TestRunner
    let executors: [EventLoopTaskExecutor]
    /// The recorder of each event loop.
    let recorders: [LoadRecorder]
    let clock: RunClock
    /// The start of the load, by the clock of the run.
    let start: Int64
    let stop: StopFlag

    /// Runs iterations until the schedule or the load ends, and waits for those in flight.
    func run() async {
        await withDiscardingTaskGroup { group in
            switch model {
            case .rate:
                for loop in executors.indices {
                    group.addTask(executorPreference: executors[loop]) { await startIterations(onLoop: loop) }
                }
            case .users:
                for position in 0..<share.count(of: Int(schedule.maximum.rounded(.up))) {
                    let loop = position % executors.count
                    group.addTask(executorPreference: executors[loop]) {
                        await run(user: share.number(position), onLoop: loop)
                    }
                }
            }
        }
    }

    /// Starts the iterations of one event loop at their times, whether or not earlier ones have finished.
    private nonisolated(nonsending) func startIterations(onLoop loop: Int) async {
        await withDiscardingTaskGroup { group in
            var position = loop
            while let offset = schedule.start(of: share.number(position)),
                await wait(until: start + offset, onLoop: loop)
            {
                let iteration = share.number(position)
                group.addTask(executorPreference: executors[loop]) {
                    await run(iteration, intended: start + offset, onLoop: loop)
                }
                position += executors.count
            }
        }
    }

    /// Runs one iteration after another while the schedule has the user.
    private nonisolated(nonsending) func run(user: Int, onLoop loop: Int) async {
        var count = 0
        var next = start
        let stride = Int(schedule.maximum.rounded(.up))
        while let offset = schedule.activation(ofUser: user, from: next - start),
            await wait(until: start + offset, onLoop: loop)
        {
            await run(count * stride + user, intended: max(next, start + offset), onLoop: loop)
            count += 1
            next = clock.now() + think
        }
    }

    /// Runs an iteration and records it.
    private nonisolated(nonsending) func run(_ number: Int, intended: Int64, onLoop loop: Int) async {
        let recorder = recorders[loop]
        let isMeasured = intended - start >= warmup
        recorder.begin(lateness: isMeasured ? clock.now() - intended : nil)
        let iteration = LoadIteration(
            intended: intended, setup: setup, recorder: recorder, isMeasured: isMeasured)
        let hasFailed = await iteration.run(order, number: number, of: runner, on: executors[loop])
        recorder.end(duration: clock.now() - intended, isFailed: hasFailed, isMeasured: isMeasured)
    }

    /// Waits until a time by the clock of the run.
    ///
    /// A timer of the event loop wakes the generator on its own thread, and leaves the loop to the exchanges until then.
    ///
    /// - Returns: False if the load ends before.
    private nonisolated(nonsending) func wait(until time: Int64, onLoop loop: Int) async -> Bool {
        while !stop.isSet, !Task.isCancelled {
            let left = time - clock.now()
            if left <= 0 { return true }
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                _ = executors[loop].eventLoop.scheduleTask(in: .nanoseconds(min(left, Self.patience))) {
                    continuation.resume()
                }
            }
        }
        return false
    }
}
