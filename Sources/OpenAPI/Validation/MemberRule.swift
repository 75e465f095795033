/// What an object may have under a name.
struct MemberRule: Sendable {
    var name: String
    var shape: MemberShape
    var isRequired = false
    /// The first version that has it.
    var since = OpenAPIVersion.swagger2
    /// The last version that has it, or that requires it.
    var until = OpenAPIVersion.openAPI32

    static func required(
        _ name: String, _ shape: MemberShape, until: OpenAPIVersion = .openAPI32
    ) -> MemberRule {
        MemberRule(name: name, shape: shape, isRequired: true, until: until)
    }

    static func optional(
        _ name: String, _ shape: MemberShape, since: OpenAPIVersion = .swagger2
    ) -> MemberRule {
        MemberRule(name: name, shape: shape, since: since)
    }
}

/// What an object of a kind may have.
struct ObjectRule: Sendable {
    /// The members that have a name of their own.
    var members: [String: MemberRule]
    /// The names in the order in which they are suggested.
    var names: [String]
    /// What members with other names are; nil when there may be none.
    var others: MemberShape?
    /// Pairs of members that exclude each other.
    var exclusive: [(String, String)]
    /// Whether a member that is not known says nothing instead of being wrong, as in schemas.
    var ignoresUnknown: Bool

    init(
        _ rules: [MemberRule], others: MemberShape? = nil, exclusive: [(String, String)] = [],
        ignoresUnknown: Bool = false
    ) {
        members = Dictionary(rules.map { ($0.name, $0) }) { first, _ in first }
        names = rules.map(\.name)
        self.others = others
        self.exclusive = exclusive
        self.ignoresUnknown = ignoresUnknown
    }
}
