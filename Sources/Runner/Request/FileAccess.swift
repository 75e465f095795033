import FileSystem
import Glibc

/// Reads the files that a suite names, and only those inside the file root.
public struct FileAccess: Sendable {
    /// Why a file cannot be used.
    public struct Failure: Error, Sendable {
        /// One sentence without a final full stop.
        public var message: String
    }

    /// The largest file that is read, in bytes.
    public static let maximumSize = 512 << 20

    private static let pieceSize = 1 << 16

    private let root: String
    private let workingDirectory: String

    /// Creates access to a folder, given by its absolute path.
    ///
    /// - Parameters:
    ///   - root: The directory that files must be in.
    ///   - workingDirectory: The directory to which reports show paths relative; empty for none.
    public init(root: String, workingDirectory: String = "") {
        self.root = Path.real(root) ?? root
        self.workingDirectory = workingDirectory.isEmpty ? "" : Path.real(workingDirectory) ?? workingDirectory
    }

    /// Returns an absolute path relative to the working directory where it is inside.
    func shown(_ path: String) -> String {
        let prefix = workingDirectory + "/"
        return !workingDirectory.isEmpty && path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: absolute, or relative to `folder`.
    ///   - folder: the folder of the suite that names the file, absolute.
    /// - Throws: ``Failure`` when the file is outside the root, cannot be read, or is larger than ``maximumSize``.
    public func read(_ path: String, relativeTo folder: String) throws(Failure) -> [UInt8] {
        let (file, size) = try opened(path, relativeTo: folder)
        defer { close(file) }
        var isComplete = true
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = Self.fill(UnsafeMutableRawBufferPointer(buffer), from: file, isComplete: &isComplete)
        }
        guard isComplete else { throw Self.unreadable(path) }
        return bytes
    }

    /// Reads a file piece by piece, so that it takes the same memory whatever its size.
    ///
    /// - Parameters:
    ///   - path: absolute, or relative to `folder`.
    ///   - folder: the absolute path of a folder.
    ///   - body: takes the pieces in order.
    /// - Throws: ``Failure`` as ``read(_:relativeTo:)`` does, perhaps when some pieces were taken.
    func readPieces(
        _ path: String, relativeTo folder: String, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(Failure) {
        let (file, size) = try opened(path, relativeTo: folder)
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
            // The file has become shorter.
            if count < wanted { return }
            rest -= count
        }
    }

    /// Opens a file, and gives its descriptor and its size.
    private func opened(_ path: String, relativeTo folder: String) throws(Failure) -> (file: Int32, size: Int) {
        let real = try self.path(of: path, relativeTo: folder)
        // Without waiting: a pipe would not open before somebody writes into it.
        let file = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Self.unreadable(path) }
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw Failure(message: "\(path) is no regular file")
        }
        let size = Int(information.st_size)
        guard size <= Self.maximumSize else {
            close(file)
            throw Failure(message: "the file \(path) has \(size) bytes, more than \(Self.maximumSize)")
        }
        return (file, size)
    }

    /// Reads as much as there is room for or left in the file, and gives the number of bytes.
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

    /// Says why the call before has failed.
    private static func unreadable(_ path: String) -> Failure {
        Failure(message: "the file \(path) cannot be read: \(String(cString: strerror(errno)))")
    }

    /// The absolute path of a file, without symbolic links.
    ///
    /// - Throws: ``Failure`` when there is no such file, or it is outside the root.
    public func path(of path: String, relativeTo folder: String) throws(Failure) -> String {
        let wanted = Path.absolute(path, in: folder)
        guard let real = Path.real(wanted) else {
            throw Failure(message: "the file \(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        guard Path.isInside(real, root) else {
            throw Failure(message: "the file \(path) is outside of the project folder; --file-root widens it")
        }
        return real
    }

    /// The size of a regular file, or nil when there is none.
    static func size(of path: String) -> Int? {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(information.st_size)
    }
}
