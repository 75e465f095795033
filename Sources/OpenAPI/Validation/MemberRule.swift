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
