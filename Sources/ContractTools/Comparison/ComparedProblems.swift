public import Diagnostics
import OpenAPI

/// The problems of two descriptions that are compared, judged by what they mean for the comparison.
public struct ComparedProblems: Sendable {
    /// Warnings about problems that are shown one by one; of more, the first few are.
    private static let mostShown = 10
    private static let fewShown = 3

    /// What to show: errors that hide changes, then warnings about the other errors.
    public let diagnostics: [Diagnostic]
    /// Whether the new description has an error that the old one does not have, so that changes may be hidden.
    public let hasFailed: Bool

    /// Judges problems.
    ///
    /// An error that stands in both descriptions leaves the same out of both, and one that only the old one has is gone.
    ///
    /// - Parameters:
    ///   - newName: The name of the new description.
    ///   - isStrict: Whether every error counts.
    ///   - outside: Selects the places that belong to nothing that is compared.
    public init(
        old: [Diagnostic], new: [Diagnostic], newName: String, isStrict: Bool = false,
        outside: ([SourceRange]) -> Set<SourceRange> = { _ in [] }
    ) {
        let old = old.filter { $0.severity == .error }
        let new = new.filter { $0.severity == .error }
        if isStrict {
            diagnostics = old + new
            hasFailed = !new.isEmpty
            return
        }
        var known: [Key: Int] = [:]
        for problem in old { known[Key(problem), default: 0] += 1 }
        // Beyond a number, problems are counted and not kept: what is not among them may have been left out.
        let isCut = old.contains { $0.id == "too-many-problems" }
        var errors: [Diagnostic] = []
        var warnings = old
        for problem in new {
            let key = Key(problem)
            if let count = known[key], count > 0 {
                // It is shown as one of the new description, which can still be corrected.
                known[key] = count - 1
                if let position = warnings.firstIndex(where: { Key($0) == key }) { warnings.remove(at: position) }
                warnings.append(problem)
            } else if isCut {
                warnings.append(problem)
            } else {
                errors.append(problem)
            }
        }
        let excluded = outside(errors.compactMap(\.range))
        warnings += errors.filter { $0.range.map(excluded.contains) ?? false }
        errors.removeAll { $0.range.map(excluded.contains) ?? false }
        hasFailed = !errors.isEmpty
        diagnostics = errors + Self.warnings(warnings, newName: newName)
    }

    /// What makes problems of two files the same: the kind and the text that is wrong, wherever it stands.
    private struct Key: Hashable {
        var id: String
        var text: String

        init(_ problem: Diagnostic) {
            id = problem.id
            text =
                problem.range.map { String(decoding: $0.file.text[$0.byteRange].prefix(200), as: UTF8.self) }
                ?? problem.message
            if problem.id == "too-many-problems" { text = "" }
        }
    }

    private static func warnings(_ problems: [Diagnostic], newName: String) -> [Diagnostic] {
        let isLong = problems.count > mostShown
        var result = problems.prefix(isLong ? fewShown : mostShown).map { problem in
            var problem = problem
            problem.severity = .warning
            return problem
        }
        if isLong {
            result.append(
                Diagnostic(
                    id: "errors-not-compared", severity: .warning,
                    message: "\(problems.count - fewShown) more errors do not concern the comparison",
                    suggestion: "\"apitest contract check \(newName)\" lists them, and --strict makes them count"))
        }
        return result
    }
}
