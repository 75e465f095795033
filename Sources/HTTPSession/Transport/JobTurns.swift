/// The jobs that become ready during a turn of an event loop.
///
/// Used on that loop only.
final class JobTurns {
    private var jobs: [UnownedJob] = []
    private var isOpen = false
    /// Whether a job runs: none is run within another.
    private var isRunning = false

    /// Begins a turn.
    /// - Returns: Whether one was begun; within another one, or within a job, none is.
    func begin() -> Bool {
        if isOpen || isRunning { return false }
        isOpen = true
        return true
    }

    /// Takes a job that became ready.
    /// - Returns: Whether it was taken, which is so during a turn.
    func take(_ job: UnownedJob) -> Bool {
        guard isOpen else { return false }
        jobs.append(job)
        return true
    }

    /// Ends the turn and runs its jobs; those that become ready meanwhile wait for the event loop.
    func end(on executor: UnownedTaskExecutor) {
        isOpen = false
        guard !jobs.isEmpty else { return }
        isRunning = true
        var next = 0
        while next < jobs.count {
            let job = jobs[next]
            next += 1
            job.runSynchronously(on: executor)
        }
        jobs.removeAll(keepingCapacity: true)
        isRunning = false
    }

    /// Runs a job outside of a turn.
    func run(_ job: UnownedJob, on executor: UnownedTaskExecutor) {
        let wasRunning = isRunning
        isRunning = true
        job.runSynchronously(on: executor)
        isRunning = wasRunning
    }
}
