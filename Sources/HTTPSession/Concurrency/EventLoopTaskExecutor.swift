public import NIOCore

/// A task executor that runs tasks on an event loop, which avoids thread switches during an exchange.
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

    /// The jobs enqueued from the event loop that have not run yet; used on the event loop only.
    nonisolated(unsafe) private var jobs: [UnownedJob] = []
    /// The storage of the previous jobs, for reuse; used on the event loop only.
    nonisolated(unsafe) private var spare: [UnownedJob] = []

    /// Creates an executor for an event loop.
    public init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Runs a job on the event loop, after the current work of the loop.
    ///
    /// Jobs that become ready in the same turn of the loop, as when responses arrive together, run as one task of the
    /// loop.
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
        // Jobs that arrive while these run need another task of the loop, which one of these may even run itself.
        var running = spare
        spare = []
        swap(&jobs, &running)
        for job in running { job.runSynchronously(on: executor) }
        running.removeAll(keepingCapacity: true)
        spare = running
    }
}
