import Glibc
import Synchronization

/// Takes SIGINT, SIGTERM and SIGHUP on a thread that does nothing else: the main one, unless a command runs there.
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
        if !isHangUpIgnored { sigaddset(&set, SIGHUP) }
        return set
    }

    /// Whether the program was started so that it outlives its terminal, as by nohup(1).
    private static let isHangUpIgnored: Bool = {
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }()

    private static let hungUp = Atomic<Bool>(false)

    /// Whether the terminal was closed: what cannot be written to it then is no failure.
    static var hasHungUp: Bool { hungUp.load(ordering: .relaxed) }

    /// Blocks the signals in the calling thread and all that it creates.
    static func block() {
        var set = set
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Has the first signal from now on call `handler` instead of ending the program.
    static func start(first handler: @escaping @Sendable () -> Void) {
        self.handler.withLock { $0 = handler }
    }

    /// Waits for signals on a thread of its own, for a command that runs on the main thread.
    static func waitOnThread() {
        var thread = pthread_t()
        _ = pthread_create(&thread, nil, { _ in SignalWatcher.wait() }, nil)
    }

    /// Waits for signals for ever: the first goes to the handler, if there is one; any other ends the program at once,
    /// but for what is sent twice by one event: a hang-up comes from the kernel and once more from the shell when a terminal
    /// is closed, and timeout(1) sends SIGTERM to the process and once more to its group.
    ///
    /// Children that were started for the run end with it all the same: their watcher sees to that.
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
