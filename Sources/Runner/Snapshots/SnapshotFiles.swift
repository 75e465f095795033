import Expectations
import Glibc

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
