/// How values are written: with or without line breaks, members in their own order or sorted.
public struct JSONFormat: Sendable, Hashable {
    /// How many spaces each level is indented by; nil writes everything in one line without spaces.
    public var indentation: Int?
    /// Whether members are written in the order of their names' code points.
    public var sortsMembers: Bool

    /// Makes a format.
    public init(indentation: Int? = nil, sortsMembers: Bool = false) {
        self.indentation = indentation
        self.sortsMembers = sortsMembers
    }

    /// One line without white space.
    public static let compact = JSONFormat()
    /// One member or element a line, indented by two spaces.
    public static let pretty = JSONFormat(indentation: 2)
    /// One line without white space, members sorted: equal values give equal texts if numbers are spelled alike.
    ///
    /// See ``JSONValue/canonicalBytes()`` for texts that do not depend on how numbers are spelled.
    public static let sorted = JSONFormat(sortsMembers: true)
    /// One member or element a line, indented by two spaces, members sorted.
    public static let prettySorted = JSONFormat(indentation: 2, sortsMembers: true)
}
