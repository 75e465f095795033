import NIOCore
import Synchronization

/// The open connections of a server with their tasks, so that stopping the server can close all of them.
final class Connections: Sendable {
    private struct Connection {
        var channel: any Channel
        var task: Task<Void, Never>
    }

    private struct State {
        var open: [ObjectIdentifier: Connection] = [:]
        var isClosed = false
    }

    private let handler: ConnectionHandler
    private let executor: EventLoopTaskExecutor
    // Connections open and close on the event loop, but the server can be stopped from any thread.
    private let state = Mutex(State())

    /// Creates an empty set of connections.
    ///
    /// - Parameters:
    ///   - handler: The handler that serves each connection.
    ///   - executor: The executor of the tasks, which is the event loop of the connections.
    init(handler: ConnectionHandler, executor: EventLoopTaskExecutor) {
        self.handler = handler
        self.executor = executor
    }

    /// Sets up an accepted connection and starts a task that serves its requests until it is closed.
    ///
    /// The task starts before any data arrives. A connection that is set up and then never handled would crash the
    /// program, because its writer is never finished. This could happen to a connection accepted while the server is
    /// stopping.
    func add(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture { start(try ConnectionHandler.connection(on: channel), on: channel) }
    }

    private func start(_ connection: HTTPConnection, on channel: any Channel) {
        let identifier = ObjectIdentifier(channel)
        let isClosed = state.withLock { state in
            let task = Task(executorPreference: executor) { [self] in
                await handler.serve(connection)
                remove(identifier)
            }
            state.open[identifier] = Connection(channel: channel, task: task)
            return state.isClosed
        }
        if isClosed { channel.close(promise: nil) }
    }

    private func remove(_ identifier: ObjectIdentifier) {
        state.withLock { $0.open[identifier] = nil }
    }

    /// Closes all connections and refuses new ones.
    ///
    /// - Returns: `false` if the connections were already closed.
    func closeAll() -> Bool {
        let connections: [Connection]? = state.withLock { state in
            if state.isClosed { return nil }
            state.isClosed = true
            return Array(state.open.values)
        }
        guard let connections else { return false }
        for connection in connections {
            // Canceling a task closes the input of its channel, which fails for a channel that is not registered yet.
            connection.channel.close().whenComplete { _ in connection.task.cancel() }
        }
        return true
    }

    /// Waits until no connection is being served.
    func finish() async {
        while let task = state.withLock({ $0.open.first?.value.task }) { await task.value }
    }
}

/// A task executor that runs jobs on an event loop.
final class EventLoopTaskExecutor: TaskExecutor {
    private let loop: any EventLoop

    /// Creates an executor for one event loop.
    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
