import FileSystem
import NIOPosix
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The few things that are done with files by name.
enum FileSystemCalls {
    /// What there is at a path.
    enum Kind: Hashable {
        case nothing
        case file
        case folder
        case other
    }

    /// What there is at a path, symbolic links followed.
    static func kind(_ path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .nothing }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// Makes a folder and those it is in.
    static func makeFolder(_ path: String) throws(FileFailure) {
        guard kind(path) != .folder else { return }
        var missing = [path]
        while let first = missing.last {
            let parent = Path.parent(of: first)
            guard parent != first, parent != ".", kind(parent) != .folder else { break }
            missing.append(parent)
        }
        for folder in missing.reversed() where mkdir(folder, 0o777) != 0 {
            let number = errno
            guard number == EEXIST, kind(folder) == .folder else { throw FileFailure(path: folder, number: number) }
        }
    }

    /// Gives a file its name in place of another, if there is one.
    static func rename(_ path: String, to destination: String) throws(FileFailure) {
        guard systemRename(path, destination) == 0 else { throw .last(destination) }
    }

    /// Gives a file a name that must be free.
    static func renameToFree(_ path: String, to destination: String) throws(FileFailure) {
        if link(path, destination) == 0 {
            remove(path)
            return
        }
        let number = errno
        // A file system without hard links.
        guard number == EPERM || number == EOPNOTSUPP || number == EMLINK || number == ENOSYS else {
            throw FileFailure(path: destination, number: number)
        }
        guard kind(destination) == .nothing else { throw FileFailure(path: destination, number: EEXIST) }
        try rename(path, to: destination)
    }

    /// Removes a file, if there is one.
    static func remove(_ path: String) {
        _ = unlink(path)
    }

    /// The whole of a small file; nil if it cannot be read or is larger than 64 KiB.
    static func read(_ path: String) -> [UInt8]? {
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0, count < bytes.count else { return nil }
        return Array(bytes[..<count])
    }
}

private func systemRename(_ path: String, _ destination: String) -> CInt { rename(path, destination) }

/// Opens a file; a name of its own, as `open` is hidden inside of types with such a member.
func systemOpen(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt { open(path, flags, mode) }

/// Why the operating system has refused something about a file.
struct FileFailure: Error {
    /// The file.
    var path: String
    /// The number of the error.
    var number: CInt
    /// The reason in words; the operating system's, if not given.
    var message: String

    init(path: String, number: CInt, message: String? = nil) {
        self.path = path
        self.number = number
        self.message = message ?? String(cString: strerror(number))
    }

    /// The failure of the last call.
    static func last(_ path: String) -> FileFailure { FileFailure(path: path, number: errno) }
}

extension FileFailure: CustomStringConvertible {
    /// The reason.
    var description: String { message }
}

/// Runs what waits for a disk away from event loops and from the threads that tasks share.
enum BlockingWork {
    /// A lock that the thread sanitizer sees, which does not see that a task goes on after it was resumed.
    private final class HandOver: Sendable {
        let lock = Mutex(false)
    }

    /// Runs a function to its end, even when the task is cancelled.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(FileFailure) -> Value
    ) async throws(FileFailure) -> Value {
        let handOver = HandOver()
        let result = await withUnsafeContinuation { (waiter: UnsafeContinuation<Result<Value, FileFailure>, Never>) in
            // The pool that a process shares is never shut down, so the work is always done.
            NIOThreadPool.singleton.submit { _ in
                let result: Result<Value, FileFailure>
                do throws(FileFailure) {
                    result = .success(try body())
                } catch {
                    result = .failure(error)
                }
                handOver.lock.withLock { $0 = true }
                waiter.resume(returning: result)
            }
        }
        handOver.lock.withLock { _ = $0 }
        return try result.get()
    }
}
