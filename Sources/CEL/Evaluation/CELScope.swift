/// Gives the variables of an expression their values.
public protocol CELScope {
    /// The value of a variable, or nil when there is none of that name.
    ///
    /// - Throws: Why a variable that is there has no value.
    func value(of name: String) throws(CELEvaluationError) -> CELValue?
}
