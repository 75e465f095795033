public import JSON
import Synchronization

/// A description prepared for validating exchanges. Each schema is compiled on first use.
///
/// A single instance serves all tasks of a run.
public final class Contract: Sendable {
    /// The OpenAPI description.
    public let description: OpenAPIDescription
    /// The name shown in reports, which is the path as the user wrote it.
    public let name: String
    let router: OperationRouter
    let operations: [ContractOperation]
    /// The parts that exchanges can cover, in the order of the description.
    public let parts: [ContractPart]
    private let positions: [String: Int]
    /// Parsed media types by their header value. A run uses few distinct ones, and every message names one.
    private let mediaTypes = Mutex<[String: MediaRange]>([:])
    private let index = MadeOnce<PathIndex>()
    /// The maximum number of cached media types. The limit exists because servers may add a unique parameter to each.
    private static let maximumMediaTypes = 256

    /// Creates a contract from a description.
    ///
    /// - Parameters:
    ///   - name: The name shown in reports.
    ///   - assertsFormat: Whether to validate `format`.
    ///   - basePath: The prefix of the documented paths in requests, replacing the paths of the servers.
    public init(
        _ description: OpenAPIDescription, name: String, assertsFormat: Bool = false, basePath: String? = nil
    ) {
        self.description = description
        self.name = name
        let all = description.operations
        router = OperationRouter(all, basePath: basePath)
        let schemas = ContractSchemas(description, assertsFormat: assertsFormat)
        var parts: [ContractPart] = []
        operations = all.map { ContractOperation($0, schemas, &parts) }
        self.parts = parts
        var positions: [String: Int] = [:]
        for (index, operation) in all.enumerated() {
            if let id = operation.id, positions[id] == nil { positions[id] = index }
            if positions[operation.title] == nil { positions[operation.title] = index }
        }
        self.positions = positions
    }

    /// Returns the index of the operation with a name: its `operationId`, or its method and path.
    public func operation(named name: String) -> Int? { positions[name] }

    /// Returns the index of the operation of a request, or `nil` if the description has none for it.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The absolute URL.
    ///   - baseURL: The URL that the documented paths follow.
    package func operation(method: String, url: String, baseURL: String) -> Int? {
        if case .operation(let operation, _) = router.route(method: method, url: url, baseURL: baseURL) {
            operation
        } else {
            nil
        }
    }

    /// The names that identify operations, for suggestions: `operationId`s, or methods and paths.
    public var operationNames: [String] { operations.map { $0.operation.id ?? $0.title } }

    /// The lookup tables of the paths, built on first use.
    var pathIndex: PathIndex { index.value { router.pathIndex } }

    /// Returns the parsed media type of a header value, cached if possible.
    func mediaType(_ text: String) -> MediaRange {
        if let known = mediaTypes.withLock({ $0[text] }) { return known }
        let type = MediaRange(text)
        mediaTypes.withLock { if $0.count < Self.maximumMediaTypes { $0[text] = type } }
        return type
    }

    /// Validates an exchange against the description.
    ///
    /// - Parameters:
    ///   - exchange: The request and its response.
    ///   - settings: The rules to check and their severities.
    ///   - operation: The index of the operation, if the suite names one.
    ///   - json: A closure that returns the response's body as JSON.
    /// - Returns: The differences and the covered parts. The outcome is empty if the description does not cover the
    ///   server of the exchange.
    public func check(
        _ exchange: ContractExchange, settings: ContractSettings = ContractSettings(), operation: Int? = nil,
        json: () throws(JSONParseError) -> JSONValue
    ) -> ContractOutcome {
        withoutActuallyEscaping(json) { json in
            var check = ContractCheck(contract: self, exchange: exchange, settings: settings, json: json)
            check.run(operation)
            return check.outcome
        }
    }

    /// Validates one message of an exchange against the description, or both.
    ///
    /// - Parameters:
    ///   - operation: The index of the operation.
    ///   - message: The message to validate; nil for both.
    package func findings(
        _ exchange: ContractExchange, operation: Int, only message: ContractMessage?
    ) -> [ContractFinding] {
        var check = ContractCheck(contract: self, exchange: exchange, settings: ContractSettings()) {
            () throws(JSONParseError) in try JSONParser().parse(exchange.responseBody)
        }
        check.message = message
        check.run(operation)
        return check.outcome.findings
    }

    /// Validates an exchange against the description, parsing the response's body as JSON when needed.
    public func check(
        _ exchange: ContractExchange, settings: ContractSettings = ContractSettings(), operation: Int? = nil
    ) -> ContractOutcome {
        check(exchange, settings: settings, operation: operation) { () throws(JSONParseError) in
            try JSONParser().parse(exchange.responseBody)
        }
    }
}

/// A message of an exchange.
package enum ContractMessage: Sendable {
    case request, response
}

/// The checks of a contract and the severities of their findings.
public struct ContractSettings: Sendable, Hashable {
    /// The severity of a difference.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// The step fails.
        case error
        /// The run reports the difference once as a warning.
        case warning
        /// The rule is not checked.
        case off
    }

    /// A Boolean value that indicates whether to validate requests in addition to responses.
    public var checksRequests = true
    /// A Boolean value that indicates whether a test stops at the first step with a difference.
    public var stops = false
    /// The severities that override the defaults of the rules.
    public var severities: [ContractRule: Severity] = [:]

    /// Creates settings with the default values.
    public init() {}

    /// Returns whether a rule is enabled.
    public func checks(_ rule: ContractRule) -> Bool {
        (checksRequests || !rule.isAboutRequest) && severities[rule] != .off
    }
}
