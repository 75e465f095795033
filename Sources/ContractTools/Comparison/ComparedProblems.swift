import Basics
public import Diagnostics
import OpenAPI

/// The problems of two compared descriptions, classified by their effect on the comparison.
public struct ComparedProblems: Sendable {
    /// The maximum number of warnings to show in full. If there are more, only the first few are shown.
    private static let maximumShown = 10
    private static let fewShown = 3

    /// The diagnostics to show: errors that can hide changes, followed by warnings about the other errors.
    public let diagnostics: [Diagnostic]
    /// A Boolean value that indicates whether the new description has a new error, which can hide changes.
    public let hasFailed: Bool

    /// Classifies the problems of two descriptions.
    ///
    /// An error in both descriptions hides the same parts in both. An error in only the old description is fixed.
    ///
    /// - Parameters:
    ///   - old: The problems of the old description.
    ///   - new: The problems of the new description.
    ///   - newName: The name of the new description.
    ///   - isStrict: Whether to count every error.
    ///   - outside: A closure that selects the locations outside the compared parts.
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
        // The number of stored problems is limited, so a missing one may have been dropped.
        let isCut = old.contains { $0.id == "too-many-problems" }
        var errors: [Diagnostic] = []
        var warnings = old
        for problem in new {
            let key = Key(problem)
            if let count = known[key], count > 0 {
                // The problem is reported for the new description, which can still be corrected.
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

    /// The identity of a problem across files: its kind and the invalid source text, regardless of the location.
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
        let isLong = problems.count > maximumShown
        var result = problems.prefix(isLong ? fewShown : maximumShown).map { problem in
            var problem = problem
            problem.severity = .warning
            return problem
        }
        if isLong {
            result.append(
                Diagnostic(
                    id: "errors-not-compared", severity: .warning,
                    message: "\(problems.count - fewShown) more errors do not affect the comparison",
                    suggestion:
                        "run \"apitest contract check \(newName)\" to list them, or use --strict to fail on them"))
        }
        return result
    }
}
