import Diagnostics
import FileSystem
import YAML

/// A file of rows that a suite names.
struct FileRequest {
    /// The path as written.
    var path: String
    /// The scalar that holds it.
    var node: YAMLNode
    /// How the file is written, when that is said.
    var format: DataFormat?
    /// The byte between the fields of a CSV file, when that is said.
    var delimiter: UInt8?
    /// The columns of a CSV file without a header.
    var columns: [(text: String, node: YAMLNode)]?

    /// Names a file.
    init(path: String, node: YAMLNode) {
        self.path = path
        self.node = node
    }

    /// The path as it is shown: from where the suite's own is shown.
    var shownPath: String {
        let suite = node.file.name
        let isBare = path.hasPrefix("/") || !suite.utf8.contains(UInt8(ascii: "/"))
        return isBare ? path : Path.parent(of: suite) + "/" + path
    }
}

/// What is wrong with a file of rows, by the places of its bytes.
///
/// The file is read as a whole only when something is wrong with it.
struct DataProblems {
    /// A problem.
    struct Problem {
        var id: String
        var message: String
        var bytes: Range<Int>
        /// The line on which it begins, from 1, as far as it is known.
        var line: Int
        var suggestion: String?
    }

    /// The most problems that are reported of one file.
    private static let most = 20
    /// The largest file of which lines are shown.
    private static let largestShown = 64 << 20

    private(set) var problems: [Problem] = []
    private(set) var count = 0

    /// Whether so many problems were found that looking further is of no use.
    var isFull: Bool { count > Self.most }

    /// Adds a problem.
    mutating func add(_ id: String, _ message: String, _ bytes: Range<Int>, line: Int, suggestion: String? = nil) {
        count += 1
        guard problems.count < Self.most else { return }
        problems.append(Problem(id: id, message: message, bytes: bytes, line: line, suggestion: suggestion))
    }

    /// Reports the problems.
    func report(_ request: FileRequest, absolutePath: String, size: Int64, in context: LoadContext) {
        let named = Diagnostic.Related(message: "the file is named here", range: request.node.range)
        var file: SourceFile?
        if size <= Int64(Self.largestShown), let text = try? File.bytes(at: absolutePath) {
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
                "invalid-data", "\(request.shownPath) has further problems, which are not shown", request.node.range)
        }
    }
}

/// Byte order marks of files of rows.
enum DataEncoding {
    /// Where the text begins: behind a byte order mark of UTF-8. Other encodings are a problem.
    static func start(of bytes: [UInt8], problems: inout DataProblems) -> Int {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return 3 }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            problems.add(
                "invalid-encoding", "the file is written in UTF-16", 0..<0, line: 1, suggestion: "save it as UTF-8")
        }
        return 0
    }
}
