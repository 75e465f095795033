import Glibc

/// A view of the file systems that a test can change without anybody else seeing it.
enum MountNamespace {
    /// What to put before a command so that it may mount, where the machine allows that at all.
    static var command: [String] {
        ["/usr/bin/env", "unshare"] + (geteuid() == 0 ? ["--mount"] : ["--map-root-user", "--mount"])
    }
}
