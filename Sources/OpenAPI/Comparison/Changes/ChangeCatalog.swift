/// All kinds of changes that a comparison tells, with their ids, levels and a sentence each.
public enum ChangeCatalog {
    /// The checks: those of operations first, then those of parameters, bodies, schemas and the rest.
    public static let all: [ChangeCheck] = groups.flatMap(\.checks)

    /// The checks by what they concern.
    static let groups: [(title: String, checks: [ChangeCheck])] =
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
