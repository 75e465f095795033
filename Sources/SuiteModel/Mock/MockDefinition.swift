public import Diagnostics
public import OpenAPI

/// What the built-in mock server answers: a mock file, checked and compiled.
public struct MockDefinition: Sendable {
    /// What every answer of a route has unless the route says otherwise.
    public struct Defaults: Sendable {
        /// Headers that are added to every answer that does not set them itself, those of collections included.
        public var headers: [RequestSpec.Header]
        /// How long the server waits before it answers, in nanoseconds.
        public var delay: Int64

        /// Creates defaults.
        public init(headers: [RequestSpec.Header] = [], delay: Int64 = 0) {
            self.headers = headers
            self.delay = delay
        }
    }

    /// The mock file.
    public var file: SourceFile
    /// The mock's name; the file's name without its extensions when it has none.
    public var name: String
    /// What every answer has.
    public var defaults: Defaults
    /// The routes, in file order; the first that matches a request answers it.
    public var routes: [MockRoute]
    /// The stateful resources, asked when no route matches.
    public var collections: [MockCollection]
    /// Answers all requests where the mock is that of an OpenAPI description; nil for a mock file.
    public var contract: ContractMock?

    /// Creates a definition.
    public init(
        file: SourceFile, name: String, defaults: Defaults = Defaults(), routes: [MockRoute] = [],
        collections: [MockCollection] = [], contract: ContractMock? = nil
    ) {
        self.file = file
        self.name = name
        self.defaults = defaults
        self.routes = routes
        self.collections = collections
        self.contract = contract
    }
}
