import Basics
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

/// The file system operations that work on paths.
enum FileSystemCalls {
    /// The kind of a file system entry.
    enum Kind: Hashable {
        case nothing
        case file
        case directory
        case other
    }

    /// Returns the kind of the entry at a path, following symbolic links.
    static func kind(_ path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .nothing }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .directory
        default: return .other
        }
    }

    /// Creates a directory and its missing parent directories.
    static func makeDirectory(_ path: String) throws(FileFailure) {
        guard kind(path) != .directory else { return }
        var missing = [path]
        while let first = missing.last {
            let parent = Path.parent(of: first)
            guard parent != first, parent != ".", kind(parent) != .directory else { break }
            missing.append(parent)
        }
        for directory in missing.reversed() where mkdir(directory, 0o777) != 0 {
            let number = errno
            guard number == EEXIST, kind(directory) == .directory else {
                throw FileFailure(path: directory, number: number)
            }
        }
    }

    /// Renames a file, replacing an existing one.
    static func rename(_ path: String, to destination: String) throws(FileFailure) {
        guard systemRename(path, destination) == 0 else { throw .last(destination) }
    }

    /// Renames a file to a path that must not exist.
    static func renameToFree(_ path: String, to destination: String) throws(FileFailure) {
        if link(path, destination) == 0 {
            remove(path)
            return
        }
        let number = errno
        // The file system does not support hard links.
        guard number == EPERM || number == EOPNOTSUPP || number == EMLINK || number == ENOSYS else {
            throw FileFailure(path: destination, number: number)
        }
        guard kind(destination) == .nothing else { throw FileFailure(path: destination, number: EEXIST) }
        try rename(path, to: destination)
    }

    /// Removes a file if it exists.
    static func remove(_ path: String) {
        _ = unlink(path)
    }

    /// Returns the contents of a small file, or nil if it cannot be read or is larger than 64 KiB.
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

/// Opens a file. It has its own name because types with an `open` member hide the function.
func systemOpen(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt { open(path, flags, mode) }

/// An error of the operating system for a file operation.
struct FileFailure: Error {
    /// The path of the file.
    var path: String
    /// The error number.
    var number: CInt
    /// A description of the error, by default the operating system's.
    var message: MessageText

    init(path: String, number: CInt, message: MessageText? = nil) {
        self.path = path
        self.number = number
        self.message = message ?? MessageText(words: String(cString: strerror(number)))
    }

    /// Returns the error of the last call.
    static func last(_ path: String) -> FileFailure { FileFailure(path: path, number: errno) }
}

extension FileFailure: CustomStringConvertible {
    /// The description of the error.
    var description: String { message.text }
}

/// Runs blocking work outside of the event loops and the cooperative thread pool.
enum BlockingWork {
    /// A lock that shows the thread sanitizer the order of events, because it does not see the resumption of a task.
    private final class HandOver: Sendable {
        let lock = Mutex(false)
    }

    /// Runs a closure to completion, even if the task is cancelled.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(FileFailure) -> Value
    ) async throws(FileFailure) -> Value {
        let handOver = HandOver()
        let result = await withUnsafeContinuation { (waiter: UnsafeContinuation<Result<Value, FileFailure>, Never>) in
            // The process-wide thread pool is never shut down, so the work always runs.
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
