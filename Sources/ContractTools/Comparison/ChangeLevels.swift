import Basics
public import Diagnostics
import JSON
public import OpenAPI
public import YAML

/// Levels that were chosen in place of those of the catalog.
public struct ChangeLevels: Sendable {
    /// Why a choice cannot be made.
    public struct Mistake: Error, Sendable {
        /// What is wrong, as one sentence without a final full stop.
        public var message: String
        /// What to write instead.
        public var suggestion: String?
    }

    /// The level of an id; nil inside for one that is not told at all.
    private var levels: [String: ChangeLevel?] = [:]

    /// No choice.
    public init() {}

    /// Chooses the level of an id.
    ///
    /// - Parameter level: `breaking`, `warning`, `info`, or `none` for what is not to be told.
    public mutating func set(_ id: String, to level: String) throws(Mistake) {
        guard ChangeCatalog.check(id) != nil else {
            throw Mistake(
                message: "there is no check \"\(id)\"", suggestion: ChangeCatalog.suggestion(for: id))
        }
        if level == "none" {
            levels[id] = .some(nil)
        } else if let level = ChangeLevel(rawValue: level) {
            levels[id] = level
        } else {
            throw Mistake(
                message: "\"\(level)\" is no level", suggestion: "write breaking, warning, info or none")
        }
    }

    /// Chooses levels by a file: a mapping of ids to levels.
    ///
    /// - Returns: What is wrong with it.
    public mutating func read(_ document: LocatedDocument) -> [Diagnostic] {
        guard let choices = document.value.objectValue else {
            return [
                Diagnostic(
                    id: "invalid-levels", message: "levels are a mapping of ids, not \(document.value.typeName)",
                    range: document.place(of: []),
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
                        range: isLevel ? document.place(of: [id]) : document.keyPlace(of: [id]),
                        suggestion: error.suggestion))
            }
        }
        return problems
    }

    /// The changes with the levels that were chosen, without those that are not told.
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
    /// What someone may have meant who wrote an id that does not exist.
    static func suggestion(for id: String) -> String {
        Spelling.nearest(to: id, among: all.lazy.map(\.id)).map { "did you mean \"\($0)\"?" }
            ?? "\"apitest contract diff --checks\" lists them"
    }
}
