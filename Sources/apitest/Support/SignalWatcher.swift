import Glibc

/// Takes SIGINT and SIGTERM on a thread of its own.
enum SignalWatcher {
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

    /// Calls `first` at the first signal; the second ends the program at once.
    ///
    /// Children that were started for the run end with it all the same: their watcher sees to that.
    static func start(first: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Handler(first))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let handler = Unmanaged<Handler>.fromOpaque(argument).takeRetainedValue()
                var set = SignalWatcher.set
                var number: Int32 = 0
                while sigwait(&set, &number) != 0 {}
                handler.call()
                while sigwait(&set, &number) != 0 {}
                _exit(ExitStatus.interrupted.rawValue)
            }, box.toOpaque())
        if result == 0 { pthread_detach(thread) } else { box.release() }
    }

    private final class Handler: Sendable {
        let call: @Sendable () -> Void

        init(_ call: @escaping @Sendable () -> Void) {
            self.call = call
        }
    }
}
