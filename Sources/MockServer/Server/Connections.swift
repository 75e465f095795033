import NIOCore
import Synchronization

/// The open connections of a server, each with the task that answers its requests, so that stopping the server can end them all.
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
    // Connections come and go on the event loop, the server is stopped from anywhere.
    private let state = Mutex(State())

    /// - Parameters:
    ///   - handler: The answers to requests.
    ///   - executor: The executor of the tasks: the event loop of the connections.
    init(handler: ConnectionHandler, executor: EventLoopTaskExecutor) {
        self.handler = handler
        self.executor = executor
    }

    /// Sets up a connection that was accepted, and has a task answer its requests until it is closed.
    ///
    /// The task begins before anything can come: a connection that is set up and then handled by nobody, as when it came
    /// while the server was being stopped, would end the program, for its writer is never finished.
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

    /// Closes every connection, and all that are still to come.
    ///
    /// - Returns: False when that was done before.
    func closeAll() -> Bool {
        let connections: [Connection]? = state.withLock { state in
            if state.isClosed { return nil }
            state.isClosed = true
            return Array(state.open.values)
        }
        guard let connections else { return false }
        for connection in connections {
            // A task that is cancelled closes its channel's input, which a channel that is not registered yet does not bear.
            connection.channel.close().whenComplete { _ in connection.task.cancel() }
        }
        return true
    }

    /// Waits until no connection is handled any more.
    func finish() async {
        while let task = state.withLock({ $0.open.first?.value.task }) { await task.value }
    }
}

/// Runs tasks on an event loop.
final class EventLoopTaskExecutor: TaskExecutor {
    private let loop: any EventLoop

    /// Creates an executor that runs everything on one loop.
    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
