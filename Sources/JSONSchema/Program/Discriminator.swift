import JSON

/// A member that tells which branches of an `anyOf` or `oneOf` can hold: in most of them its value is a certain text.
///
/// It only saves work: a branch is left out where the member is there and its `const` or `enum` cannot hold.
final class Discriminator: Sendable {
    /// The name of the member.
    let name: String
    /// The texts, and for each the branches it may belong to, in order.
    private let texts: PropertyTable
    private let branches: [[Int32]]
    /// The branches that ask for no certain text.
    private let others: [Int32]

    /// Creates a discriminator.
    ///
    /// - Parameters:
    ///   - texts: For each branch the texts that it allows, or nil where it allows any.
    init(name: String, texts: [[String]?]) {
        self.name = name
        var names: [String] = []
        var places: [ExactText: Int] = [:]
        var branches: [[Int32]] = []
        var others: [Int32] = []
        for (branch, allowed) in texts.enumerated() where allowed == nil { others.append(Int32(branch)) }
        for (branch, allowed) in texts.enumerated() {
            for text in allowed ?? [] {
                if let place = places[ExactText(text)] {
                    if branches[place].last != Int32(branch) { branches[place].append(Int32(branch)) }
                } else {
                    places[ExactText(text)] = names.count
                    names.append(text)
                    branches.append([Int32(branch)])
                }
            }
        }
        self.texts = PropertyTable(names.map { ($0, -1, false) })
        self.branches = branches.map { ($0 + others).sorted() }
        self.others = others
    }

    /// The branches that can hold for a value, in order; nil when all of them can.
    func candidates(_ value: UnsafePointer<JSONValue>) -> [Int32]? {
        guard case .object(let object) = value.pointee, let position = object.position(of: name) else { return nil }
        return object.withUnsafeMembers { members in
            guard case .string(let text) = members[position].value else { return others }
            var expected = Int.max
            let found = texts.index(of: text, expected: &expected)
            return found < 0 ? others : branches[found]
        }
    }
}

/// The branches of an `anyOf` or `oneOf` by the values of the member that OpenAPI's `discriminator` names.
///
/// It never changes whether a value is valid (OpenAPI 3.0.4, 3.1.1 and 3.2, section "Discriminator Object"), only which
/// branch a message is about.
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
        return texts.firstIndex { $0?.contains { ExactText($0) == ExactText(text) } ?? false } ?? standard
    }
}
