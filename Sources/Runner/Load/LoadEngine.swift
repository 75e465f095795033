import HTTPSession
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
    /// The maximum number of late iterations that start before an event loop looks at its sockets.
    private static let burst = 32

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
    ///
    /// An event loop looks at its sockets only when no task is ready. A generator that is late, as after the system has
    /// stopped it for a while, would otherwise start everything that is due first, with responses that wait, and memory
    /// for each request.
    private nonisolated(nonsending) func startIterations(onLoop loop: Int) async {
        let workers = LoadWorkers()
        let timer = LoadTimer(executors[loop].eventLoop)
        await withDiscardingTaskGroup { group in
            var position = loop
            var late = 0
            while let offset = schedule.start(of: share.number(position)) {
                let iteration = LoadWorkers.Iteration(number: share.number(position), intended: start + offset)
                if stop.isSet || Task.isCancelled { break }
                if clock.now() < iteration.intended {
                    late = 0
                    guard await wait(until: iteration.intended, timer) else { break }
                } else {
                    late += 1
                    if late % Self.burst == 0 { await timer.waitForTurn() }
                }
                if !workers.start(iteration) {
                    group.addTask(executorPreference: executors[loop]) {
                        var next: LoadWorkers.Iteration? = iteration
                        while let iteration = next {
                            await run(iteration.number, intended: iteration.intended, onLoop: loop)
                            next = await workers.next()
                        }
                    }
                }
                position += executors.count
            }
            workers.finish()
        }
    }

    /// Runs one iteration after another while the schedule has the user.
    private nonisolated(nonsending) func run(user: Int, onLoop loop: Int) async {
        var count = 0
        var next = start
        let stride = Int(schedule.maximum.rounded(.up))
        let timer = LoadTimer(executors[loop].eventLoop)
        while let offset = schedule.activation(ofUser: user, from: next - start),
            await wait(until: start + offset, timer)
        {
            let end = await run(count * stride + user, intended: max(next, start + offset), onLoop: loop)
            count += 1
            next = end + think
        }
    }

    /// Runs an iteration and records it.
    ///
    /// - Returns: The time of its end.
    @discardableResult
    private nonisolated(nonsending) func run(_ number: Int, intended: Int64, onLoop loop: Int) async -> Int64 {
        let recorder = recorders[loop]
        let isMeasured = intended - start >= warmup
        recorder.begin(lateness: isMeasured ? clock.now() - intended : nil)
        let iteration = LoadIteration(
            intended: intended, setup: setup, recorder: recorder, isMeasured: isMeasured)
        let hasFailed = await iteration.run(order, number: number, of: runner, on: executors[loop])
        let end = clock.now()
        recorder.end(duration: end - intended, isFailed: hasFailed, isMeasured: isMeasured)
        return end
    }

    /// Waits until a time by the clock of the run.
    ///
    /// - Returns: False if the load ends before.
    private nonisolated(nonsending) func wait(until time: Int64, _ timer: LoadTimer) async -> Bool {
        while !stop.isSet, !Task.isCancelled {
            let left = time - clock.now()
            if left <= 0 { return true }
            await timer.wait(min(left, Self.patience))
        }
        return false
    }
}
