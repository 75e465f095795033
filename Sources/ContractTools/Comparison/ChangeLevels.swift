public import Basics
public import Diagnostics
import JSON
public import OpenAPI
public import YAML

/// The user's levels, which override those of the catalog.
public struct ChangeLevels: Sendable {
    /// An error in the choice of a level.
    public struct LevelError: Error, Sendable {
        /// The kind of the error.
        public var id: ProblemID
        /// The message, in one sentence without a period.
        public var message: MessageText
        /// The suggested correction.
        public var suggestion: MessageText?
    }

    /// The levels by identifier. An inner `nil` means that the change is not reported.
    private var levels: [String: ChangeLevel?] = [:]

    /// Creates levels without overrides.
    public init() {}

    /// Sets the level of an identifier.
    ///
    /// - Parameter level: `breaking`, `warning`, `info`, or `none` to omit the change.
    public mutating func set(_ id: String, to level: String) throws(LevelError) {
        guard ChangeCatalog.check(id) != nil else {
            throw LevelError(
                id: .unknownCheck, message: "unknown check \"\(id)\"", suggestion: ChangeCatalog.suggestion(for: id))
        }
        if level == "none" {
            levels[id] = .some(nil)
        } else if let level = ChangeLevel(rawValue: level) {
            levels[id] = level
        } else {
            throw LevelError(
                id: .unknownLevel, message: "\"\(level)\" is not a level",
                suggestion: "write breaking, warning, info, or none")
        }
    }

    /// Sets levels from a file that maps identifiers to levels.
    ///
    /// - Returns: The errors in the file.
    public mutating func read(_ document: LocatedDocument) -> [Diagnostic] {
        guard let choices = document.value.objectValue else {
            return [
                Diagnostic(
                    id: "invalid-levels",
                    message: "expected a mapping of check ids to levels, got \(document.value.typeDescription)",
                    range: document.location(of: []),
                    suggestion: "write a line such as request-parameter-removed: breaking")
            ]
        }
        var problems: [Diagnostic] = []
        for (id, level) in choices {
            do {
                try set(id, to: level.stringValue ?? level.serialized())
            } catch {
                let isLevel = ChangeCatalog.check(id) != nil
                problems.append(
                    Diagnostic(
                        id: isLevel ? "unknown-level" : "unknown-check", message: error.message,
                        range: isLevel ? document.location(of: [id]) : document.keyLocation(of: [id]),
                        suggestion: error.suggestion))
            }
        }
        return problems
    }

    /// Returns the changes with overridden levels, without the omitted ones.
    public func applied(to changes: [Change]) -> [Change] {
        if levels.isEmpty { return changes }
        return changes.compactMap { change in
            guard let choice = levels[change.id] else { return change }
            guard let level = choice else { return nil }
            var change = change
            change.level = level
            return change
        }
    }
}

extension ChangeCatalog {
    /// Returns a suggestion for an unknown identifier.
    static func suggestion(for id: String) -> MessageText {
        Spelling.nearest(to: id, among: all.lazy.map(\.id)).map { "did you mean \"\($0)\"?" }
            ?? "run \"apitest contract diff --checks\" to list the checks"
    }
}
