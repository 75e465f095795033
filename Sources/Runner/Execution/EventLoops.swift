import Glibc
import NIOCore

/// How many event loops a run works on.
enum EventLoops {
    /// More share so much, the record and the dispatcher among it, that they gain little.
    private static let most = 4
    /// Fewer exchanges in flight do not keep a loop busy, and more loops wake more often for less.
    private static let jobsOfEach = 32
    /// For fewer tests it is not worth it to start another thread and connections of its own.
    private static let testsOfEach = 500

    /// The number of loops for so many tests, so many of them at a time.
    ///
    /// - Parameter processors: The number of processors that the process can run on.
    static func count(tests: Int, jobs: Int, processors: Int = System.coreCount) -> Int {
        max(1, min(most, processors, jobs / jobsOfEach, tests / testsOfEach))
    }
}

/// The descriptors that this process may still open.
///
/// An event loop that cannot get its descriptors ends the process, so there must be room before one is made; what needs
/// a descriptor later, such as a connection, fails by itself with an error.
public enum FileDescriptors {
    /// What a run needs besides its connections: the event loops, files of reports, pipes of commands.
    private static let needed = 24

    /// Whether a run can begin.
    public static var areLeft: Bool {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        for _ in 0..<needed {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            // Where there is no /dev/null this says nothing.
            guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
            opened.append(descriptor)
        }
        return true
    }

    /// What to say when there are too few.
    public static var shortage: String {
        "too few files can be opened: at least \(needed) more are needed (ulimit -n)"
    }
}
