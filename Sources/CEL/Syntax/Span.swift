/// A part of an expression, in Unicode scalars.
struct Span: Sendable, Hashable {
    var offset: Int32
    var length: Int32
}
