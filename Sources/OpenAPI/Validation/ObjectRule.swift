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
