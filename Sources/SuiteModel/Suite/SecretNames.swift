/// The names of a suite whose values every output masks: variables, captures and environment variables.
public struct SecretNames: Sendable, Hashable {
    private var names: Set<String> = []
    private var patterns: [String] = []

    /// No names.
    public init() {}

    /// Whether nothing is secret by its name.
    public var isEmpty: Bool { names.isEmpty && patterns.isEmpty }

    /// Adds a name, or a pattern in which `*` stands for any characters, such as `*_TOKEN`.
    public mutating func add(_ text: String) {
        if text.utf8.contains(UInt8(ascii: "*")) {
            if !patterns.contains(text) { patterns.append(text) }
        } else {
            names.insert(text)
        }
    }

    /// Adds all names and patterns of others.
    public mutating func add(_ other: SecretNames) {
        names.formUnion(other.names)
        for pattern in other.patterns where !patterns.contains(pattern) { patterns.append(pattern) }
    }

    /// Whether what has a name is secret; capitals count.
    public func contains(_ name: String) -> Bool {
        if names.contains(name) { return true }
        return patterns.contains { Self.matches(Array(name.utf8), Array($0.utf8)) }
    }

    /// Whether a pattern stands for a name; the time is at most that of their lengths multiplied.
    private static func matches(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
        var position = 0
        var index = 0
        // Where the last star stands, and what it may take one byte more of.
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
