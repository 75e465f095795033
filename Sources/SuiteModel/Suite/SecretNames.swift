/// The names of variables, captures, and environment variables whose values are masked in all output.
public struct SecretNames: Sendable, Hashable {
    private var names: Set<String> = []
    private var patterns: [String] = []

    /// Creates an empty set.
    public init() {}

    /// Whether the set is empty.
    public var isEmpty: Bool { names.isEmpty && patterns.isEmpty }

    /// Adds a name, or a pattern such as `*_TOKEN` in which `*` matches any characters.
    public mutating func add(_ text: String) {
        if text.utf8.contains(UInt8(ascii: "*")) {
            if !patterns.contains(text) { patterns.append(text) }
        } else {
            names.insert(text)
        }
    }

    /// Adds all names and patterns of another set.
    public mutating func add(_ other: SecretNames) {
        names.formUnion(other.names)
        for pattern in other.patterns where !patterns.contains(pattern) { patterns.append(pattern) }
    }

    /// Returns whether the value of a name is secret. The comparison is case-sensitive.
    public func contains(_ name: String) -> Bool {
        if names.contains(name) { return true }
        return patterns.contains { Self.matches(Array(name.utf8), Array($0.utf8)) }
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
