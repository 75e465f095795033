import Diagnostics
import FileSystem
import SuiteModel
import YAML

/// The rows of a test, as far as they are known before expressions are evaluated.
struct DataDraft {
    /// An expression that gives rows, or the values of an axis.
    struct Computed {
        var expression: EmbeddedExpression
        /// The names that it uses, a range of ``LoadContext/uses``.
        var uses: Range<Int>
    }

    /// Values that are crossed with those of other axes.
    struct Axis {
        var name: String
        var range: SourceRange
        var values: [ValueTemplate]
        /// What gives the values, when they do not stand there.
        var computed: Computed?
    }

    /// A combination that `exclude` or `include` names.
    struct Combination {
        var members: [(name: String, value: ValueTemplate, range: SourceRange)]
        var range: SourceRange
    }

    /// What `matrix` says.
    struct Matrix {
        var axes: [Axis] = []
        var excluded: [Combination] = []
        var included: [Combination] = []
    }

    /// Where rows come from.
    enum Source {
        /// Rows that are known.
        case rows(RowSource)
        /// Rows that an expression gives.
        case computed(Computed)
        /// Lists that are crossed.
        case matrix(Matrix)
    }

    /// Where the rows come from, the slowest source first.
    var sources: [Source] = []
    /// The columns that are known, as indices of ``SuiteScope/variables``.
    var columns: [Int] = []
    /// Whether there may be further columns, since the rows could not be read.
    var hasUnknownColumns = false
    /// The name of the test, when it holds expressions.
    var name: Template?
    /// The names that ``name`` uses, a range of ``LoadContext/uses``.
    var nameUses = 0..<0
    /// The place of `cases`, `matrix` or `repeat`.
    var range: SourceRange
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
