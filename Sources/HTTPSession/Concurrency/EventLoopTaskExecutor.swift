public import NIOCore

/// Runs tasks on an event loop, so that an exchange made by such a task crosses no thread.
///
/// ```swift
/// let transport = NIOTransport()
/// let session = Session(transport: transport)
/// await withTaskGroup { group in
///     for executor in transport.executors {
///         group.addTask(executorPreference: executor) { try? await session.get("https://example.org/").string() }
///     }
/// }
/// ```
public final class EventLoopTaskExecutor: TaskExecutor {
    /// The event loop that tasks run on.
    public let eventLoop: any EventLoop

    /// The jobs that came from the event loop itself since it last ran such; used on the event loop only.
    nonisolated(unsafe) private var jobs: [UnownedJob] = []
    /// The memory of those that ran before; used on the event loop only.
    nonisolated(unsafe) private var spare: [UnownedJob] = []

    /// Creates an executor of an event loop.
    public init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Runs a job of a task on the event loop, after what the loop is doing now.
    ///
    /// Jobs that become ready in one turn of the loop, as with responses that arrive together, are one task of the loop.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard eventLoop.inEventLoop else {
            let executor = asUnownedTaskExecutor()
            return eventLoop.execute { job.runSynchronously(on: executor) }
        }
        jobs.append(job)
        if jobs.count == 1 { eventLoop.execute { self.runJobs() } }
    }

    private func runJobs() {
        let executor = asUnownedTaskExecutor()
        // What comes while these run is for another task of the loop, which one of them may even run itself.
        var running = spare
        spare = []
        swap(&jobs, &running)
        for job in running { job.runSynchronously(on: executor) }
        running.removeAll(keepingCapacity: true)
        spare = running
    }
}
