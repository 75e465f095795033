/// All kinds of changes that a comparison tells, with their ids, levels and a sentence each.
public enum ChangeCatalog {
    /// The checks: those of operations first, then those of parameters, bodies, schemas and the rest.
    public static let all: [ChangeCheck] = groups.flatMap(\.checks)

    /// The checks by what they concern.
    package static let groups: [(title: String, checks: [ChangeCheck])] =
        [("Operations, parameters, bodies and responses", operationTemplates.map(check))]
        + SchemaRole.allCases.map { ("Schemas: \($0.subject)", schemaChecks($0)) }
        + [("Security, components and the whole description", descriptionTemplates.map(check))]

    private static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

    private static let templates = Dictionary(
        (operationTemplates + descriptionTemplates).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

    /// The check of an id.
    public static func check(_ id: String) -> ChangeCheck? { byID[id] }

    /// A kind of change outside of schemas' keywords.
    struct Template {
        let id: String
        let level: ChangeLevel
        /// The sentence: see ``ChangePhrase``.
        let phrase: String
        /// What `{s}` is in general.
        let subject: String

        init(_ id: String, _ level: ChangeLevel, _ phrase: String, _ subject: String = "") {
            self.id = id
            self.level = level
            self.phrase = phrase
            self.subject = subject
        }
    }

    /// The template of an id.
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

/// A kind of change that a comparison tells.
public struct ChangeCheck: Sendable, Hashable {
    /// The name by which it is known in reports, overrides and ignore files.
    public let id: String
    /// What it means for clients unless that is overridden.
    public let level: ChangeLevel
    /// What has changed then, as one sentence without a final full stop.
    public let summary: String
}

/// A sentence with places for its subject, `{s}`, and for what was found, `{d|what is said in general}`.
enum ChangePhrase {
    /// The sentence about a subject.
    ///
    /// - Parameter detail: What was found; nil for the sentence in general.
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
            // Without a detail, one of the spaces around it is left over.
            if text.hasSuffix(" "), rest.hasPrefix(" ") { rest.removeFirst() }
        }
        text += rest
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}
