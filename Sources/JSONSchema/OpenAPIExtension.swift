/// What OpenAPI adds to a dialect of JSON Schema.
public struct OpenAPIExtension: Sendable, Hashable {
    /// Which way a value goes.
    public enum Direction: Sendable, Hashable, CaseIterable {
        /// From a client to a server: members that are `readOnly` need not be there.
        case request
        /// From a server to a client: members that are `writeOnly` need not, and may not, be there.
        case response
    }

    /// Which way the values go that are checked; nil when that makes no difference.
    public var direction: Direction?

    /// Creates the extension.
    public init(direction: Direction? = nil) {
        self.direction = direction
    }
}
