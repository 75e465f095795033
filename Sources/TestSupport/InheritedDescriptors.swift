import Glibc

/// A safeguard that keeps programs started by tests from inheriting files and sockets of the test process.
///
/// SwiftNIO opens its sockets without close-on-exec. A program that inherits a listening socket would keep its port
/// open after the test has closed it.
public enum InheritedDescriptors {
    /// Sets close-on-exec for every open nonstandard descriptor.
    ///
    /// Call it right before starting a program.
    public static func closeOnExec() {
        guard let directory = opendir("/proc/self/fd") else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
    }
}
