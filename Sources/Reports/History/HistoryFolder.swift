#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder with the results of past runs, a file for each; runs at the same time may share it.
struct HistoryFolder {
    /// The path as it was given.
    let path: String

    /// Creates access to a folder.
    init(path: String) {
        var path = path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        self.path = path
    }

    /// The path of a file.
    func path(of name: HistoryFileName) -> String { path + "/" + name.text }

    /// The files, in the order in which their runs began.
    ///
    /// - Throws: ``ReportError`` when the folder cannot be read.
    func names() throws(ReportError) -> [HistoryFileName] {
        guard let folder = opendir(path) else { throw error(errno) }
        defer { closedir(folder) }
        var names: [HistoryFileName] = []
        while let entry = readdir(folder) {
            let text = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let name = HistoryFileName(text) { names.append(name) }
        }
        return names.sorted { $0.text < $1.text }
    }

    /// Removes the oldest files, so that not more than some of each part of a run are left.
    func keep(_ count: Int) {
        guard let names = try? names() else { return }
        var kept: [String: Int] = [:]
        for name in names.reversed() {
            kept[name.shard, default: 0] += 1
            // Another run may have removed it already.
            if kept[name.shard, default: 0] > count { unlink(path(of: name)) }
        }
    }

    private func error(_ number: Int32) -> ReportError {
        ReportError(path: path, message: "cannot read the history in \(path): \(SystemFacts.message(of: number))")
    }
}
