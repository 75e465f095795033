import Glibc
import Synchronization

/// A handler of SIGINT, SIGTERM, and SIGHUP on a dedicated thread.
///
/// The thread is the main one unless a command runs there. The main thread must not be passed to the concurrency
/// runtime: libdispatch parks it with an empty signal mask, and a signal would then terminate the program before any
/// report is written.
enum SignalWatcher {
    private static let handler = Mutex<(@Sendable () -> Void)?>(nil)

    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        if !isHangUpIgnored { sigaddset(&set, SIGHUP) }
        return set
    }

    /// Whether the program was started to outlive its terminal, as with nohup(1).
    private static let isHangUpIgnored: Bool = {
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }()

    private static let hungUp = Atomic<Bool>(false)

    /// Whether the terminal was closed.
    ///
    /// Failed writes to it are then not errors.
    static var hasHungUp: Bool { hungUp.load(ordering: .relaxed) }

    /// Blocks the signals in the calling thread and all threads that it creates.
    static func block() {
        var set = set
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Registers a handler for the next signal, which then does not terminate the program.
    static func start(first handler: @escaping @Sendable () -> Void) {
        self.handler.withLock { $0 = handler }
    }

    /// Waits for signals on a separate thread, for a command that runs on the main thread.
    static func waitOnThread() {
        var thread = pthread_t()
        _ = pthread_create(&thread, nil, { _ in SignalWatcher.wait() }, nil)
    }

    /// Waits for signals forever.
    ///
    /// The first signal calls the handler, if there is one. Any other signal exits the program immediately, except for
    /// repeated signals with the same cause. When a terminal is closed, the kernel and the shell both send SIGHUP.
    /// timeout(1) sends SIGTERM to the process and then to its process group.
    ///
    /// Child processes of the run are terminated by their own watcher.
    static func wait() -> Never {
        var set = set
        var isTerminated = false
        while true {
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { continue }
            if number == SIGHUP, hungUp.exchange(true, ordering: .relaxed) { continue }
            if number == SIGTERM {
                if isTerminated { continue }
                isTerminated = true
            }
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
