import JSON

/// A member that tells which branches of an `anyOf` or `oneOf` can hold: in most of them its value is a certain text.
///
/// Unless a schema names the member, it only saves work. A branch is left out where the member is there and its `const` or `enum` cannot hold.
final class Discriminator: Sendable {
    /// The name of the member.
    let name: String
    /// For each branch the texts that it allows, where a schema names the member to choose by (OpenAPI); otherwise none.
    private let namedTexts: [[String]?]
    /// The texts, and for each the branches it may belong to, in order.
    private let texts: PropertyTable
    private let branches: [[Int32]]
    /// The branches that ask for no certain text.
    private let others: [Int32]
    /// The branches for values without the member, or with a text that no branch is named by; nil where none is meant.
    private let standard: [Int32]?

    /// Makes a discriminator.
    ///
    /// - Parameters:
    ///   - texts: For each branch the texts that it allows, or nil where it allows any.
    ///   - isNamed: Whether a schema names the member, so that the branches themselves need not ask for these texts.
    ///   - standard: The branch that is meant where the member is not there or names none (OpenAPI 3.2).
    init(name: String, texts: [[String]?], isNamed: Bool = false, standard: Int32? = nil) {
        self.name = name
        namedTexts = isNamed ? texts : []
        var names: [String] = []
        var places: [ExactString: Int] = [:]
        var branches: [[Int32]] = []
        var others: [Int32] = []
        for (branch, allowed) in texts.enumerated() where allowed == nil { others.append(Int32(branch)) }
        for (branch, allowed) in texts.enumerated() {
            for text in allowed ?? [] {
                if let place = places[ExactString(text)] {
                    if branches[place].last != Int32(branch) { branches[place].append(Int32(branch)) }
                } else {
                    places[ExactString(text)] = names.count
                    names.append(text)
                    branches.append([Int32(branch)])
                }
            }
        }
        self.texts = PropertyTable(names.map { ($0, -1, false) })
        self.branches = branches.map { ($0 + others).sorted() }
        self.others = others
        self.standard = standard.map { ([$0] + others).sorted() }
    }

    /// The texts by which a schema says that a branch is meant; nil where the branches themselves say it.
    func namedTexts(of branch: Int) -> [String]? {
        namedTexts.indices.contains(branch) ? namedTexts[branch] : nil
    }

    /// The branches that can hold for a value, in order; nil when all of them can.
    func candidates(_ value: UnsafePointer<JSONValue>) -> [Int32]? {
        guard case .object(let object) = value.pointee else { return nil }
        guard let position = object.position(of: name) else { return standard }
        let rest = standard ?? others
        return object.withUnsafeMembers { members in
            guard case .string(let text) = members[position].value else { return rest }
            var expected = Int.max
            let found = texts.index(of: text, expected: &expected)
            return found < 0 ? rest : branches[found]
        }
    }
}
