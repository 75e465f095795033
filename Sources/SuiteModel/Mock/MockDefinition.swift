public import Diagnostics
public import JSON
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

/// A rule of the mock server: which requests it takes and how it answers them.
public struct MockRoute: Sendable {
    /// What the answers do after the last one of a `sequence` was given.
    public enum Order: Sendable, Hashable {
        /// The last answer is repeated.
        case repeatLast
        /// The sequence begins again.
        case cycle
    }

    /// The method; nil takes every method.
    public var method: String?
    /// The path that is taken.
    public var path: MockPath
    /// What a request must have besides its method and path.
    public var conditions: MockConditions
    /// The answers in the order in which they are given; at least one.
    public var responses: [MockResponse]
    /// What happens after the last answer.
    public var order: Order
    /// The place of the request line.
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

    /// The request line as it is shown to people: `GET /books/{id}`.
    public var requestLine: String {
        if let method { "\(method) \(path.text)" } else { path.text }
    }
}

/// What a route's `when` asks of a request; every condition must hold.
public struct MockConditions: Sendable {
    /// Query parameters: one value of that name must match.
    public var query: [ExpectationSet.Named]
    /// Header fields: one field of that name must match.
    public var headers: [ExpectationSet.Named]
    /// Cookies that the request sends.
    public var cookies: [ExpectationSet.Named]
    /// Fields of a form that the body is.
    public var form: [ExpectationSet.Named]
    /// Values that JSONPaths select in a JSON body.
    public var json: [ExpectationSet.JSON]
    /// The whole body: a JSON body's value, otherwise its text.
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

    /// True when nothing is asked.
    public var isEmpty: Bool {
        query.isEmpty && headers.isEmpty && cookies.isEmpty && form.isEmpty && json.isEmpty && body == nil
    }
}

/// An answer of a route.
public struct MockResponse: Sendable {
    /// The status code.
    public enum Status: Sendable {
        /// A number from 200 to 599.
        case code(Int)
        /// An expression that gives one for each request.
        case template(Template, range: SourceRange)
    }

    /// What an answer carries.
    public enum Body: Sendable {
        /// Nothing.
        case none
        /// A JSON value.
        case json(ValueTemplate)
        /// Text.
        case text(Template)
        /// Bytes, read when the mock file is loaded.
        case bytes([UInt8])
    }

    /// When the connection is dropped instead of the whole answer being sent.
    public enum Drop: String, Sendable, Hashable, CaseIterable {
        /// Before anything is sent.
        case beforeResponse
        /// After the head and the first half of the body.
        case withinBody
    }

    /// The status code.
    public var status: Status
    /// The answer's headers.
    public var headers: [RequestSpec.Header]
    /// What the answer carries.
    public var body: Body
    /// The body's media type; nil when there is no body or nothing is known of it. A Content-Type header overrides it.
    public var contentType: String?
    /// How long the server waits before it answers, in nanoseconds; nil waits as the defaults say.
    public var delay: Int64?
    /// When the connection is dropped; nil keeps it.
    public var drop: Drop?
    /// The place of the answer.
    public var range: SourceRange

    /// Creates an answer.
    public init(
        status: Status = .code(200), headers: [RequestSpec.Header] = [], body: Body = .none,
        contentType: String? = nil, delay: Int64? = nil, drop: Drop? = nil, range: SourceRange
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

/// A stateful resource of the mock server: its items can be created, read, replaced, updated, deleted and listed.
public struct MockCollection: Sendable {
    /// What the items' identifiers are.
    public enum Identifier: String, Sendable, Hashable, CaseIterable {
        /// Whole numbers, counted from 1 upwards.
        case integer
        /// Random UUIDs (RFC 9562, version 4).
        case uuid
        /// Text, given by the client or counted.
        case string
    }

    /// The collection's name.
    public var name: String
    /// The path of the collection; an item has one segment more.
    public var path: String
    /// What the items' identifiers are.
    public var identifier: Identifier
    /// The member that holds an item's identifier.
    public var key: String
    /// The items with which every run begins.
    public var seed: [JSONObject]
    /// The place of the collection's name.
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
