public import JSON

/// What of a secret value is masked, and how.
public enum SecretText {
    /// A secret with fewer Unicode scalars is masked only where it is a whole value.
    public static let shortestAnywhere = 4

    /// Whether a secret is masked only where it is a whole value: one that is short, or a word that stands everywhere.
    public static func isShort(_ text: String) -> Bool {
        text == "true" || text == "false" || text == "null"
            || text.unicodeScalars.prefix(shortestAnywhere).count < shortestAnywhere
    }

    /// The texts and numbers in a value, at any depth; names of members are none.
    public static func leaves(of value: JSONValue) -> [String] {
        var texts: [String] = []
        var pending = [value]
        while let value = pending.popLast() {
            switch value {
            case .null, .bool: break
            case .number: texts.append(value.serialized())
            case .string(let text): if !text.isEmpty { texts.append(text) }
            case .array(let elements): pending.append(contentsOf: elements)
            case .object(let members): for member in members { pending.append(member.value) }
            }
        }
        return texts
    }
}
