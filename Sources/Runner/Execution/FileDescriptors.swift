import Glibc

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
