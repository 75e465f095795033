import FileSystem
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

/// The reporter for GitHub Actions: annotations on standard output, and a job summary in Markdown.
typealias GitHubReporter = DocumentReporter<GitHubDocument>

extension GitHubReporter {
    /// Creates a reporter and checks that the summary is writable.
    ///
    /// - Parameters:
    ///   - path: The path of the summary, or `nil` for the file that `GITHUB_STEP_SUMMARY` names.
    ///   - environment: The environment of the process. Paths of annotations are relative to its `GITHUB_WORKSPACE`.
    ///   - board: The trends of previous runs, provided by the history reporter.
    ///   - output: Writes annotations, which consist of whole lines.
    /// - Throws: ``ReportError`` if the summary is not writable.
    convenience init(
        path: String?, environment: [String: String], board: TrendBoard? = nil,
        output: @escaping @Sendable (String) -> Void
    ) throws(ReportError) {
        var root = environment["GITHUB_WORKSPACE"] ?? ""
        while root.utf8.count > 1, root.utf8.last == UInt8(ascii: "/") { root.removeLast() }
        if root.isEmpty { root = SystemInfo.workingDirectory }
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

/// The annotations and the job summary of a run.
struct GitHubDocument: ReportDocument, ~Copyable {
    /// The minimum size in bytes of a useful summary.
    private static let minimumRoom = 1_000

    var page: MarkdownPage
    var annotations: GitHubAnnotations
    /// The step's summary file, if the summary goes there and not to a separate file.
    let step: StepSummary?
    var file: ReportFile?
    let output: @Sendable (String) -> Void

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        page.receive(event, sizes: sizes)
        annotations.receive(event)
    }

    mutating func add(_ test: FinishedTest, hidesExchanges: Bool) {
        let result = test.resultForDetails(hidesExchanges: hidesExchanges)
        page.add(result, sizes: test.sizes)
        if result.outcome != .passed { annotations.receive(.testFinished(result)) }
    }

    /// Writes the annotations and then the summary.
    mutating func finish() throws(ReportError) {
        output(annotations.lines)
        if let step {
            let room = step.room
            if room >= Self.minimumRoom {
                try step.append(page.text(limit: room))
            } else {
                output("the step summary is full: the results were not added to it\n")
            }
        }
        try file?.publish([.bytes(Array(page.text(limit: StepSummary.limit).utf8))])
    }
}

/// The file to which a GitHub Actions step appends its part of the job summary.
struct StepSummary {
    /// The maximum size of a summary in bytes.
    ///
    /// GitHub shows nothing of a larger one.
    static let limit = 1 << 20

    private let path: String

    /// Creates a summary and checks that its file can be appended to.
    init(path: String) throws(ReportError) {
        self.path = path
        do { _ = try FileHandle(path: path, flags: O_WRONLY | O_APPEND | O_CREAT) } catch {
            throw Self.error(path, error.number)
        }
    }

    /// The number of bytes that can still be appended.
    var room: Int {
        var status = stat()
        // A line break precedes the appended text.
        return stat(path, &status) == 0 ? max(0, Self.limit - Int(status.st_size) - 2) : Self.limit - 2
    }

    /// Appends text to the summary.
    func append(_ text: String) throws(ReportError) {
        do {
            let file = try FileHandle(path: path, flags: O_WRONLY | O_APPEND | O_CREAT)
            // A single write, because other programs of the step may write too.
            try file.write(Array("\n".utf8) + Array(text.utf8))
        } catch {
            throw Self.error(path, error.number)
        }
    }

    private static func error(_ path: String, _ number: Int32) -> ReportError {
        ReportError(
            path: path, message: "cannot write the step summary \"\(path)\": \(SystemInfo.message(of: number))")
    }
}
