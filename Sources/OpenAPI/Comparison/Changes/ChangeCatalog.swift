/// The catalog of all kinds of changes that a comparison reports.
public enum ChangeCatalog {
    /// All checks, starting with those of operations, parameters, bodies, and schemas.
    public static let all: [ChangeCheck] = groups.flatMap(\.checks)

    /// The checks by topic.
    package static let groups: [(title: String, checks: [ChangeCheck])] =
        [("Operations, parameters, bodies, and responses", operationTemplates.map(check))]
        + SchemaRole.allCases.map { ("Schemas: \($0.subject)", schemaChecks($0)) }
        + [("Security, components, and the whole description", descriptionTemplates.map(check))]

    private static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

    private static let templates = Dictionary(
        (operationTemplates + descriptionTemplates).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

    /// Returns the check with an identifier.
    public static func check(_ id: String) -> ChangeCheck? { byID[id] }

    private static let schemaChanges = Dictionary(
        SchemaRole.allCases.flatMap { role in
            SchemaAspect.all.compactMap { aspect in aspect.id(for: role).map { ($0, (role, aspect.name)) } }
        }, uniquingKeysWith: { first, _ in first })

    /// Returns the part of a message and the suffix of its ids, for the id of a change of a schema keyword.
    package static func schemaChange(_ id: String) -> (role: SchemaRole, aspect: String)? { schemaChanges[id] }

    /// A kind of change that is not about a schema keyword.
    struct Template {
        let id: String
        let level: ChangeLevel
        /// The sentence template. See ``ChangePhrase``.
        let phrase: String
        /// The subject that replaces `{s}` in the summary.
        let subject: String

        init(_ id: String, _ level: ChangeLevel, _ phrase: String, _ subject: String = "") {
            self.id = id
            self.level = level
            self.phrase = phrase
            self.subject = subject
        }
    }

    /// Returns the template with an identifier.
    static func template(_ id: String) -> Template? { templates[id] }

    private static func check(_ template: Template) -> ChangeCheck {
        ChangeCheck(
            id: template.id, level: template.level,
            summary: sentence(
                ChangePhrase.text(template.phrase, subject: template.subject, detail: nil)))
    }

    private static func schemaChecks(_ role: SchemaRole) -> [ChangeCheck] {
        SchemaAspect.all.compactMap { aspect in
            guard let id = aspect.id(for: role), let level = aspect.level(for: role) else { return nil }
            return ChangeCheck(
                id: id, level: level,
                summary: sentence(ChangePhrase.text(aspect.phrase, subject: role.subject, detail: nil)))
        }
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

/// A kind of change that a comparison reports.
public struct ChangeCheck: Sendable, Hashable {
    /// The identifier in reports, overrides, and ignore files.
    public let id: String
    /// The default level of the change.
    public let level: ChangeLevel
    /// The description of the change, in one sentence without a period.
    public let summary: String
}

/// A sentence template with the placeholders `{s}` for the subject and `{d|default}` for the details.
enum ChangePhrase {
    /// Returns the sentence about a subject.
    ///
    /// - Parameter detail: The details, or `nil` for the general sentence.
    static func text(_ template: String, subject: String, detail: String?) -> String {
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            let field = rest[rest.index(after: open)..<close]
            if field == "s" {
                text += subject
            } else if let detail {
                text += detail
            } else if let bar = field.firstIndex(of: "|") {
                text += field[field.index(after: bar)...]
            }
            rest = rest[rest.index(after: close)...]
            // Without details, one of the two surrounding spaces is superfluous.
            if text.hasSuffix(" "), rest.hasPrefix(" ") { rest.removeFirst() }
        }
        text += rest
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}
