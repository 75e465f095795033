public import Basics
public import Diagnostics
import FileSystem
import Glibc

/// The access of suites to files, which is confined to the file root.
public struct FileAccess: Sendable {
    /// The reason why a file cannot be used.
    public struct Failure: Error, Sendable {
        /// The kind of the error.
        public var id: ProblemID
        /// A one-sentence description without a final period.
        public var message: MessageText
    }

    /// The maximum size of a file, in bytes.
    public static let maximumSize = 512 << 20

    private static let pieceSize = 1 << 16

    private let root: String
    private let workingDirectory: String

    /// Creates access to the files within a directory.
    ///
    /// - Parameters:
    ///   - root: The absolute path of the directory that files must be in.
    ///   - workingDirectory: The directory that displayed paths are relative to; empty for none.
    public init(root: String, workingDirectory: String = "") {
        self.root = Path.real(root) ?? root
        self.workingDirectory = workingDirectory.isEmpty ? "" : Path.real(workingDirectory) ?? workingDirectory
    }

    /// Returns a path for display: relative to the working directory if the file is inside, otherwise absolute.
    func shown(_ path: String) -> String {
        let prefix = workingDirectory + "/"
        return !workingDirectory.isEmpty && path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: An absolute path, or a path relative to `directory`.
    ///   - directory: The absolute path of the directory of the suite that names the file.
    /// - Throws: ``Failure`` if the file is outside the root, cannot be read, or is larger than ``maximumSize``.
    public func read(_ path: String, relativeTo directory: String) throws(Failure) -> [UInt8] {
        let (file, size) = try opened(path, relativeTo: directory)
        defer { close(file) }
        var isComplete = true
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = Self.fill(UnsafeMutableRawBufferPointer(buffer), from: file, isComplete: &isComplete)
        }
        guard isComplete else { throw Self.unreadable(path) }
        return bytes
    }

    /// Reads a file in chunks, with constant memory use.
    ///
    /// - Parameters:
    ///   - path: An absolute path, or a path relative to `directory`.
    ///   - directory: The absolute path of a directory.
    ///   - body: Receives the chunks in order.
    /// - Throws: ``Failure`` like ``read(_:relativeTo:)``, possibly after some chunks have been passed to `body`.
    func readPieces(
        _ path: String, relativeTo directory: String, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(Failure) {
        let (file, size) = try opened(path, relativeTo: directory)
        defer { close(file) }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: min(size, Self.pieceSize), alignment: 16)
        defer { piece.deallocate() }
        var rest = size
        while rest > 0 {
            let wanted = min(rest, piece.count)
            var isComplete = true
            let count = Self.fill(
                UnsafeMutableRawBufferPointer(rebasing: piece[..<wanted]), from: file, isComplete: &isComplete)
            guard isComplete else { throw Self.unreadable(path) }
            body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            // The file was truncated in the meantime.
            if count < wanted { return }
            rest -= count
        }
    }

    /// Opens a file and returns its descriptor and size.
    private func opened(_ path: String, relativeTo directory: String) throws(Failure) -> (file: Int32, size: Int) {
        let real = try self.path(of: path, relativeTo: directory)
        // Nonblocking, because opening a pipe would otherwise wait for a writer.
        let file = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Self.unreadable(path) }
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw Failure(id: .unreadableFile, message: "\"\(path)\" is not a regular file")
        }
        let size = Int(information.st_size)
        guard size <= Self.maximumSize else {
            close(file)
            throw Failure(
                id: .fileTooLarge,
                message: "the file \"\(path)\" has \(size) bytes; the maximum is \(Self.maximumSize)")
        }
        return (file, size)
    }

    /// Fills the buffer from the file, up to the end of the file, and returns the number of bytes.
    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from file: Int32, isComplete: inout Bool
    ) -> Int {
        var count = 0
        while count < buffer.count {
            let result = Glibc.read(file, buffer.baseAddress.map { $0 + count }, buffer.count - count)
            if result > 0 {
                count += result
            } else if result == 0 || errno != EINTR {
                isComplete = result == 0
                return count
            }
        }
        return count
    }

    /// Returns the error of the preceding system call.
    private static func unreadable(_ path: String) -> Failure {
        let number = errno
        return Failure(
            id: .reading(isMissing: number == ENOENT),
            message: "the file \"\(path)\" cannot be read: \(MessageText(words: String(cString: strerror(number))))")
    }

    /// Returns the absolute path of a file, with symbolic links resolved.
    ///
    /// - Throws: ``Failure`` if the file does not exist or is outside the root.
    public func path(of path: String, relativeTo directory: String) throws(Failure) -> String {
        let wanted = Path.absolute(path, in: directory)
        guard let real = Path.real(wanted) else { throw Self.unreadable(path) }
        guard Path.isInside(real, root) else {
            throw Failure(
                id: .fileOutsideRoot,
                message: "the file \"\(path)\" is outside the project directory; use --file-root to allow it")
        }
        return real
    }

    /// Returns the size of a regular file, or nil if it does not exist.
    static func size(of path: String) -> Int? {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(information.st_size)
    }
}
