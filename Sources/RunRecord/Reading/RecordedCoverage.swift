public import RunModel

/// What recorded runs have exercised of the descriptions that their suites were held against.
public struct RecordedCoverage: Sendable {
    /// The coverage of each description, that of all records added up, in the order in which descriptions come first.
    public private(set) var coverages: [ContractCoverage] = []
    /// What is to be said of records of which nothing counts.
    public private(set) var notes: [RunNotice] = []

    /// Reads records, each once.
    ///
    /// - Parameter paths: The records; `-` is standard input.
    /// - Throws: Why a record cannot be read.
    public init(of paths: [String]) throws(RecordError) {
        var all: [ContractCoverage] = []
        for path in paths {
            guard let summary = try Self.summary(of: path) else {
                // The coverage stands in the last line.
                notes.append(
                    RunNotice(
                        severity: .warning,
                        message: "\(Self.shown(path)) ends before its run did: its exchanges count nowhere"))
                continue
            }
            if summary.coverages.isEmpty {
                notes.append(
                    RunNotice(severity: .warning, message: "\(Self.shown(path)): no suite of the run had a contract"))
            }
            all += summary.coverages
        }
        coverages = ContractCoverage.merged(all)
    }

    /// How a record's run ended; nil when the record breaks off.
    private static func summary(of path: String) throws(RecordError) -> RunSummary? {
        var reader = try RecordReader(path: path)
        var result: RunSummary?
        var hasLines = false
        while let line = try reader.next() {
            hasLines = true
            if case .event(.runFinished(let summary), _, _) = line.content { result = summary }
        }
        guard hasLines else {
            throw RecordError(path: path, message: "\(shown(path)) is no record of a run: it is empty")
        }
        return result
    }

    private static func shown(_ path: String) -> String { path == "-" ? "standard input" : "\"\(path)\"" }
}
