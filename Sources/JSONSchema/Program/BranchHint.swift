import JSON

/// The branches of an `anyOf` or `oneOf` by the values of the member that OpenAPI's `discriminator` names.
///
/// It never makes a value fail (OpenAPI 3.0.4, 3.1.1 and 3.2, section "Discriminator Object"): it settles which branch of a
/// `oneOf` is meant where several hold, and which one a message speaks of where none does.
struct BranchHint: Sendable {
    /// The name of the member.
    let name: String
    /// For each branch the texts that mean it; nil where the description does not say.
    let texts: [[String]?]
    /// The branch that is meant where the member is missing or names none (OpenAPI 3.2).
    let standard: Int?

    /// The branch that a value names.
    func branch(for value: JSONValue) -> Int? {
        guard case .object(let object) = value else { return nil }
        guard case .string(let text)? = object[name] else { return standard }
        return texts.firstIndex { $0?.contains { ExactString($0) == ExactString(text) } ?? false } ?? standard
    }
}
