import JSON

/// A member that narrows down the branches of an `anyOf` or `oneOf`, because most branches require specific strings.
///
/// A discriminator only saves work: it skips branches whose `const` or `enum` cannot match the value of the member.
final class Discriminator: Sendable {
    /// The name of the member.
    let name: String
    /// The strings, each with the indices of its possible branches in order.
    private let texts: PropertyTable
    private let branches: [[Int32]]
    /// The branches that require no specific string.
    private let others: [Int32]

    /// Creates a discriminator.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - texts: The strings that each branch allows, or `nil` for a branch that allows any.
    init(name: String, texts: [[String]?]) {
        self.name = name
        var names: [String] = []
        var locations: [ExactText: Int] = [:]
        var branches: [[Int32]] = []
        var others: [Int32] = []
        for (branch, allowed) in texts.enumerated() where allowed == nil { others.append(Int32(branch)) }
        for (branch, allowed) in texts.enumerated() {
            for text in allowed ?? [] {
                if let location = locations[ExactText(text)] {
                    if branches[location].last != Int32(branch) { branches[location].append(Int32(branch)) }
                } else {
                    locations[ExactText(text)] = names.count
                    names.append(text)
                    branches.append([Int32(branch)])
                }
            }
        }
        self.texts = PropertyTable(names.map { ($0, -1, false) })
        self.branches = branches.map { ($0 + others).sorted() }
        self.others = others
    }

    /// Returns the branches that can match a value, in order, or `nil` if all of them can.
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

/// The branches of an `anyOf` or `oneOf` by the values of the member that an OpenAPI `discriminator` names.
///
/// The hint never changes whether a value is valid (OpenAPI 3.0.4, 3.1.1, and 3.2, section "Discriminator Object"). It
/// only selects the branch that a message describes.
struct BranchHint: Sendable {
    /// The name of the member.
    let name: String
    /// The values that select each branch, or `nil` for a branch without specified values.
    let texts: [[String]?]
    /// The default branch if the member is missing or selects no branch (OpenAPI 3.2).
    let standard: Int?

    /// Returns the branch that a value selects.
    func branch(for value: JSONValue) -> Int? {
        guard case .object(let object) = value else { return nil }
        guard case .string(let text)? = object[name] else { return standard }
        return texts.firstIndex { $0?.contains { ExactText($0) == ExactText(text) } ?? false } ?? standard
    }
}
