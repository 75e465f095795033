import Basics
import Expectations
import FileSystem
import Glibc
import SuiteModel

/// The directory of a suite's snapshots: `__snapshots__/SUITEFILE`, next to the suite.
struct SnapshotDirectory: Sendable {
    /// The reason why a file cannot be used.
    struct Failure: Error {
        /// A one-sentence description without a final period.
        var message: MessageText
    }

    /// The name of the directory next to the suites.
    static let name = "__snapshots__"

    /// The absolute path of the suite's directory.
    private let parent: String
    /// The name of the directory within ``name``: the name of the suite's file, with a number for further documents.
    private let suite: String
    /// The part of the suite's displayed path before the file name.
    private let shownParent: String
    private let root: String

    /// Creates the directory information of a suite.
    ///
    /// - Parameter root: The absolute path of the directory that file access is confined to.
    init(of suite: Suite, root: String) {
        let parts = suite.path.split(separator: "/", omittingEmptySubsequences: false)
        let file = parts.last.map { String($0) } ?? suite.path
        self.suite = suite.documentIndex == 0 ? file : "\(file).\(suite.documentIndex + 1)"
        shownParent = String(suite.path.dropLast(file.count))
        parent = suite.directory
        self.root = Path.real(root) ?? root
    }

    private var directory: String { "\(parent)/\(Self.name)/\(suite)" }

    /// Returns the path of a file as displayed.
    func shownPath(of file: String) -> String { "\(shownParent)\(Self.name)/\(suite)/\(file)" }

    /// Returns the bytes of a file, or nil if it does not exist.
    func bytes(of file: String, files: FileAccess) throws(Failure) -> [UInt8]? {
        let path = "\(directory)/\(file)"
        var information = stat()
        if lstat(path, &information) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
        do throws(FileAccess.Failure) {
            return try files.read(path, relativeTo: parent)
        } catch {
            throw Failure(message: error.message.replacing(path, with: shownPath(of: file)))
        }
    }

    /// Returns the names of the existing snapshot files, sorted.
    func names() -> [String] {
        guard let handle = opendir(directory) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(cString: $0)
                }
            }
            if !name.hasPrefix("."), Snapshot.fileExtensions.contains(where: { name.hasSuffix(".\($0)") }) {
                names.append(name)
            }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Writes a file atomically: concurrent readers see either the old or the new contents.
    func write(_ bytes: [UInt8], to file: String) throws(Failure) {
        for directory in ["\(parent)/\(Self.name)", directory] {
            if mkdir(directory, 0o777) != 0, errno != EEXIST { throw failure(file) }
            guard let real = Path.real(directory), Path.isInside(real, root) else {
                throw Failure(
                    message: "\"\(shownPath(of: file))\" is outside the project directory; use --file-root to allow it")
            }
        }
        do throws(SystemError) { try FileReplacement.write(bytes, to: "\(directory)/\(file)") } catch {
            throw failure(file, error)
        }
    }

    /// Removes a file, and the directories if they become empty.
    func remove(_ file: String) throws(Failure) {
        guard unlink("\(directory)/\(file)") == 0 || errno == ENOENT else { throw failure(file) }
        // Neither call removes a directory that is not empty.
        if rmdir(directory) == 0 { rmdir("\(parent)/\(Self.name)") }
    }

    private func failure(_ file: String, _ error: SystemError = SystemError()) -> Failure {
        Failure(message: "the file \"\(shownPath(of: file))\" cannot be written: \(error.message)")
    }
}

/// The snapshots next to a suite file, for watch mode.
public enum SnapshotFiles {
    /// Returns the absolute paths of the snapshots of all documents in a suite file.
    ///
    /// - Parameter path: The absolute path of the suite file.
    public static func paths(ofSuiteFile path: String) -> [String] {
        guard let slash = path.lastIndex(of: "/") else { return [] }
        let file = path[path.index(after: slash)...]
        let directory = "\(path[..<slash])/\(SnapshotDirectory.name)"
        return names(in: directory).filter { $0 == file || $0.hasPrefix("\(file).") }.flatMap { suite in
            names(in: "\(directory)/\(suite)").filter { name in
                Snapshot.fileExtensions.contains { name.hasSuffix(".\($0)") }
            }.map { "\(directory)/\(suite)/\($0)" }
        }
    }

    private static func names(in directory: String) -> [String] {
        guard let handle = opendir(directory) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(cString: $0)
                }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
