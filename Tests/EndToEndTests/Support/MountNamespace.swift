import Glibc

/// A private view of the file systems, which a test can change without affecting other processes.
enum MountNamespace {
    /// The command prefix that permits mounting, on machines that allow this.
    static var command: [String] {
        ["/usr/bin/env", "unshare"] + (geteuid() == 0 ? ["--mount"] : ["--map-root-user", "--mount"])
    }
}
