import Basics
import Diagnostics
import FileSystem
public import Output

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A directory with the results of past runs, one file per run.
///
/// Concurrent runs can share it.
package struct HistoryDirectory {
    /// The path as given by the user.
    package let path: String

    /// Creates a history in a directory.
    package init(path: String) {
        var path = path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        self.path = path
    }

    /// Returns the path of a file.
    package func path(of name: HistoryFileName) -> String { path + "/" + name.text }

    /// Returns the names of the files, in the order in which their runs started.
    ///
    /// - Throws: ``ReportError`` if the directory cannot be read.
    package func names() throws(ReportError) -> [HistoryFileName] {
        guard let directory = opendir(path) else { throw error(errno) }
        defer { closedir(directory) }
        var names: [HistoryFileName] = []
        while let entry = readdir(directory) {
            let text = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let name = HistoryFileName(text) { names.append(name) }
        }
        return names.sorted { $0.text < $1.text }
    }

    /// Removes the oldest files beyond a maximum number for each shard.
    package func keep(_ count: Int) {
        guard let names = try? names() else { return }
        var kept: [String: Int] = [:]
        for name in names.reversed() {
            kept[name.shard, default: 0] += 1
            // Another run may already have removed the file.
            if kept[name.shard, default: 0] > count { unlink(path(of: name)) }
        }
    }

    private func error(_ number: Int32) -> ReportError {
        ReportError(
            id: .reading(isMissing: number == ENOENT), path: path,
            message: "cannot read the history in \"\(path)\": \(SystemInfo.message(of: number))")
    }
}

/// The name of a file with the results of one run, such as `20231114T221320.250Z-0123456789ab.apitest-run`.
///
/// Names sort by the start of their runs. The name of a shard contains its number, so that shards are kept for as many
/// runs as complete runs are.
package struct HistoryFileName: Hashable {
    /// The suffix of every name.
    private static let ending = ".apitest-run"

    /// The complete name.
    package let text: String
    /// The shard of the run, such as `2of5`, or an empty string for a run of all tests.
    package let shard: String

    /// Creates the file name of a run.
    ///
    /// - Parameters:
    ///   - start: Seconds since 1970-01-01T00:00:00Z.
    ///   - shard: The shard of the run, such as `2/5`.
    ///   - id: A word that is unique among runs with the same start time.
    package init(start: Double, shard: String?, id: String) {
        let clamped = start.isFinite ? min(max(0, start), 253_402_300_799) : 0
        let time = Timestamp.text(clamped).filter { $0 != "-" && $0 != ":" }
        let thousandths = String(Int((clamped - clamped.rounded(.down)) * 1_000))
        self.shard = (shard ?? "").split(separator: "/").joined(separator: "of").filter { $0.isLetter || $0.isNumber }
        text =
            time + "." + String(repeating: "0", count: max(0, 3 - thousandths.utf8.count)) + thousandths + "Z-" + id
            + (self.shard.isEmpty ? "" : "-" + self.shard) + Self.ending
    }

    /// Parses a file name, or returns `nil` for a file that does not belong to the history.
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

/// A reader of the trends of runs in a history directory.
public enum HistoryReader {
    /// Returns the trends of all runs in a directory.
    ///
    /// - Throws: ``ReportError`` if the directory cannot be read or has no runs.
    public static func trends(ofDirectory path: String) throws(ReportError) -> Trends {
        let directory = HistoryDirectory(path: path)
        let names = try directory.names()
        let trends = trends(of: names, in: directory, onlyLastRun: false)
        if trends.runs == 0 {
            let files = NumberText.count(names.count, "file")
            throw ReportError(
                id: .noRuns, path: path,
                message: names.isEmpty
                    ? "no runs in \"\(path)\": record runs with \"apitest run --history \(path)\""
                    : "no runs in \"\(path)\": cannot read \(files)")
        }
        return trends
    }

    /// Returns the trends up to a run, for its reports.
    ///
    /// - Parameter stripLength: The maximum number of recent outcomes to keep per test, or 0 for none.
    package static func trends(
        upTo name: HistoryFileName, in directory: HistoryDirectory, stripLength: Int = 0
    ) -> Trends {
        // Concurrent runs may have started later. They do not precede this run.
        let names = ((try? directory.names()) ?? []).filter { $0.text < name.text } + [name]
        return trends(of: names, in: directory, onlyLastRun: true, stripLength: stripLength)
    }

    /// Reads files one at a time, and keeps only a few numbers of each.
    private static func trends(
        of names: [HistoryFileName], in directory: HistoryDirectory, onlyLastRun: Bool, stripLength: Int = 0
    ) -> Trends {
        var table = TrendTable(stripLength: stripLength)
        var unreadable = 0
        for name in names {
            // Another run with a smaller limit may have removed the file since the directory was read.
            guard let bytes = try? FileHandle.bytes(ofFile: directory.path(of: name)) else { continue }
            if !table.add(bytes) { unreadable += 1 }
        }
        var trends = Trends(table, onlyLastRun: onlyLastRun, unreadable: unreadable)
        if stripLength > 0 { trends.table = table }
        return trends
    }
}
