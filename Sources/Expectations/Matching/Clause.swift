/// What an operator asks for, in the words of a message: `> 5`, `a string`, `to contain "x"`.
enum Clause {
    /// Completes "expected …": `> 5`, `a string`.
    case being(String)
    /// Completes "expected to …": `contain "x"`.
    case doing(String)

    /// The beginning of a message.
    var expected: String {
        switch self {
        case .being(let text): "expected \(text)"
        case .doing(let text): "expected to \(text)"
        }
    }

    /// The beginning of a message that asks for the contrary.
    var negated: String {
        switch self {
        case .being(let text): "expected anything but \(text)"
        case .doing(let text): "expected not to \(text)"
        }
    }

    /// The clause as a part of a longer one.
    var embedded: String {
        switch self {
        case .being(let text): text
        case .doing(let text): "to \(text)"
        }
    }

    /// Several clauses as one.
    static func joined(_ clauses: [Clause], _ conjunction: String) -> Clause {
        if clauses.count == 1, let only = clauses.first { return only }
        return .being(ValueDescription.list(clauses.map(\.embedded), conjunction))
    }
}
