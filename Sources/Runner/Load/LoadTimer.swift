import NIOCore

/// A timer of an event loop for one task, which wakes it on its own thread. It is used on the event loop only.
///
/// It is reused for every wait, and needs neither a promise nor a closure, unlike a scheduled task.
final class LoadTimer: NIOScheduledCallbackHandler, @unchecked Sendable {
    private let eventLoop: any EventLoop
    private var waiting: UnsafeContinuation<Void, Never>?

    /// Creates a timer that is not running.
    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Waits for a number of nanoseconds, or until the event loop is shut down.
    nonisolated(nonsending) func wait(_ nanoseconds: Int64) async {
        await withUnsafeContinuation { continuation in
            waiting = continuation
            start(.nanoseconds(nanoseconds))
        }
    }

    /// Waits until the event loop has run the tasks that are ready, and handled the data that has arrived.
    ///
    /// A task of the loop runs after those that are ready, and a timer that is not due yet after the sockets.
    nonisolated(nonsending) func waitForTurn() async {
        await withUnsafeContinuation { continuation in
            waiting = continuation
            eventLoop.execute { self.start(Self.turn) }
        }
    }

    /// The time in which an event loop finds out that no task is ready.
    private static let turn = TimeAmount.microseconds(5)

    private func start(_ time: TimeAmount) {
        do {
            try eventLoop.scheduleCallback(in: time, handler: self)
        } catch {
            // The event loop is shut down.
            wake()
        }
    }

    private func wake() {
        waiting.take()?.resume()
    }

    func handleScheduledCallback(eventLoop: some EventLoop) { wake() }

    func didCancelScheduledCallback(eventLoop: some EventLoop) { wake() }
}
