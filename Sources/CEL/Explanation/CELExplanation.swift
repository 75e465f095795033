/// An evaluation with what led to its result.
public struct CELExplanation: Sendable {
    /// A part of the expression with its value, or something else there is to say about the result.
    public struct Part: Sendable {
        /// What there is to say.
        public enum Content: Sendable {
            /// A variable, a selection, a call or an operation, as it is written, and its value.
            case value(source: String, CELValue)
            /// A condition, as it is written, and whether it is true.
            case condition(source: String, Bool)
            /// A part that has no value, which `&&`, `||` or a macro did not need, and why it has none.
            case failure(source: String, message: String)
            /// An element that decided a macro or that it failed at: the variable that stands for it, its index in the list
            /// or key in the map, and the element.
            case element(variable: String, key: CELValue, value: CELValue)
            /// One of the elements of which none decided a macro; the values that matter are the children.
            case sample(key: CELValue)
            /// A remark: one sentence without a final full stop.
            case note(String)
        }

        /// What there is to say.
        public let content: Content
        /// Where the part begins in the expression, in Unicode scalars.
        public let offset: Int
        /// How long the part is, in Unicode scalars.
        public let length: Int
        /// What led to it, in the order of the source.
        public let children: [Part]
    }

    /// The expression's value, or why it has none.
    public let result: Result<CELValue, CELEvaluationError>
    /// What led to the result, in the order of the source; the expression itself is none of the parts.
    ///
    /// Of `&&` and `||`, the sides that did not decide have no children; of `?:`, only the branch that was taken is there;
    /// of a macro, only the element that decided, or a few of the elements when none did.
    public let parts: [Part]
}
