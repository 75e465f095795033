import Basics
import OpenAPI

/// The suite of a finding, which fails until the fault is fixed.
struct FoundSuite {
    private let finding: FuzzFinding
    private let plan: FuzzPlan
    private let contractPath: String

    /// Creates the suite of a finding.
    ///
    /// - Parameter contractPath: The path of the description relative to the suite's directory.
    init(_ finding: FuzzFinding, _ plan: FuzzPlan, contractPath: String) {
        self.finding = finding
        self.plan = plan
        self.contractPath = contractPath
    }

    /// The suite as YAML.
    var text: String {
        var last = plan.withoutSecrets(finding.test)
        last.tags = []
        last.captures = []
        last.expect = expectation
        let support = plan.predecessors(of: finding).map { test in
            var test = test
            test.expect = finding.mayRefuse(test) ? .map([("status", Self.anyRefusal)]) : .text("2xx")
            test.tags = []
            test.captures = test.captures.map { ($0.0, $0.1.withoutDefault) }
            return test
        }
        let head: [(String, SuiteNode)] =
            finding.check.isAboutContract ? [("contract", contract)] : []
        let (tests, variables) = plan.named(support + [last], \.random)
        return plan.text(
            tests, server: plan.replayServer, head: head, variables: variables, headers: plan.replayHeaders,
            name: "\(finding.check.rawValue): \(plan.operations[finding.test.operation].title)", logsIn: true)
    }

    /// The statuses of responses that are not failures of the server.
    private static let anyRefusal = SuiteNode.list([.text("2xx"), .text("3xx"), .text("4xx")])

    private var contract: SuiteNode {
        let path = SuiteNode.text(SuiteNode.escaped(contractPath))
        var keys = [("file", path)]
        if finding.check == .undocumentedStatus {
            keys.append(("severity", .map([("undocumented-status", .text("error"))])))
        }
        // The login may be described elsewhere.
        if plan.logsIn { keys.append(("ignore", .list([.text("undocumented-operation")]))) }
        return keys.count == 1 ? path : .map(keys)
    }

    /// The expectation that a sound server meets.
    private var expectation: SuiteNode? {
        switch finding.check {
        case .serverError, .noResponse, .tooSlow, .leakedDetails:
            guard finding.check == .leakedDetails else { return .map([("status", Self.anyRefusal)]) }
            return .map([
                ("body", .map([("not", .map([("contains", .text(LeakedDetail.mark(in: finding.exchange)))]))]))
            ])
        case .undocumentedStatus, .undocumentedContentType, .malformedBody, .responseBody, .responseHeaders,
            .missingResponseHeader:
            return finding.test.intent.isValid ? nil : .map([("contract", .map([("request", .plain("false"))]))])
        case .invalidRequestAccepted, .missingHeaderAccepted: return .text("4xx")
        case .validRequestRefused: return .text("2xx")
        case .foreignObject:
            return .map([("status", .list([.plain("401"), .plain("403"), .plain("404")]))])
        case .ignoredCredentials: return .map([("status", .list([.plain("401"), .plain("403")]))])
        case .unsupportedMethod:
            return .map([("status", .plain("405")), ("headers", .map([("Allow", .map([("exists", .plain("true"))]))]))])
        case .useAfterDelete: return .map([("status", .list([.plain("404"), .plain("410")]))])
        case .createdNotFound: return .text("2xx")
        }
    }

    /// Returns the name of the file without its extension: `post-books-server-error`.
    func fileName(_ operation: Operation) -> String {
        let words = operation.title.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        return (words.prefix(8).map(String.init) + [finding.check.rawValue]).joined(separator: "-")
    }
}

extension FuzzFinding {
    /// Returns whether the fault does not depend on the success of a request before.
    fileprivate func mayRefuse(_ test: GeneratedTest) -> Bool {
        before != nil && test.definitions.isEmpty && test.request.method != "DELETE"
    }
}

extension SuiteNode {
    /// A capture of the body without its default, as a plain path.
    fileprivate var withoutDefault: SuiteNode {
        guard case .members(let map) = self, let path = map.entries.first(where: { $0.0 == "json" }) else {
            return self
        }
        return path.1
    }
}

extension FuzzCheck {
    /// Whether the contract of a suite makes the check.
    fileprivate var isAboutContract: Bool {
        switch self {
        case .undocumentedStatus, .undocumentedContentType, .malformedBody, .responseBody, .responseHeaders,
            .missingResponseHeader:
            true
        case .serverError, .noResponse, .invalidRequestAccepted, .missingHeaderAccepted, .validRequestRefused,
            .ignoredCredentials, .unsupportedMethod, .useAfterDelete, .createdNotFound, .foreignObject, .tooSlow,
            .leakedDetails:
            false
        }
    }
}
