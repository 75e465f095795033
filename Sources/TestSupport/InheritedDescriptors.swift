import Glibc

/// Keeps the files and sockets of the tests' process out of programs that tests start.
///
/// SwiftNIO opens its sockets without close-on-exec; a program that inherits a listening socket would keep its port open
/// after the test that made it has closed it.
public enum InheritedDescriptors {
    /// Marks every open descriptor but the standard ones as closed on exec; to be called right before a program is started.
    public static func closeOnExec() {
        guard let folder = opendir("/proc/self/fd") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
    }
}
