/// A location path in an expression, with the places of its parts in Unicode scalars of the expression.
///
/// The beginning of the path up to the end of a segment is an expression of its own.
struct XPathPath: Sendable, Hashable {
    /// A part of the path.
    struct Segment: Sendable, Hashable {
        /// What the part does.
        enum Kind: Sendable, Hashable {
            /// `/` at the beginning.
            case root
            /// An expression such as `id('x')` or one in parentheses.
            case primary
            /// Goes from nodes to others.
            case step(Step)
            /// Chooses among nodes by an expression in brackets; by position if that is a number.
            case predicate(isPosition: Bool)
        }

        let kind: Kind
        /// Where it begins, behind the slashes before it.
        let start: Int
        let end: Int
    }

    /// A step, without its predicates.
    struct Step: Sendable, Hashable {
        /// What the nodes must be.
        enum Test: Sendable, Hashable {
            /// Of this name; what is nil is any.
            case name(prefix: String?, localName: String?)
            /// Of this kind, such as `text`.
            case nodeType(String)
        }

        /// The name of the axis, also where it was not written.
        let axis: String
        let test: Test
        /// Where the test begins, behind the axis.
        let testStart: Int
        /// Whether `//` stands before it.
        let isBelow: Bool
    }

    let start: Int
    let end: Int
    let segments: [Segment]
}
