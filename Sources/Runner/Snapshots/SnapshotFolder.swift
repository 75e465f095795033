import Expectations
import FileSystem
import Glibc
import SuiteModel

/// The folder that a suite's snapshots are in: `__snapshots__/SUITEFILE` beside the suite.
struct SnapshotFolder: Sendable {
    /// Why a file cannot be used.
    struct Failure: Error {
        /// One sentence without a final full stop.
        var message: String
    }

    /// The name of the folder beside the suites.
    static let name = "__snapshots__"

    /// The suite's folder, absolute.
    private let parent: String
    /// The folder's name in ``name``: the suite file's name; a further document of the file has its number behind it.
    private let suite: String
    /// What the path of the suite that people are shown has before the file's name.
    private let shownParent: String
    private let root: String

    /// The folder of a suite.
    ///
    /// - Parameter root: The folder that file access stays in, absolute.
    init(of suite: Suite, root: String) {
        let parts = suite.path.split(separator: "/", omittingEmptySubsequences: false)
        let file = parts.last.map { String($0) } ?? suite.path
        self.suite = suite.documentIndex == 0 ? file : "\(file).\(suite.documentIndex + 1)"
        shownParent = String(suite.path.dropLast(file.count))
        parent = suite.folder
        self.root = Path.real(root) ?? root
    }

    private var folder: String { "\(parent)/\(Self.name)/\(suite)" }

    /// The path of a file that people are shown.
    func shownPath(of file: String) -> String { "\(shownParent)\(Self.name)/\(suite)/\(file)" }

    /// The bytes of a file, or nil when there is none.
    func bytes(of file: String, files: FileAccess) throws(Failure) -> [UInt8]? {
        let path = "\(folder)/\(file)"
        var information = stat()
        if lstat(path, &information) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
        do throws(FileAccess.Failure) {
            return try files.read(path, relativeTo: parent)
        } catch {
            throw Failure(message: error.message.replacing(path, with: shownPath(of: file)))
        }
    }

    /// The files of snapshots that are there, sorted.
    func names() -> [String] {
        guard let handle = opendir(folder) else { return [] }
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

    /// Writes a file as a whole: who reads it meanwhile sees the old one or the new one.
    func write(_ bytes: [UInt8], to file: String) throws(Failure) {
        for folder in ["\(parent)/\(Self.name)", folder] {
            if mkdir(folder, 0o777) != 0, errno != EEXIST { throw failure(file) }
            guard let real = Path.real(folder), Path.isInside(real, root) else {
                throw Failure(
                    message: "\(shownPath(of: file)) is outside of the project folder; --file-root widens it")
            }
        }
        do throws(SystemError) { try FileReplacement.write(bytes, to: "\(folder)/\(file)") } catch {
            throw failure(file, error)
        }
    }

    /// Removes a file, and the folders that it leaves empty.
    func remove(_ file: String) throws(Failure) {
        guard unlink("\(folder)/\(file)") == 0 || errno == ENOENT else { throw failure(file) }
        // Neither goes while there is something in it.
        if rmdir(folder) == 0 { rmdir("\(parent)/\(Self.name)") }
    }

    private func failure(_ file: String, _ error: SystemError = SystemError()) -> Failure {
        Failure(message: "\(shownPath(of: file)) cannot be written: \(error.message)")
    }
}

/// The snapshots that lie beside a suite file, for watching.
public enum SnapshotFiles {
    /// The absolute paths of the snapshots of all documents of a suite file.
    ///
    /// - Parameter path: The suite file's absolute path.
    public static func paths(ofSuiteFile path: String) -> [String] {
        guard let slash = path.lastIndex(of: "/") else { return [] }
        let file = path[path.index(after: slash)...]
        let folder = "\(path[..<slash])/\(SnapshotFolder.name)"
        return names(in: folder).filter { $0 == file || $0.hasPrefix("\(file).") }.flatMap { suite in
            names(in: "\(folder)/\(suite)").filter { name in
                Snapshot.fileExtensions.contains { name.hasSuffix(".\($0)") }
            }.map { "\(folder)/\(suite)/\($0)" }
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
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
