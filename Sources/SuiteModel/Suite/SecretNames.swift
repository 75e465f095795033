public import Basics

/// The names of variables, captures, and environment variables whose values are masked in all output.
///
/// Names that say so, such as `API_TOKEN`, are secret without being listed.
public struct SecretNames: Sendable, Hashable {
    /// The words that make a name secret wherever they occur in it, in lowercase.
    public static let words = ["token", "secret", "password", "key", "credential"]
    /// The character before names and patterns that are not secret.
    public static let exclusion: Character = "!"

    private var names: Set<String> = []
    private var patterns: [String] = []
    private var excluded: [String] = []

    /// Creates a set of the names that say so.
    public init() {}

    /// Adds a name, or a pattern such as `*_TOKEN` in which `*` matches any characters. A name or a pattern after `!`
    /// is not secret.
    public mutating func add(_ text: String) {
        if text.first == Self.exclusion {
            let text = String(text.dropFirst())
            if !excluded.contains(text) { excluded.append(text) }
        } else if text.utf8.contains(UInt8(ascii: "*")) {
            if !patterns.contains(text) { patterns.append(text) }
        } else {
            names.insert(text)
        }
    }

    /// Adds all names and patterns of another set.
    public mutating func add(_ other: SecretNames) {
        names.formUnion(other.names)
        for pattern in other.patterns where !patterns.contains(pattern) { patterns.append(pattern) }
        for name in other.excluded where !excluded.contains(name) { excluded.append(name) }
    }

    /// Returns whether the value of a name is secret.
    public func contains(_ name: String) -> Bool {
        (Self.saysSo(name) || lists(name)) && !excludes(name)
    }

    /// Returns whether a name is listed, or matches a listed pattern. The comparison is case-sensitive.
    public func lists(_ name: String) -> Bool {
        names.contains(name) || Self.matches(name, patterns)
    }

    /// Returns whether a name is listed as one that is not secret.
    public func excludes(_ name: String) -> Bool {
        !excluded.isEmpty && Self.matches(name, excluded)
    }

    /// Returns whether a name contains one of ``words``, in any letter case.
    public static func saysSo(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { name in
            // This runs for each use of a variable. Most letters start none of the words.
            for start in name.indices {
                for word in words where word.utf8.first == name[start] | 0x20 {
                    let part = name[start...].prefix(word.utf8.count)
                    if part.count == word.utf8.count, zip(part, word.utf8).allSatisfy({ $0 | 0x20 == $1 }) {
                        return true
                    }
                }
            }
            return false
        }
    }

    /// Returns advice on the value of a secret that is not masked.
    public func advice(about name: String) -> MessageText {
        if lists(name) { return "use a longer value, or remove the name from \"secrets\"" }
        guard contains(name) else { return "use a longer value" }
        return "use a longer value, or write \"!\(name)\" under \"secrets\" if it is not a secret"
    }

    private static func matches(_ name: String, _ patterns: [String]) -> Bool {
        !patterns.isEmpty && patterns.contains { matches(Array(name.utf8), Array($0.utf8)) }
    }

    /// Returns whether a pattern matches a name, in time proportional to the product of their lengths at worst.
    private static func matches(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
        var position = 0
        var index = 0
        // The position of the last star, and the position in the name where its match is extended by one byte.
        var star: Int?
        var mark = 0
        while position < name.count {
            if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
                star = index
                mark = position
                index += 1
            } else if index < pattern.count, pattern[index] == name[position] {
                position += 1
                index += 1
            } else if let star {
                index = star + 1
                mark += 1
                position = mark
            } else {
                return false
            }
        }
        return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
