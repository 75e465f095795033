/// A use of a name that no macro of the expression binds.
public struct CELReference: Sendable, Hashable {
    /// The root name, such as `tests` in `tests.login.body`.
    public let name: String
    /// The root name and the constant selections and indexes behind it (also those of `has`), such as `["tests", "login", "body"]`.
    public internal(set) var path: [String]
    /// Where it begins in the expression, in Unicode scalars.
    public let offset: Int
    /// How long the root name is, in Unicode scalars.
    public let length: Int
    /// True for names such as `int` or `list` that stand for a type when there is no such variable.
    public let isTypeName: Bool
}
