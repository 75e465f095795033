public import CEL
import JSON
public import OpenAPI
public import RunModel
public import SuiteModel

extension ExpectationChecker {
    /// Holds an exchange against a suite's contract.
    ///
    /// - Parameters:
    ///   - expected: What the step says about it.
    ///   - settings: What the suite looks at, and how grave it is.
    ///   - content: The exchange with what was already derived from its body.
    ///   - scope: The variables that the step's expressions may use.
    /// - Returns: What is different; nil where the step says that the exchange is not to be looked at.
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
            // Only of a fragment this was not known before anything was sent.
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
            subject: .contract(finding.rule.rawValue), type: .init(finding.rule), message: finding.sentence,
            expected: finding.expected, actual: finding.actual, details: finding.notes)
        result.endsTest = endsTest
        return result
    }
}

extension Finding.Reason {
    /// The reason of a finding that a rule of a contract gives.
    public init(_ rule: ContractRule) { self.init(rule.rawValue) }
}

extension ContractExpectation {
    /// Evaluates the expressions that say which part of the contract counts.
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
        // Values of rows may be texts, as those of CSV files are.
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
    /// The operation, the place in the exchange, and what is different there.
    public var sentence: String {
        // What has no operation names the request in its message, and there the place says nothing.
        guard let operation else { return message }
        return subject == "request" ? "\(operation): \(message)" : "\(operation): \(subject): \(message)"
    }

    /// The first places of a difference in several, the place in the description, and what to do.
    public var notes: [String] {
        instances + (placeText.map { ["described at \($0)"] } ?? []) + (suggestion.map { [$0] } ?? [])
    }
}

/// What came of holding an exchange against a suite's contract.
public struct ContractVerdict: Sendable {
    /// The differences that are errors, for the step.
    public var findings: [Finding] = []
    /// The differences that are warnings, for the run.
    public var warnings: [ContractFinding] = []
    /// All of it, with what was covered.
    public var outcome = ContractOutcome()
}

/// An exchange as a contract sees it.
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
        // By index, as a copy of each field would count its references.
        for index in fields.indices where name.matches(fields[index].name) { lookup.add(fields[index].value) }
        return lookup
    }
}
