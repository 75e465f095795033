import Glibc
import Synchronization

/// Takes SIGINT and SIGTERM on the main thread, which does nothing else.
///
/// The main thread must not be given to the concurrency runtime: libdispatch parks it with an empty signal mask, and a
/// signal would end the program there before any report is written.
enum SignalWatcher {
    private static let handler = Mutex<(@Sendable () -> Void)?>(nil)

    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        return set
    }

    /// Blocks the signals in the calling thread and all that it creates.
    static func block() {
        var set = set
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Has the first signal from now on call `handler` instead of ending the program.
    static func start(first handler: @escaping @Sendable () -> Void) {
        self.handler.withLock { $0 = handler }
    }

    /// Waits for signals for ever: the first goes to the handler, if there is one; any other ends the program at once.
    ///
    /// Children that were started for the run end with it all the same: their watcher sees to that.
    static func wait() -> Never {
        var set = set
        while true {
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { continue }
            let handler = handler.withLock { handler in
                defer { handler = nil }
                return handler
            }
            guard let handler else {
                Terminal.clearLiveLine()
                _exit(ExitStatus.interrupted.rawValue)
            }
            handler()
        }
    }
}
