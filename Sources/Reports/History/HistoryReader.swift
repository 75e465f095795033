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
    static func trends(
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
