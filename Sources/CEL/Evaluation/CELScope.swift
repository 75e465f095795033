/// Gives the variables of an expression their values.
public protocol CELScope {
    /// The names of the variables, in any order; only asked for to say which one an unknown name was probably meant to be.
    ///
    /// None by default, for scopes that cannot list them.
    var names: [String] { get }

    /// The value of a variable, or nil when there is none of that name.
    ///
    /// - Throws: Why a variable that is there has no value.
    func value(of name: String) throws(CELEvaluationError) -> CELValue?
}

extension CELScope {
    /// No names.
    public var names: [String] { [] }
}
