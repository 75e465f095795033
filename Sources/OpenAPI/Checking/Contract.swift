public import JSON
import Synchronization

/// A description that exchanges are held against: its operations, their schemas compiled at their first use.
///
/// One serves all tasks of a run.
public final class Contract: Sendable {
    /// The description.
    public let description: OpenAPIDescription
    /// How it is called in reports: its path as it was given.
    public let name: String
    let router: OperationRouter
    let operations: [ContractOperation]
    /// The parts that exchanges can be instances of, in the order of the description.
    public let parts: [ContractPart]
    private let positions: [String: Int]
    /// The media types of messages by their text: a run has few of them, and each message names one.
    private let mediaTypes = Mutex<[String: MediaRange]>([:])
    private let index = MadeOnce<PathIndex>()
    /// How many media types are kept; servers may add a parameter of their own to each.
    private static let mostMediaTypes = 256

    /// Prepares a description.
    ///
    /// - Parameters:
    ///   - name: How it is called in reports.
    ///   - assertsFormat: Whether `format` is checked.
    ///   - basePath: What precedes the documented paths in requests, in the place of the servers' paths.
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

    /// The index of the operation with an `operationId`, or a method and a path; nil when there is none.
    public func operation(named name: String) -> Int? { positions[name] }

    /// The names by which operations can be asked for, for suggestions: `operationId`s, or methods and paths.
    public var operationNames: [String] { operations.map { $0.operation.id ?? $0.title } }

    /// The paths as tables, made at the first call.
    var pathIndex: PathIndex { index.value { router.pathIndex } }

    /// The media type that a text names, taken apart.
    func mediaType(_ text: String) -> MediaRange {
        if let known = mediaTypes.withLock({ $0[text] }) { return known }
        let type = MediaRange(text)
        mediaTypes.withLock { if $0.count < Self.mostMediaTypes { $0[text] = type } }
        return type
    }

    /// Holds an exchange against the description.
    ///
    /// - Parameters:
    ///   - settings: What is looked at, and how grave it is.
    ///   - operation: The index of the operation that it is for, where the suite says so.
    ///   - json: Gives the response's body as JSON.
    /// - Returns: What is different; nothing for an exchange with a server that the description is not about.
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

    /// Holds an exchange against the description.
    public func check(
        _ exchange: ContractExchange, settings: ContractSettings = ContractSettings(), operation: Int? = nil
    ) -> ContractOutcome {
        check(exchange, settings: settings, operation: operation) { () throws(JSONParseError) in
            try JSONParser().parse(exchange.responseBody)
        }
    }
}

/// What exchanges are held against, and how grave a difference is.
public struct ContractSettings: Sendable, Hashable {
    /// How grave a difference is.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// The step fails.
        case error
        /// The run says it once.
        case warning
        /// It is not looked at.
        case off
    }

    /// Whether requests are held against the description, or responses alone.
    public var checksRequests = true
    /// Whether a test ends with the first step in which something is different.
    public var stops = false
    /// Severities that replace those of the rules.
    public var severities: [ContractRule: Severity] = [:]

    /// Creates the usual settings.
    public init() {}

    /// Whether a rule is looked at.
    public func checks(_ rule: ContractRule) -> Bool {
        (checksRequests || !rule.isAboutRequest) && severities[rule] != .off
    }
}
