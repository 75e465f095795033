import Output
import RunModel
import RunRecord

/// The report in Markdown, for comments on pull requests and for wikis: at most 60 KB, the most telling first.
typealias MarkdownReporter = DocumentReporter<MarkdownDocument>

extension MarkdownReporter {
    /// Creates a reporter, and makes sure that its report can be written.
    ///
    /// - Parameters:
    ///   - path: Where the report goes; folders that do not exist are created.
    ///   - board: Where the history leaves what earlier runs tell.
    /// - Throws: ``ReportError`` when the path cannot be written.
    convenience init(path: String, board: TrendBoard? = nil) throws(ReportError) {
        self.init(
            MarkdownDocument(
                page: MarkdownPage(root: SystemFacts.workingFolder, board: board), file: try ReportFile(path: path)))
    }
}

/// A page in Markdown and the file that it goes to.
struct MarkdownDocument: ReportDocument, ~Copyable {
    /// The most bytes of a report; a comment on GitHub takes 65,536 characters.
    static let limit = 60_000

    var page: MarkdownPage
    var file: ReportFile

    mutating func receive(_ event: RunEvent, sizes: BodySizes) { page.receive(event, sizes: sizes) }

    mutating func add(_ test: FinishedTest, hidesExchanges: Bool) {
        page.add(test.resultForAccount(hidesExchanges: hidesExchanges), sizes: test.sizes)
    }

    mutating func finish() throws(ReportError) {
        try file.publish([.bytes(Array(page.text(limit: Self.limit).utf8))])
    }
}
