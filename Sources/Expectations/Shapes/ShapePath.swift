import JSON

/// The way to a place in values of one shape: `$.books[*].title`.
public struct ShapePath: Sendable, Hashable, CustomStringConvertible {
    /// One step down.
    public enum Step: Sendable, Hashable {
        /// To the member with this name.
        case member(String)
        /// To the values of an object whose names are data.
        case anyMember
        /// To the elements of an array.
        case element
    }

    /// The steps from the root.
    public var steps: [Step]

    /// Creates a path; without steps it is the root.
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// The path as JSONPath writes it (RFC 9535), with `[*]` for all elements and `.*` for all members.
    public var description: String {
        var text = "$"
        for step in steps {
            switch step {
            case .member(let name): text += NormalizedPath([.name(name)]).shorthand.dropFirst()
            case .anyMember: text += ".*"
            case .element: text += "[*]"
            }
        }
        return text
    }
}
