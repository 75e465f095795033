import Basics
public import Output

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder with the results of past runs, a file for each; runs at the same time may share it.
package struct HistoryFolder {
    /// The path as it was given.
    package let path: String

    /// Creates access to a folder.
    package init(path: String) {
        var path = path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        self.path = path
    }

    /// The path of a file.
    package func path(of name: HistoryFileName) -> String { path + "/" + name.text }

    /// The files, in the order in which their runs began.
    ///
    /// - Throws: ``ReportError`` when the folder cannot be read.
    package func names() throws(ReportError) -> [HistoryFileName] {
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
    package func keep(_ count: Int) {
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

/// The name of a file that holds the results of one run: `20231114T221320.250Z-0123456789ab.apitest-run`.
///
/// Names sort as the runs began. A part of a run has its number in it, so that parts are kept as long as whole runs are.
package struct HistoryFileName: Hashable {
    /// What every name ends in.
    private static let ending = ".apitest-run"

    /// The whole name.
    package let text: String
    /// The part of the tests that the run took, as in `2of5`; empty for all.
    package let shard: String

    /// Makes the name for a run.
    ///
    /// - Parameters:
    ///   - start: Seconds since 1970-01-01T00:00:00Z.
    ///   - shard: The part of the tests, as in `2/5`.
    ///   - id: A word that no run of the same moment has.
    package init(start: Double, shard: String?, id: String) {
        let clamped = start.isFinite ? min(max(0, start), 253_402_300_799) : 0
        let time = Timestamp.text(clamped).filter { $0 != "-" && $0 != ":" }
        let thousandths = String(Int((clamped - clamped.rounded(.down)) * 1_000))
        self.shard = (shard ?? "").split(separator: "/").joined(separator: "of").filter { $0.isLetter || $0.isNumber }
        text =
            time + "." + String(repeating: "0", count: max(0, 3 - thousandths.utf8.count)) + thousandths + "Z-" + id
            + (self.shard.isEmpty ? "" : "-" + self.shard) + Self.ending
    }

    /// Reads a name; nil for that of another file, which is none of the history's business.
    package init?(_ text: String) {
        guard text.hasSuffix(Self.ending) else { return nil }
        let parts = text.dropLast(Self.ending.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let time = parts.first,
            time.utf8.count == 20, time.utf8.last == UInt8(ascii: "Z"),
            time.utf8.prefix(8).allSatisfy(ASCII.isDigit)
        else { return nil }
        self.text = text
        shard = parts.count == 3 ? String(parts[2]) : ""
    }
}

/// Reads the trends of the runs that a folder of the history holds.
public enum HistoryReader {
    /// The trends of all runs of a folder.
    ///
    /// - Throws: ``ReportError`` when the folder cannot be read or holds no runs.
    public static func trends(ofFolder path: String) throws(ReportError) -> Trends {
        let folder = HistoryFolder(path: path)
        let names = try folder.names()
        let trends = trends(of: names, in: folder, onlyLastRun: false)
        if trends.runs == 0 {
            let files = names.count == 1 ? "the file of one" : "the files of \(names.count) runs"
            throw ReportError(
                path: path,
                message: names.isEmpty
                    ? "there are no runs in \(path); \"apitest run --history \(path)\" keeps them"
                    : "\(files) in \(path) cannot be read")
        }
        return trends
    }

    /// The trends up to a run, for its reports.
    ///
    /// - Parameter stripLength: The last verdicts of each test that are kept; 0 for none.
    package static func trends(
        upTo name: HistoryFileName, in folder: HistoryFolder, stripLength: Int = 0
    ) -> Trends {
        // Runs at the same time may have begun later; they belong to no run before this one.
        let names = ((try? folder.names()) ?? []).filter { $0.text < name.text } + [name]
        return trends(of: names, in: folder, onlyLastRun: true, stripLength: stripLength)
    }

    /// Reads files one after another: of each only some numbers stay.
    private static func trends(
        of names: [HistoryFileName], in folder: HistoryFolder, onlyLastRun: Bool, stripLength: Int = 0
    ) -> Trends {
        var table = TrendTable(stripLength: stripLength)
        var unreadable = 0
        for name in names {
            // A file may be gone that was there when the folder was read: another run keeps fewer.
            guard let bytes = try? FileHandle.bytes(ofFile: folder.path(of: name)) else { continue }
            if !table.add(bytes) { unreadable += 1 }
        }
        var trends = Trends(table, onlyLastRun: onlyLastRun, unreadable: unreadable)
        if stripLength > 0 { trends.table = table }
        return trends
    }
}
