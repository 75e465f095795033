/// Which names variables and captures can have.
public enum VariableNames {
    /// Why a name can name no variable.
    public struct Problem: Error, Sendable, Hashable {
        /// What is wrong, as one sentence without a final full stop.
        public let message: String
        /// What to do about it, when that is known.
        public let suggestion: String?
    }

    /// Why a name can name no variable, or nil when it can.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - what: What it names, in words.
    public static func problem(of name: String, what: String = "a variable") -> Problem? {
        guard NameRules.isIdentifier(name) else {
            let other = NameRules.identifier(like: name)
            return Problem(
                message: "\"\(name)\" cannot be used as a name in expressions",
                suggestion: other.isEmpty ? "use letters, digits and \"_\"" : "write \"\(other)\"")
        }
        let reason: String
        switch NameRules.taken[name] {
        case nil: return nil
        case .reserved:
            return Problem(
                message: "\"\(name)\" is a word of the expression language and no name", suggestion: nil)
        case .response: reason = "is known after a response"
        case .exchanges: reason = "gives earlier exchanges"
        case .port: reason = "is the port of what \"serve\" starts"
        }
        return Problem(
            message: "\"\(name)\" \(reason) and cannot name \(what)", suggestion: "choose another name")
    }
}
