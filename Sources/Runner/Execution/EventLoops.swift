public import Basics
import Glibc
import NIOCore

/// The choice of the number of event loops for a run.
enum EventLoops {
    /// The maximum number of loops. More of them gain little, because they share the record and the dispatcher.
    private static let maximum = 4
    /// The minimum number of jobs per loop. Fewer exchanges do not keep a loop busy, and more loops wake up more often.
    private static let jobsOfEach = 32
    /// The minimum number of tests per loop. Fewer tests do not justify another thread with its own connections.
    private static let testsOfEach = 500

    /// The number of event loops of a load, which uses all processors.
    static var countForLoad: Int { max(1, min(16, System.coreCount)) }

    /// Returns the number of event loops for a number of tests and a maximum number of concurrent jobs.
    ///
    /// - Parameter processors: The number of processors available to the process.
    static func count(tests: Int, jobs: Int, processors: @autoclosure () -> Int = System.coreCount) -> Int {
        let wanted = min(maximum, jobs / jobsOfEach, tests / testsOfEach)
        // The number of processors is read from files.
        return wanted > 1 ? max(1, min(wanted, processors())) : 1
    }
}

/// The file descriptors that this process may still open.
///
/// An event loop that cannot get its descriptors terminates the process. Therefore availability is checked before one
/// is created. Other uses of descriptors, such as connections, report an error when none is left.
public enum FileDescriptors {
    /// The number of descriptors that a run needs besides its connections: event loops, report files and command pipes.
    private static let needed = 24
    /// The number of descriptors that may already be open.
    private static let inherited = 40

    /// Whether enough descriptors are available to start a run.
    public static var areLeft: Bool {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        for _ in 0..<needed {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            // On a system without /dev/null, the check proves nothing.
            guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
            opened.append(descriptor)
        }
        return true
    }

    /// Raises the limit on open files of this process so that a number of connections can be open at the same time.
    ///
    /// A limit that is high enough stays, because the programs that a run starts inherit it.
    ///
    /// - Returns: The highest possible limit, which is now set, if it is too low; nil if the connections are possible.
    public static func raiseLimit(forConnections count: Int) -> Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        let wanted = rlim_t(clamping: count) &+ rlim_t(needed + inherited)
        if limit.rlim_cur >= wanted { return nil }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return limit.rlim_cur >= wanted ? nil : Int(clamping: limit.rlim_cur)
    }

    /// The message for a shortage of file descriptors.
    public static var shortage: MessageText {
        "the limit on open files is too low: raise it by at least \(needed) (ulimit -n)"
    }
}
