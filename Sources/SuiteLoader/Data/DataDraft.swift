import Diagnostics
import FileSystem
import SuiteModel
import YAML

/// The rows of a test as far as they are known before any expression is evaluated.
struct DataDraft {
    /// An expression for rows, or for the values of an axis.
    struct Computed {
        var expression: EmbeddedExpression
        /// The names that the expression uses, as a range of ``LoadContext/uses``.
        var uses: Range<Int>
    }

    /// An axis of a matrix.
    struct Axis {
        var name: String
        var range: SourceRange
        var values: [ValueTemplate]
        /// The expression for the values, if they are not literal.
        var computed: Computed?
    }

    /// A combination under `exclude` or `include`.
    struct Combination {
        var members: [(name: String, value: ValueTemplate, range: SourceRange)]
        var range: SourceRange
    }

    /// The value of `matrix`.
    struct Matrix {
        var axes: [Axis] = []
        var excluded: [Combination] = []
        var included: [Combination] = []
    }

    /// The rows of `generate`.
    struct Generated {
        /// A column.
        struct Column {
            var name: String
            /// The value of `schema`.
            var schema: YAMLNode
            var compiled: CompiledSchema
            var isInvalid: Bool
        }

        var columns: [Column] = []
        var count: Templated<Int> = .constant(CasesKey.defaultCount)
        var seed: Templated<Int> = .constant(0)
        /// The names that `count` and `seed` use, as a range of ``LoadContext/uses``.
        var uses = 0..<0
        var range: SourceRange
    }

    /// A source of rows.
    enum Source {
        /// Rows that are known.
        case rows(RowSource)
        /// Rows from an expression.
        case computed(Computed)
        /// Rows with generated values.
        case generated(Generated)
        /// The Cartesian product of the axes of a matrix.
        case matrix(Matrix)
    }

    /// The sources of the rows, slowest first.
    var sources: [Source] = []
    /// The known columns, as indices of ``SuiteScope/variables``.
    var columns: [Int] = []
    /// Whether there may be further columns, because the rows could not be read.
    var hasUnknownColumns = false
    /// The name of the test, if it contains expressions.
    var name: Template?
    /// The names that ``name`` uses, as a range of ``LoadContext/uses``.
    var nameUses = 0..<0
    /// The source range of `cases`, `matrix`, or `repeat`.
    var range: SourceRange
}
