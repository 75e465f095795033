public import Diagnostics
public import JSON
public import OpenAPI

/// A mock file, validated and compiled for the built-in mock server.
public struct MockDefinition: Sendable {
    /// The defaults of all responses; routes can override them.
    public struct Defaults: Sendable {
        /// Headers that are added to every response that does not set them itself, including those of collections.
        public var headers: [RequestSpec.Header]
        /// The delay before a response, in nanoseconds.
        public var delay: Templated<Int64>

        /// Creates defaults.
        public init(headers: [RequestSpec.Header] = [], delay: Templated<Int64> = 0) {
            self.headers = headers
            self.delay = delay
        }
    }

    /// The mock file.
    public var file: SourceFile
    /// The name of the mock; defaults to the file name without its extensions.
    public var name: String
    /// The defaults of all responses.
    public var defaults: Defaults
    /// The routes, in file order; the first one that matches a request responds.
    public var routes: [MockRoute]
    /// The stateful resources, which are tried when no route matches.
    public var collections: [MockCollection]
    /// The mock of an OpenAPI description, which handles all requests; nil for a mock file.
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

/// A rule of the mock server that maps matching requests to responses.
public struct MockRoute: Sendable {
    /// The behavior of a route after the last response of its `sequence`.
    public enum Order: Sendable, Hashable {
        /// The route repeats the last response.
        case repeatLast
        /// The route starts over with the first response.
        case cycle
    }

    /// The method; nil matches every method.
    public var method: String?
    /// The path pattern.
    public var path: MockPath
    /// The conditions that a request must satisfy besides its method and path.
    public var conditions: MockConditions
    /// The responses, in the order in which they are sent; at least one.
    public var responses: [MockResponse]
    /// The behavior after the last response.
    public var order: Order
    /// The source range of the request line.
    public var range: SourceRange

    /// Creates a route.
    public init(
        method: String?, path: MockPath, conditions: MockConditions = MockConditions(), responses: [MockResponse],
        order: Order = .repeatLast, range: SourceRange
    ) {
        self.method = method
        self.path = path
        self.conditions = conditions
        self.responses = responses
        self.order = order
        self.range = range
    }

    /// The request line for messages: `GET /books/{id}`.
    public var requestLine: String {
        if let method { "\(method) \(path.text)" } else { path.text }
    }
}

/// The `when` conditions of a route. A request must satisfy all of them.
public struct MockConditions: Sendable {
    /// Query parameters; one value with the name must match.
    public var query: [ExpectationSet.Named]
    /// Header fields; one field with the name must match.
    public var headers: [ExpectationSet.Named]
    /// The cookies of the request.
    public var cookies: [ExpectationSet.Named]
    /// The fields of a form body.
    public var form: [ExpectationSet.Named]
    /// The values that JSONPaths select in a JSON body.
    public var json: [ExpectationSet.JSON]
    /// The whole body: the value of a JSON body, otherwise its text.
    public var body: Matcher?

    /// Creates conditions.
    public init(
        query: [ExpectationSet.Named] = [], headers: [ExpectationSet.Named] = [],
        cookies: [ExpectationSet.Named] = [], form: [ExpectationSet.Named] = [], json: [ExpectationSet.JSON] = [],
        body: Matcher? = nil
    ) {
        self.query = query
        self.headers = headers
        self.cookies = cookies
        self.form = form
        self.json = json
        self.body = body
    }

    /// Whether every request satisfies the conditions.
    public var isEmpty: Bool {
        query.isEmpty && headers.isEmpty && cookies.isEmpty && form.isEmpty && json.isEmpty && body == nil
    }
}

/// A response of a route.
public struct MockResponse: Sendable {
    /// The status code.
    public enum Status: Sendable {
        /// A code from 200 to 599.
        case code(Int)
        /// An expression that is evaluated for each request.
        case template(Template, range: SourceRange)
    }

    /// The body of a response.
    public enum Body: Sendable {
        /// No body.
        case none
        /// A JSON value.
        case json(ValueTemplate)
        /// A text body.
        case text(Template)
        /// Bytes that were read when the mock file was loaded.
        case bytes([UInt8])
    }

    /// The moment at which the server drops the connection instead of completing the response.
    public enum Drop: String, Sendable, Hashable, CaseIterable {
        /// Before the server sends anything.
        case beforeResponse
        /// After the server sends the head and the first half of the body.
        case withinBody
    }

    /// The status code.
    public var status: Status
    /// The response headers.
    public var headers: [RequestSpec.Header]
    /// The response body.
    public var body: Body
    /// The media type of the body; nil for an empty body or an unknown type. A Content-Type header overrides it.
    public var contentType: String?
    /// The delay before the response, in nanoseconds; nil uses the default.
    public var delay: Templated<Int64>?
    /// The moment at which the connection is dropped; nil keeps it open.
    public var drop: Drop?
    /// The source range of the response.
    public var range: SourceRange

    /// Creates a response.
    public init(
        status: Status = .code(200), headers: [RequestSpec.Header] = [], body: Body = .none,
        contentType: String? = nil, delay: Templated<Int64>? = nil, drop: Drop? = nil, range: SourceRange
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.contentType = contentType
        self.delay = delay
        self.drop = drop
        self.range = range
    }
}

/// A stateful resource of the mock server, whose items clients can create, read, replace, update, delete, and list.
public struct MockCollection: Sendable {
    /// The kind of the items' identifiers.
    public enum Identifier: String, Sendable, Hashable, CaseIterable {
        /// Integers, counted from 1.
        case integer
        /// Random UUIDs (RFC 9562, version 4).
        case uuid
        /// Strings, chosen by the client or counted.
        case string
    }

    /// The name of the collection.
    public var name: String
    /// The path of the collection; the path of an item has one more segment.
    public var path: String
    /// The kind of the items' identifiers.
    public var identifier: Identifier
    /// The member that contains the identifier of an item.
    public var key: String
    /// The items that the collection has at the start of each run.
    public var seed: [JSONObject]
    /// The source range of the collection's name.
    public var range: SourceRange

    /// Creates a collection.
    public init(
        name: String, path: String, identifier: Identifier = .integer, key: String = "id", seed: [JSONObject] = [],
        range: SourceRange
    ) {
        self.name = name
        self.path = path
        self.identifier = identifier
        self.key = key
        self.seed = seed
        self.range = range
    }
}
