import Diagnostics
import YAML

/// A name that an expression uses, and where.
struct NameUse {
    /// When an expression is evaluated, which decides what it may see.
    enum Phase: UInt8 {
        /// Before or beside the exchange.
        case request
        /// After a response, as an operand of a matcher: variables come before the parts of the response.
        case expectation
        /// After a response, in `assert` and `capture`: its parts come before variables of the same names.
        case response
        /// Whenever the variable that holds it is read.
        case variable
    }

    /// The root name.
    var name: String
    /// The root name and the constant selections behind it.
    var path: [String]
    /// When the expression is evaluated.
    var phase: Phase
    /// Whether the name stands for a type of CEL when there is no such variable.
    var isTypeName: Bool
    /// The scalar that holds the expression.
    var node: YAMLNode
    /// Where the name begins in the scalar's text, in Unicode scalars.
    var offset: Int32
    /// How long the name is, in Unicode scalars.
    var length: Int32

    /// The place of the name.
    var range: SourceRange {
        ScalarLocator.range(in: node, from: Int(offset), to: Int(offset) + Int(length))
    }

    /// The place of the name and of the selection behind it, as in `tests.login`.
    var selectionRange: SourceRange {
        guard path.count > 1, let scalars = node.scalar?.text.unicodeScalars else { return range }
        let selection = (name + "." + path[1]).unicodeScalars
        // A selection that is written otherwise, as in `tests["login"]`, is told by its beginning.
        guard scalars.dropFirst(Int(offset)).starts(with: selection) else { return range }
        return ScalarLocator.range(in: node, from: Int(offset), to: Int(offset) + selection.count)
    }
}
