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
