import Basics
import Diagnostics
import FileSystem
import YAML

/// A data file that a suite references.
struct FileRequest {
    /// The path as written.
    var path: String
    /// The scalar with the path.
    var node: YAMLNode
    /// The format of the file, if it is specified.
    var format: DataFormat?
    /// The delimiter of a CSV file, if it is specified.
    var delimiter: UInt8?
    /// The columns of a CSV file without a header.
    var columns: [(text: String, node: YAMLNode)]?

    /// Creates a reference to a file.
    init(path: String, node: YAMLNode) {
        self.path = path
        self.node = node
    }

    /// The path for messages, relative to the same directory as that of the suite.
    var shownPath: String {
        let suite = node.file.name
        let isBare = path.hasPrefix("/") || !suite.utf8.contains(UInt8(ascii: "/"))
        return isBare ? path : Path.parent(of: suite) + "/" + path
    }
}

/// The problems of a data file, by byte range.
///
/// The file is loaded as a whole only if there are problems.
struct DataProblems {
    /// A problem.
    struct Problem {
        var id: String
        var message: MessageText
        var bytes: Range<Int>
        /// The line on which the problem starts, from 1, as far as it is known.
        var line: Int
        var suggestion: MessageText?
    }

    /// The maximum number of problems to report for one file.
    private static let maximum = 20
    /// The maximum size in bytes of a file whose lines are shown in messages.
    private static let maximumShownSize = 64 << 20

    private(set) var problems: [Problem] = []
    private(set) var count = 0

    /// Whether enough problems were found to stop the scan.
    var isFull: Bool { count > Self.maximum }

    /// Adds a problem.
    mutating func add(
        _ id: String, _ message: MessageText, _ bytes: Range<Int>, line: Int, suggestion: MessageText? = nil
    ) {
        count += 1
        guard problems.count < Self.maximum else { return }
        problems.append(Problem(id: id, message: message, bytes: bytes, line: line, suggestion: suggestion))
    }

    /// Reports the problems.
    func report(_ request: FileRequest, absolutePath: String, size: Int64, in context: LoadContext) {
        let named = Diagnostic.Related(message: "the data file is used here", range: request.node.range)
        var file: SourceFile?
        if size <= Int64(Self.maximumShownSize), let text = try? File.bytes(at: absolutePath) {
            file = SourceFile(name: request.shownPath, text: text)
        }
        for problem in problems {
            guard let file else {
                context.report(
                    problem.id, "\(request.shownPath), line \(problem.line): \(problem.message)", request.node.range,
                    suggestion: problem.suggestion)
                continue
            }
            context.report(
                problem.id, problem.message, SourceRange(file: file, bytes: problem.bytes), related: [named],
                suggestion: problem.suggestion)
        }
        if isFull {
            context.report(
                "invalid-data", "more problems in \(request.shownPath) are not shown", request.node.range)
        }
    }
}

/// Detects byte order marks of data files.
enum DataEncoding {
    /// Returns the offset of the text after a UTF-8 byte order mark, and reports a problem for other encodings.
    static func start(of bytes: [UInt8], problems: inout DataProblems) -> Int {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return 3 }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            problems.add(
                "invalid-encoding", "the file is encoded in UTF-16", 0..<0, line: 1, suggestion: "save it as UTF-8")
        }
        return 0
    }
}
