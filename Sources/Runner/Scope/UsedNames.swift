import CEL
import JSON
import SuiteModel

/// The names that a test's expressions have used, in the order of first use, each with the value that it had last.
///
/// A test that passes pays for a few comparisons and references; text is made for those alone that do not.
struct UsedNames {
    /// Names that are kept.
    private static let most = 50
    /// Bytes that a value may take as JSON; a longer one is described.
    private static let longestValue = 65_536

    private var values: [(name: String, value: CELValue)] = []

    /// Keeps what a name stood for. The maps of exchanges, which are shown as exchanges, are left out.
    mutating func note(_ value: CELValue, of name: String) {
        if let index = values.firstIndex(where: { $0.name == name }) {
            values[index].value = value
        } else if values.count < Self.most, name != "steps", name != "tests" {
            values.append((name, value))
        }
    }

    /// Adds the names of a fragment that was called; its own values win, as it is what did not pass.
    mutating func note(_ other: UsedNames) {
        for (name, value) in other.values { note(value, of: name) }
    }

    /// The names with their values as reports have them.
    var variables: [UsedVariable] {
        values.map { name, value in
            let json = value.json ?? .string(value.text)
            let size = json.serializedBytes().count
            guard size > Self.longestValue else { return UsedVariable(name: name, value: json) }
            // Described and not cut: what masks secrets must not meet a part of one.
            return UsedVariable(name: name, value: .string("(\(value.typeName), \(size) bytes as JSON)"))
        }
    }
}
