import Output
import RunModel
import RunRecord

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The report for GitHub Actions: annotations on standard output, and the step's summary in Markdown.
typealias GitHubReporter = DocumentReporter<GitHubDocument>

extension GitHubReporter {
    /// Creates a reporter, and makes sure that the summary can be written.
    ///
    /// - Parameters:
    ///   - path: Where the summary goes in place of the step's file; nil for the file that `GITHUB_STEP_SUMMARY` names.
    ///   - environment: The process's environment; annotations' paths are relative to `GITHUB_WORKSPACE` in it.
    ///   - board: Where the history leaves what earlier runs tell.
    ///   - output: Takes annotations, in whole lines.
    /// - Throws: ``ReportError`` when the summary cannot be written.
    convenience init(
        path: String?, environment: [String: String], board: TrendBoard? = nil,
        output: @escaping @Sendable (String) -> Void
    ) throws(ReportError) {
        var root = environment["GITHUB_WORKSPACE"] ?? ""
        while root.utf8.count > 1, root.utf8.last == UInt8(ascii: "/") { root.removeLast() }
        if root.isEmpty { root = SystemFacts.workingFolder }
        var step: StepSummary?
        var file: ReportFile?
        if let path {
            file = try ReportFile(path: path)
        } else if let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
            step = try StepSummary(path: path)
        }
        self.init(
            GitHubDocument(
                page: MarkdownPage(root: root, board: board), annotations: GitHubAnnotations(root: root), step: step,
                file: file, output: output))
    }
}

/// The annotations of a run and its step's summary in the making.
struct GitHubDocument: ReportDocument, ~Copyable {
    /// A summary shorter than this says nothing.
    private static let leastRoom = 1_000

    var page: MarkdownPage
    var annotations: GitHubAnnotations
    /// Where the summary goes: to the step's file or to one of its own.
    let step: StepSummary?
    var file: ReportFile?
    let output: @Sendable (String) -> Void

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        page.receive(event, sizes: sizes)
        annotations.receive(event)
    }

    mutating func add(_ test: FinishedTest, hidesExchanges: Bool) {
        let result = test.resultForAccount(hidesExchanges: hidesExchanges)
        page.add(result, sizes: test.sizes)
        if result.outcome != .passed { annotations.receive(.testFinished(result)) }
    }

    /// Writes the annotations, then the summary.
    mutating func finish() throws(ReportError) {
        output(annotations.lines)
        if let step {
            let room = step.room
            if room >= Self.leastRoom {
                try step.append(page.text(limit: room))
            } else {
                output("The step's summary is full: the results are not in it.\n")
            }
        }
        try file?.publish([.bytes(Array(page.text(limit: StepSummary.limit).utf8))])
    }
}

/// The file to which a step of GitHub Actions appends what the page of its run shows.
struct StepSummary {
    /// The most bytes of a step's summary: of a larger one GitHub shows nothing.
    static let limit = 1 << 20

    private let path: String

    /// Makes sure that the file can be appended to.
    init(path: String) throws(ReportError) {
        self.path = path
        do { _ = try FileHandle(path: path, flags: O_WRONLY | O_APPEND | O_CREAT) } catch {
            throw Self.error(path, error.number)
        }
    }

    /// The bytes that may still be appended.
    var room: Int {
        var status = stat()
        // A line break comes before what is appended.
        return stat(path, &status) == 0 ? max(0, Self.limit - Int(status.st_size) - 2) : Self.limit - 2
    }

    /// Appends a text.
    func append(_ text: String) throws(ReportError) {
        do {
            let file = try FileHandle(path: path, flags: O_WRONLY | O_APPEND | O_CREAT)
            // In one piece, as other programs of the step may write too.
            try file.write(Array("\n".utf8) + Array(text.utf8))
        } catch {
            throw Self.error(path, error.number)
        }
    }

    private static func error(_ path: String, _ number: Int32) -> ReportError {
        ReportError(
            path: path, message: "cannot write the step's summary \(path): \(SystemFacts.message(of: number))")
    }
}
