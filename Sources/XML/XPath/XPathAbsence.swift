/// Why a location path selects nothing: how far it leads, and what is there.
public struct XPathAbsence: Sendable {
    /// What keeps the path from leading on.
    public enum Reason: Sendable, Hashable {
        /// No node satisfies the predicate, whose text this is; or there is none at that position.
        case predicate(String, isPosition: Bool)
        /// There is no element or attribute of that name, as it was written; the names that there are.
        case name(String, isAttribute: Bool, among: [String])
        /// There is an element or attribute of that local name, but in another namespace: nil for none.
        case namespace(localName: String, isAttribute: Bool, found: String?)
        /// There is no node of the kind that the step, whose text this is, asks for.
        case step(String)
    }

    /// The path that selects nothing.
    public let path: String
    /// The longest beginning of the path that selects something; nil if that is the document alone.
    public let existing: String?
    /// The first nodes that the beginning selects.
    public let nodes: [XPathNode]
    /// The number of nodes that it selects.
    public let count: Int
    /// Whether what is missing was looked for at any depth.
    public let isBelow: Bool
    /// What keeps the path from leading on.
    public let reason: Reason
}
