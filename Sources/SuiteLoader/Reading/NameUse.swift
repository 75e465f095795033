import Basics
import Diagnostics
import YAML

/// A use of a name in an expression.
struct NameUse {
    /// The phase in which an expression is evaluated, which determines the visible names.
    enum Phase: UInt8 {
        /// Before or independently of the exchange.
        case request
        /// After a response, as an operand of a matcher: variables take precedence over the parts of the response.
        case expectation
        /// After a response, in `assert` and `capture`: the parts of the response take precedence over variables.
        case response
        /// Whenever the variable that contains the expression is read.
        case variable
    }

    /// The time of a use, relative to the captures of the same step or WebSocket element.
    enum Moment: Equatable {
        /// Before any of them, as in the request, in `if`, and in `until`.
        case beforeCaptures
        /// In the capture at an index, which sees those before it.
        case duringCapture(Int32)
        /// After all of them, as in `expect` and `assert`.
        case afterCaptures
    }

    /// The name.
    var name: String
    /// The name and the constant selections after it.
    var path: [String]
    /// The phase in which the expression is evaluated.
    var phase: Phase
    /// The time of the use, relative to the captures of the same step.
    var moment: Moment
    /// Whether the name denotes a CEL type unless a variable has the same name.
    var isTypeName: Bool
    /// The scalar that contains the expression.
    var node: YAMLNode
    /// The start of the name in the scalar's text, in Unicode scalars.
    var offset: Int32
    /// The length of the name in Unicode scalars.
    var length: Int32
    /// The error of a call, if the name is the first part of the name of its function unless a variable has that name.
    var misreadCall: MessageText?

    /// The source range of the name.
    var range: SourceRange {
        ScalarLocator.range(in: node, from: Int(offset), to: Int(offset) + Int(length))
    }

    /// The source range of the name and the selection after it, as in `tests.login`.
    var selectionRange: SourceRange {
        guard path.count > 1, let scalars = node.scalar?.text.unicodeScalars else { return range }
        let selection = (name + "." + path[1]).unicodeScalars
        // For other notations of the selection, as in `tests["login"]`, only the name is returned.
        guard scalars.dropFirst(Int(offset)).starts(with: selection) else { return range }
        return ScalarLocator.range(in: node, from: Int(offset), to: Int(offset) + selection.count)
    }
}
