/// How dotted names are looked up.
struct NameResolution: Sendable {
    /// The container (cel-spec, "Name Resolution"), such as `com.example`.
    var container = ""
    /// True when the scope may have variables with dots in their names; else only the first part is looked up.
    var hasQualifiedNames = false
    /// True when an unknown function fails at evaluation only, as it does without a type checker.
    var allowsUnknownFunctions = false

    /// The names to try for dotted parts, the one to prefer first.
    func candidates(for parts: [String], isRooted: Bool) -> [Node.QualifiedName] {
        var prefixes: [String] = []
        if !isRooted, !container.isEmpty {
            var components = container.split(separator: ".").map(String.init)
            while !components.isEmpty {
                prefixes.append(components.joined(separator: ".") + ".")
                components.removeLast()
            }
        }
        prefixes.append("")
        var candidates: [Node.QualifiedName] = []
        for length in stride(from: parts.count, to: 0, by: -1) {
            for prefix in prefixes {
                candidates.append(
                    Node.QualifiedName(
                        name: prefix + parts.prefix(length).joined(separator: "."),
                        fields: Array(parts.dropFirst(length))))
            }
        }
        return candidates
    }
}
