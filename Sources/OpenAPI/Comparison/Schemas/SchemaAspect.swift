/// What may change about a schema: the end of an id, a sentence, and what it means in a request and in a response.
struct SchemaAspect: Sendable {
    /// The end of the ids.
    let name: String
    /// The sentence: see ``ChangePhrase``.
    let phrase: String
    /// What it means in a request; nil when a request has no such change.
    let request: ChangeLevel?
    /// What it means in a response; nil when a response has no such change.
    let response: ChangeLevel?
    /// Whether it concerns bodies and their properties alone.
    var isForBodies = false
    /// Whether it concerns properties alone.
    var isForProperties = false

    /// The id for a role; nil when the role has no such change.
    func id(for role: SchemaRole) -> String? {
        guard level(for: role) != nil else { return nil }
        // A body's removed value had a name of its own before properties had one.
        if role == .responseBody, name == "enum-value-removed" { return "response-mediatype-enum-value-removed" }
        return "\(role.rawValue)-\(name)"
    }

    /// What it means for a role; nil when the role has no such change.
    func level(for role: SchemaRole) -> ChangeLevel? {
        guard let level = role.isRequest ? request : response else { return nil }
        if isForProperties, !role.isProperty { return nil }
        if isForBodies, role.isParameter { return nil }
        switch role {
        case .requestReadOnlyProperty: return Self.namesOfReadOnly.contains(name) ? .info : nil
        case .responseWriteOnlyProperty: return Self.namesOfWriteOnly.contains(name) ? .info : nil
        case .requestParameter, .requestParameterProperty:
            switch name {
            // How a parameter's text is read needs no further name for what is as good as the same.
            case "type-compatible": return nil
            case "type-specialized": return role == .requestParameterProperty ? .breaking : nil
            case "default-value-added", "default-value-changed", "default-value-removed": return .breaking
            default: return level
            }
        case .requestBody, .requestProperty: return name == "type-specialized" ? nil : level
        case .responseBody, .responseProperty, .responseHeader: return level
        }
    }

    /// What is told of properties that a request should not hold.
    private static let namesOfReadOnly: Set<String> = [
        "enum-value-removed", "exclusive-max-decreased", "exclusive-min-increased", "max-decreased",
        "max-length-decreased", "min-increased", "min-length-increased", "type-changed",
    ]

    /// What is told of properties that a response should not hold.
    private static let namesOfWriteOnly: Set<String> = ["enum-value-added", "type-changed"]
}
