public import NIOCore

/// Runs tasks on an event loop, so that an exchange made by such a task crosses no thread.
///
/// ```swift
/// for executor in transport.executors {
///     group.addTask(executorPreference: executor) { try await session.send(request) }
/// }
/// ```
public final class EventLoopTaskExecutor: TaskExecutor {
    /// The event loop that tasks run on.
    public let eventLoop: any EventLoop

    /// Creates an executor of an event loop.
    public init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Runs a job of a task on the event loop, after what the loop is doing now.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        eventLoop.execute { job.runSynchronously(on: executor) }
    }
}
