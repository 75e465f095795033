import CEL
import SuiteLoader

/// Names of variables for the names in a source, which may not be valid in expressions.
///
/// Equal source names get the same name, and different ones get different names.
package struct ImportedNames: Sendable {
    private var names: [String: String] = [:]
    private var taken: Set<String> = []
    /// The number to try next after each name.
    private var numbers: [String: Int] = [:]

    /// Creates an empty set of names.
    package init() {}

    /// Returns the name of the variable for a name in a source, such as `base_url` for `base-url`.
    package mutating func name(_ source: String) -> String {
        if let name = names[source] { return name }
        let name = unique(Self.valid(source))
        names[source] = name
        return name
    }

    /// Returns a name that no other variable has: the given one, or with a number after it.
    package mutating func unique(_ name: String) -> String {
        var result = name
        var number = numbers[name] ?? 2
        while !taken.insert(result).inserted {
            result = "\(name)\(name.utf8.last.map { (0x30...0x39).contains($0) } == true ? "_" : "")\(number)"
            number += 1
        }
        numbers[name] = number
        return result
    }

    /// Makes a name unavailable, unless the name in the source has one already.
    package mutating func reserve(_ name: String, unless source: String) {
        if names[source] == nil { taken.insert(name) }
    }

    /// Returns a valid name that resembles a text.
    package static func valid(_ text: String) -> String {
        var name = NameRules.identifier(like: text)
        while name.hasSuffix("_"), name.utf8.count > 1 { name.removeLast() }
        if name.isEmpty { name = "value" }
        // A word of the language, or the name of a part of the response.
        if VariableNames.problem(of: name) != nil || isTypeName(name) { name += "Value" }
        return name
    }

    /// Whether a name in an expression is that of a type, such as `type` or `string`.
    private static func isTypeName(_ name: String) -> Bool {
        (try? CELExpression(name))?.freeIdentifiers.contains { $0.isTypeName } ?? false
    }

    /// Returns a name in the notation of environment variables: `API_KEY` for `apiKey`.
    package static func environmentName(_ name: String) -> String {
        var result = ""
        var isLower = false
        for scalar in NameRules.identifier(like: name).unicodeScalars {
            let isUpper = ("A"..."Z").contains(scalar)
            if isUpper, isLower { result += "_" }
            isLower = !isUpper && scalar != "_"
            result += String(scalar).uppercased()
        }
        return result.isEmpty ? "VALUE" : result
    }

    /// Returns the source of a CEL literal with the value of a string.
    package static func literal(_ text: String) -> String { CELExpression.literal(text) }
}
