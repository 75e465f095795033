/// The names that a variable can have.
public enum VariableName {
    /// Why the name can be no variable's, as one sentence without a final full stop; nil when it can.
    public static func problem(_ name: String) -> String? {
        guard NameRules.isIdentifier(name) else { return "\"\(name)\" is no name that an expression can use" }
        switch NameRules.taken[name] {
        case nil: return nil
        case .reserved: return "\"\(name)\" is a word of the expression language"
        case .response: return "\"\(name)\" is the name of a part of the response"
        case .exchanges: return "\"\(name)\" gives the exchanges of other steps and tests"
        case .port: return "\"\(name)\" is the port of what a suite serves"
        }
    }
}
