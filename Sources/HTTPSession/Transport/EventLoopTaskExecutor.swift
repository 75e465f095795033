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
    private let turns: NIOLoopBoundBox<JobTurns>

    /// Creates an executor of an event loop.
    public init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        turns = NIOLoopBoundBox.makeBoxSendingValue(JobTurns(), eventLoop: eventLoop)
    }

    /// Runs a job of a task on the event loop: after what the loop is doing now, or at the end of a turn.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if eventLoop.inEventLoop, turns.value.take(job) { return }
        eventLoop.execute { [self] in turns.value.run(job, on: asUnownedTaskExecutor()) }
    }

    /// Does something on the event loop and then at once, before anything else of the loop, runs the tasks that it woke.
    ///
    /// What a response has been read into is still in the processor's caches then; with hundreds of connections it would not
    /// be after all of the others were read.
    func turn(_ body: () -> Void) {
        let turns = turns.value
        guard turns.begin() else { return body() }
        body()
        turns.end(on: asUnownedTaskExecutor())
    }
}
