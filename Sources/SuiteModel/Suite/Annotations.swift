/// What a suite or a test says of itself to people and to other tools, beside names, identifiers and tags.
///
/// An object, so that all rows of a test share it.
public final class Annotations: Sendable {
    /// A name and a value that tools for test management read.
    public struct Property: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value as text.
        public var value: String

        /// Creates a property.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The description.
    public let description: String?
    /// The person or team that is responsible for it.
    public let owner: String?
    /// The properties of the keys that begin with `x-`, in the order of the suite.
    public let properties: [Property]

    /// Creates annotations; nil when there are none.
    public init?(description: String? = nil, owner: String? = nil, properties: [Property] = []) {
        guard description != nil || owner != nil || !properties.isEmpty else { return nil }
        self.description = description
        self.owner = owner
        self.properties = properties
    }
}
