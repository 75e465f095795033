import Basics
public import JSON
public import OpenAPI

/// The options of a fuzz run.
public struct FuzzOptions: Sendable {
    /// The URL that the documented paths follow.
    public var baseURL: String
    /// The phases to run.
    public var phases = Set(FuzzPhase.allCases)
    /// The checks to make.
    public var checks = Set(FuzzCheck.allCases)
    /// The patterns of the operations to test: an `operationId`, or a method and a path, with `*` for any text. If empty,
    /// all operations are tested.
    public var operations: [String] = []
    /// The number of random requests for each operation; nil for as many as the time allows.
    public var cases: Int? = 100
    /// The time for random requests, in nanoseconds; nil for no limit.
    public var duration: Int64?
    /// The duration of an exchange above which it is a fault, in nanoseconds; nil for none.
    public var maximumDuration: Int64?
    /// The seed of random values.
    public var seed: UInt64 = 1
    /// Header fields of all requests, such as `Authorization`.
    public var headers: [(name: String, value: String)] = []

    /// Whether to learn rules that the description lacks from the responses to refused requests.
    public var learns = true

    /// The header fields of up to two users. The first one sends all other requests, unless a login does.
    public var identities: [(name: String, header: (name: String, value: String))] = []

    /// The names of the environment variables, from which credentials may come.
    public var environment: Set<String> = []

    /// The login that provides the credentials of all requests.
    public var login: FuzzLogin?
    /// The keys of suites that start the server, for the suites of findings; `nil` for a server that is running.
    public var server: JSONObject?
    /// The operations to test among those of ``operations``, by method and path; `nil` for all of them.
    public var titles: Set<String>?

    /// The header fields of all requests, including those of the first user.
    var allHeaders: [(name: String, value: String)] {
        headers + (login == nil ? identities.prefix(1).map(\.header) : [])
    }

    /// The user who must not see the objects of the one who sends all other requests; `nil` if there is only one.
    var otherUser: (name: String, header: (name: String, value: String))? {
        identities.dropFirst(login == nil ? 1 : 0).first
    }

    /// The names of the header fields of all requests.
    var fieldNames: [String] { allHeaders.map(\.name) + (login?.fields.map(\.name) ?? []) }

    /// Whether some operations may be left out.
    var isPartial: Bool { !operations.isEmpty || titles != nil }

    /// Creates options with the default values.
    public init(baseURL: String) { self.baseURL = baseURL }

    /// The path of the base URL.
    var basePath: String { ServerAddress(text: baseURL).path }

    /// Returns whether an operation is tested.
    public func takes(_ operation: Operation) -> Bool {
        if let titles, !titles.contains(operation.title) { return false }
        return operations.isEmpty
            || operations.lazy.map { WildcardPattern($0) }.contains { pattern in
                pattern.matches(operation.title) || operation.id.map { pattern.matches($0) } ?? false
            }
    }
}
