public import Basics
public import CEL
import JSON
public import OpenAPI
public import RunModel
public import SuiteModel

extension ExpectationChecker {
    /// Checks an exchange against a suite's contract.
    ///
    /// - Parameters:
    ///   - expected: The step's expectations of the contract.
    ///   - settings: The suite's enabled checks and the severity of their findings.
    ///   - content: The exchange, with the cached representations of its body.
    ///   - scope: The variables available to the step's expressions.
    /// - Returns: The differences; nil if the step disables the check.
    public func check(
        _ contract: ContractChecker, settings: ContractSettings, _ expected: ContractExpectation?,
        content: ResponseContent, scope: some CELScope, context: CELContext
    ) -> ContractVerdict? {
        var expected = expected
        var verdict = ContractVerdict()
        do {
            try expected?.resolve(in: scope, context: context)
        } catch {
            verdict.findings.append(
                Finding(
                    kind: .error, subject: .contract(nil), type: .expression, message: error.message,
                    range: error.range))
            return verdict
        }
        if expected?.isOff == true { return nil }
        var operation: Int?
        if let name = expected?.operation {
            operation = contract.contract.operation(named: name)
            // Operations are resolved at load time, except those named in a fragment.
            guard operation != nil else {
                verdict.findings.append(
                    Finding(
                        kind: .error, subject: .contract(nil), type: .init("unknown-operation"),
                        message: "the contract has no operation \"\(name)\"", range: expected?.range))
                return verdict
            }
        }
        verdict.outcome = contract.check(
            ContentTraffic(content), settings: expected?.applied(to: settings), operation: operation)
        for finding in verdict.outcome.findings {
            if finding.isError {
                verdict.findings.append(Self.finding(finding, endsTest: settings.stops))
            } else {
                verdict.warnings.append(finding)
            }
        }
        return verdict
    }

    private static func finding(_ finding: ContractFinding, endsTest: Bool) -> Finding {
        var result = Finding(
            subject: .contract(finding.rule.rawValue), type: .init(finding.rule),
            message: finding.sentence, expected: finding.expected, actual: finding.actual, details: finding.notes)
        result.endsTest = endsTest
        return result
    }
}

extension Finding.Reason {
    /// Creates the reason of a finding about a contract rule.
    public init(_ rule: ContractRule) { self.init(rule.rawValue) }
}

extension ContractExpectation {
    /// Evaluates the expressions that select the parts of the contract to check.
    mutating func resolve(in scope: some CELScope, context: CELContext) throws(TemplateError) {
        if let condition { isOff = try !boolean(condition, in: scope, context: context) }
        if let requestCondition {
            checksRequest = try boolean(requestCondition, in: scope, context: context)
        }
        if let chosenOperation { operation = try chosenOperation.text(in: scope, context: context) }
    }

    private func boolean(
        _ template: Template, in scope: some CELScope, context: CELContext
    ) throws(TemplateError) -> Bool {
        let value = try template.value(in: scope, context: context)
        if case .bool(let result) = value { return result }
        // Values of rows may be strings, such as those from CSV files.
        switch try template.text(in: scope, context: context) {
        case "true": return true
        case "false": return false
        default:
            throw TemplateError(
                message: "expected true or false, got \(value.description) (\(value.typeName))", range: range,
                expression: "")
        }
    }
}

extension ContractFinding {
    /// The operation, the location in the exchange, and the difference.
    public var sentence: MessageText {
        // The message of a finding without an operation names the request, so a location would add nothing.
        guard let operation else { return message }
        return subject == "request" ? "\(operation): \(message)" : "\(operation): \(subject): \(message)"
    }

    /// Additional lines: the first locations of a repeated difference, the location in the description, and a
    /// suggestion.
    public var notes: [MessageText] {
        instances + (locationText.map { ["described at \($0)"] } ?? []) + (suggestion.map { [$0] } ?? [])
    }
}

/// The result of checking an exchange against a suite's contract.
public struct ContractVerdict: Sendable {
    /// The findings of error severity, for the step.
    public var findings: [Finding] = []
    /// The findings of warning severity, for the run.
    public var warnings: [ContractFinding] = []
    /// All findings, and the covered parts of the contract.
    public var outcome = ContractOutcome()
}

/// The view of an exchange that contract checks use.
final class ContentTraffic: ContractTraffic {
    private let content: ResponseContent
    private let request: Exchange.Request
    private let responseHeaders: [HeaderField]

    init(_ content: ResponseContent) {
        self.content = content
        request = content.exchange.request
        responseHeaders = content.headers
    }

    var method: String { request.method }
    var url: String { request.url }
    var requestBody: [UInt8]? { request.streamedSize == nil ? request.body : nil }
    var status: Int { content.status }
    var responseBody: [UInt8] { content.bytes }
    var hasItems: Bool { items?.isEmpty == false }

    var exchange: ContractExchange {
        ContractExchange(
            method: method, url: url, requestHeaders: request.headers.map { ($0.name, $0.value) },
            requestBody: requestBody, status: status, responseHeaders: responseHeaders.map { ($0.name, $0.value) },
            responseBody: responseBody, items: items)
    }

    func requestHeader(_ name: HeaderName) -> HeaderLookup { Self.fields(name, in: request.headers) }

    func responseHeader(_ name: HeaderName) -> HeaderLookup { Self.fields(name, in: responseHeaders) }

    func json() throws(JSONParseError) -> JSONValue { try content.json() }

    private var items: [JSONValue]? {
        guard let details = content.exchange.details, details.streamEnd != nil else { return nil }
        return details.events
    }

    private static func fields(_ name: HeaderName, in fields: [HeaderField]) -> HeaderLookup {
        var lookup = HeaderLookup.none
        // Accessed by index, because a copy of each field would retain its references.
        for index in fields.indices where name.matches(fields[index].name) { lookup.add(fields[index].value) }
        return lookup
    }
}
