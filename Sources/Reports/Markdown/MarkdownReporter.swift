import FileSystem
import Output
import RunModel
import RunRecord

/// A reporter of Markdown for pull request comments and wikis, limited to 60 KB with the most important content first.
typealias MarkdownReporter = DocumentReporter<MarkdownDocument>

extension MarkdownReporter {
    /// Creates a reporter and checks that its report can be written.
    ///
    /// - Parameters:
    ///   - path: The path of the report. Missing directories are created.
    ///   - board: The trends of previous runs, provided by the history reporter.
    /// - Throws: ``ReportError`` if the path is not writable.
    convenience init(path: String, board: TrendBoard? = nil) throws(ReportError) {
        self.init(
            MarkdownDocument(
                page: MarkdownPage(root: SystemInfo.workingDirectory, board: board), file: try ReportFile(path: path)))
    }
}

/// A Markdown page and its output file.
struct MarkdownDocument: ReportDocument, ~Copyable {
    /// The maximum number of bytes of a report.
    ///
    /// A GitHub comment has at most 65,536 characters.
    static let limit = 60_000

    var page: MarkdownPage
    var file: ReportFile

    mutating func receive(_ event: RunEvent, sizes: BodySizes) { page.receive(event, sizes: sizes) }

    mutating func add(_ test: FinishedTest, hidesExchanges: Bool) {
        page.add(test.resultForDetails(hidesExchanges: hidesExchanges), sizes: test.sizes)
    }

    mutating func finish() throws(ReportError) {
        try file.publish([.bytes(Array(page.text(limit: Self.limit).utf8))])
    }
}
