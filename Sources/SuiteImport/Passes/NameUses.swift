import CEL
import SuiteLoader

/// The names that expressions use, with compiled expressions kept for further uses.
struct NameUses {
    private var references: [String: [CELExpression.Reference]?] = [:]

    /// Returns whether an expression compiles.
    mutating func isValid(_ source: String) -> Bool { compiled(source) != nil }

    /// Returns the names of variables that an expression uses, without those of the language and of responses.
    mutating func names(in source: String) -> [String] {
        (compiled(source) ?? []).filter(Self.isVariable).map(\.name)
    }

    /// Returns an expression in which a variable has another name.
    mutating func renaming(_ name: String, to other: String, in source: String) -> String {
        replacing([name: other], in: source)
    }

    /// Returns an expression with operands in the places of variables.
    mutating func replacing(_ values: [String: String], in source: String) -> String {
        let found = (compiled(source) ?? []).filter { values[$0.name] != nil }
        if found.isEmpty { return source }
        var scalars = Array(source.unicodeScalars)
        for reference in found.reversed()
        where reference.offset >= 0 && reference.offset + reference.length <= scalars.count {
            guard let value = values[reference.name] else { continue }
            scalars.replaceSubrange(
                reference.offset..<(reference.offset + reference.length), with: value.unicodeScalars)
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Returns whether an expression only compares a variable with constants, so that it may be null.
    mutating func onlyCompares(_ name: String, in source: String) -> Bool {
        // Most expressions are names.
        if source == name { return false }
        let scalars = Array(source.unicodeScalars)
        return (compiled(source) ?? []).allSatisfy { reference in
            guard reference.name == name else { return true }
            let rest = scalars[min(max(0, reference.offset + reference.length), scalars.count)...]
            return [" == \"", " == null", " == true", " == false", " != \"", " != null", " in [null"].contains {
                rest.starts(with: $0.unicodeScalars)
            }
        }
    }

    private static func isVariable(_ reference: CELExpression.Reference) -> Bool {
        !reference.isTypeName && VariableNames.problem(of: reference.name) == nil
    }

    private mutating func compiled(_ source: String) -> [CELExpression.Reference]? {
        if let known = references[source] { return known }
        let found = (try? CELExpression(source))?.freeIdentifiers
        references[source] = .some(found)
        return found
    }
}
