/// An evaluation with the values that led to its result.
public struct CELExplanation: Sendable {
    /// A part of the expression and its value.
    public struct Part: Sendable {
        /// The part's source text.
        public let source: String
        /// Where it begins in the expression, in Unicode scalars.
        public let offset: Int
        /// How long it is, in Unicode scalars.
        public let length: Int
        /// Its value.
        public let value: CELValue
    }

    /// The element that decided an `all` (the first that does not hold) or an `exists` (the first that holds).
    public struct Element: Sendable {
        /// The macro's name, `all` or `exists`.
        public let macro: String
        /// The variable that stands for the element.
        public let variable: String
        /// The element's index in the list, or its key in the map.
        public let key: CELValue
        /// The element.
        public let value: CELValue
        /// Where the macro call begins in the expression, in Unicode scalars.
        public let offset: Int
        /// How long the macro call is, in Unicode scalars.
        public let length: Int
    }

    /// The expression's value, or why it has none.
    public let result: Result<CELValue, CELEvaluationError>
    /// The variables, selections, calls and comparisons that were evaluated, in the order of the source.
    ///
    /// Parts of a macro's body are there for the deciding element only. The expression itself is none of the parts.
    public let parts: [Part]
    /// The elements that decided, in the order of evaluation.
    public let elements: [Element]
}
