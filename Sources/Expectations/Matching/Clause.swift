import JSON

/// What an operator asks for, in the words of a message: `> 5`, `a string`, `to contain "x"`.
struct Clause {
    /// How the text follows "expected an element …", and how an element that it holds for is spoken of.
    enum Verb {
        /// `to be > 5`, `is`.
        case be
        /// `to have length 3`, `has`.
        case have
        /// The text has a verb of its own: `to contain "x"`, `does`.
        case own
    }

    /// Completes "expected …".
    let text: String
    /// Completes "expected …" where the contrary is asked for.
    let contrary: String
    /// How the text follows "expected an element …".
    let verb: Verb

    private init(text: String, contrary: String, verb: Verb) {
        self.text = text
        self.contrary = contrary
        self.verb = verb
    }

    /// What a value is to be: `a string`.
    static func being(_ text: String, contrary: String? = nil) -> Clause {
        Clause(text: text, contrary: contrary ?? "anything but \(text)", verb: .be)
    }

    /// What a value is to be, in words that "not" can stand before: `> 5`.
    static func comparing(_ text: String) -> Clause {
        Clause(text: text, contrary: "not \(text)", verb: .be)
    }

    /// What a value is to have: `length 3`.
    static func having(_ text: String, contrary: String) -> Clause {
        Clause(text: text, contrary: contrary, verb: .have)
    }

    /// What a value is to do: `contain "x"`.
    static func doing(_ text: String) -> Clause {
        Clause(text: "to \(text)", contrary: "not to \(text)", verb: .own)
    }

    /// The clause that asks for the contrary.
    var negated: Clause { Clause(text: contrary, contrary: text, verb: verb) }

    /// Follows "expected an element": `to be > 5`, `to contain "x"`.
    var ofElement: String {
        switch verb {
        case .be: "to be \(text)"
        case .have: "to have \(text)"
        case .own: text
        }
    }

    /// What an element does that the clause holds for: "element [1] is".
    var verdict: String {
        switch verb {
        case .be: "is"
        case .have: "has"
        case .own: "does"
        }
    }

    /// Clauses all of which must hold.
    static func all(_ clauses: [Clause]) -> Clause {
        joined(clauses, "and") { "anything but \($0)" }
    }

    /// Clauses of which one must hold.
    static func either(_ clauses: [Clause]) -> Clause {
        joined(clauses, "or") { _ in "neither " + ValueDescription.list(clauses.map(\.text), "nor") }
    }

    private static func joined(_ clauses: [Clause], _ conjunction: String, contrary: (String) -> String) -> Clause {
        guard clauses.count != 1, let first = clauses.first else { return clauses.first ?? .being("anything") }
        if first.verb != .own, clauses.allSatisfy({ $0.verb == first.verb }) {
            let text = ValueDescription.list(clauses.map(\.text), conjunction)
            return Clause(text: text, contrary: contrary(text), verb: first.verb)
        }
        let text = ValueDescription.list(clauses.map(\.ofElement), conjunction)
        return Clause(text: text, contrary: "not \(text)", verb: .own)
    }
}
