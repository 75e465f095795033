import Basics
import JSON
import OpenAPI
import RunModel

/// A judge of responses to generated requests.
///
/// It reports only what the exchange proves: a request counts as valid or invalid only if the bytes that were sent are
/// so by the description.
struct FuzzJudge {
    private static let maximumScannedBytes = 1 << 20

    let contract: Contract
    /// The same description, whose formats count as constraints of requests.
    let strictContract: Contract
    let operations: [Operation]
    let checks: Set<FuzzCheck>
    /// The base URL of the requests.
    let baseURL: String
    /// Whether the user has given credentials. Without them, a server that accepts any is made for tests.
    let hasCredentials: Bool
    /// The maximum duration of an exchange, in nanoseconds; nil for none.
    let maximumDuration: Int64?

    /// Returns the faults that an exchange shows.
    ///
    /// - Parameter followed: The exchange of the test that this one follows, or `nil` if there is none.
    func findings(_ test: GeneratedTest, _ exchange: Exchange, followed: Exchange?) -> [FuzzFinding] {
        var found: [FuzzFinding] = []
        func add(
            _ check: FuzzCheck, _ message: MessageText, _ details: [MessageText] = [], place: String = ""
        ) {
            guard checks.contains(check) else { return }
            found.append(
                FuzzFinding(
                    check: check, test: test, message: message, details: details, place: place, exchange: exchange))
        }
        guard let response = exchange.response, exchange.failure == nil else {
            if let failure = exchange.failure, failure.showsFault {
                add(.noResponse, "the server did not respond: \(failure.message)", place: failure.kind.rawValue)
            }
            return found
        }
        let differences = differences(test, exchange, response)
        let violations = differences.filter(\.rule.isAboutRequest)
        let status = response.status
        let type = response.header("Content-Type").map { MediaRange($0) }
        let isMalformed =
            type?.isJSON == true && !response.body.isEmpty && response.wholeSize == nil
            && (try? JSONParser().parse(response.body)) == nil
        if isMalformed { add(.malformedBody, "the response body is not JSON", place: "\(status)") }
        for difference in differences where !(isMalformed && difference.rule == .responseBody) {
            guard let check = FuzzCheck(difference.rule), isReported(difference, test, status) else { continue }
            if check == .serverError {
                add(.serverError, "the server failed with status \(status)", [], place: "\(status)")
            } else {
                add(
                    check, Self.sentence(difference), difference.instances + described(difference),
                    place: place(of: difference, status))
            }
        }
        if status == 500, !found.contains(where: { $0.check == .serverError }) {
            add(.serverError, "the server failed with status 500", [], place: "500")
        }
        if let kind = StackTrace.kind(in: response.body.prefix(Self.maximumScannedBytes)) {
            add(.leakedDetails, "the response contains a \(kind.rawValue) stack trace", place: kind.rawValue)
        }
        if let maximumDuration, exchange.timings.total > maximumDuration {
            let milliseconds = exchange.timings.total / 1_000_000
            add(.tooSlow, "the response took \(milliseconds) ms; the maximum is \(maximumDuration / 1_000_000) ms")
        }
        // An unsuccessful or unfinished request may not have stored or deleted anything.
        if test.follows != nil, !(followed?.isComplete ?? false) { return found }
        if test.intent == .readsStored, let followed, !followed.mentions(resourceOf: exchange) { return found }
        judge(test, response, violations, add)
        return found
    }

    /// Returns whether a server can tell valid credentials of an operation from others. An API key can be a mere name.
    private func isVerifiable(_ operation: Int) -> Bool {
        operations[operation].security.allSatisfy { requirement in
            requirement.schemes.allSatisfy { entry in
                switch contract.description.securityScheme(named: entry.name)?.kind {
                case .http?, .oauth2?, .openIDConnect?: true
                case .apiKey?, .mutualTLS?, nil: false
                }
            }
        }
    }

    /// Returns the operation of a `GET` request for a URL, or `nil` if there is none.
    func operation(ofReading url: String) -> Int? { contract.operation(method: "GET", url: url, baseURL: baseURL) }

    /// Returns whether the request of an exchange is proved to be valid by the description.
    func isValid(_ test: GeneratedTest, _ exchange: Exchange) -> Bool {
        guard exchange.response != nil, test.isProvable else { return false }
        return violations(test, exchange).isEmpty
    }

    /// Returns the constraints of the description that the request of an exchange violates.
    func violations(_ test: GeneratedTest, _ exchange: Exchange) -> [ContractFinding] {
        guard let response = exchange.response else { return [] }
        return differences(test, exchange, response).filter(\.rule.isAboutRequest)
    }

    /// Adds the faults that depend on the intent of the request.
    private func judge(
        _ test: GeneratedTest, _ response: Exchange.Response, _ violations: [ContractFinding],
        _ add: (FuzzCheck, MessageText, [MessageText], String) -> Void
    ) {
        let status = response.status
        let isAccepted = status / 100 == 2
        switch test.intent {
        // Whether a server understands another media type than the documented ones is its own decision.
        case .valid, .variant, .unknownMediaType, .malformedBody: break
        case .invalid, .missingHeader:
            // Without a violation, the serialization has lost the fault.
            guard isAccepted, let violation = violations.first(where: { $0.rule != .missingSecurity }) else { return }
            let check: FuzzCheck = test.intent == .missingHeader ? .missingHeaderAccepted : .invalidRequestAccepted
            add(
                check, "the server accepted an invalid request with status \(status): \(Self.sentence(violation))",
                described(violation), violation.subject)
        case .unsupportedMethod:
            if isAccepted {
                add(
                    .unsupportedMethod,
                    "the server accepted the undocumented method \(test.request.method) with status \(status)", [],
                    test.request.method)
            } else if status == 405, response.header("Allow") == nil {
                add(.unsupportedMethod, "the response with status 405 has no Allow header", [], "Allow")
            }
        case .withoutCredentials where isAccepted:
            add(
                .ignoredCredentials,
                "the server accepted a request without the required credentials with status \(status)", [], "")
        case .invalidCredentials where isAccepted && hasCredentials && isVerifiable(test.operation):
            add(.ignoredCredentials, "the server accepted invalid credentials with status \(status)", [], "")
        case .readsDeleted where isAccepted:
            add(.useAfterDelete, "the deleted resource can still be read, with status \(status)", [], "")
        case .readsStored where status == 404 || status == 410:
            add(.createdNotFound, "the stored resource cannot be read: got status \(status)", [], "")
        case .withoutCredentials, .invalidCredentials, .readsDeleted, .readsStored: break
        }
    }

    /// Returns the differences between an exchange and the description.
    private func differences(
        _ test: GeneratedTest, _ exchange: Exchange, _ response: Exchange.Response
    ) -> [ContractFinding] {
        let request = exchange.request
        let isWhole = response.wholeSize == nil
        // An unsupported method has no operation.
        if test.intent == .unsupportedMethod { return [] }
        let sent = ContractExchange(
            method: request.method, url: request.url, baseURL: baseURL,
            requestHeaders: request.headers.map { ($0.name, $0.value) },
            requestBody: request.streamedSize == nil && request.wholeSize == nil ? request.body : nil,
            status: response.status, responseHeaders: response.headers.map { ($0.name, $0.value) },
            responseBody: response.body)
        let violations = strictContract.check(sent, operation: test.operation).findings.filter(\.rule.isAboutRequest)
        let differences = contract.check(sent, operation: test.operation).findings.filter {
            !$0.rule.isAboutRequest && (isWhole || $0.rule != .responseBody)
        }
        return violations + differences
    }

    /// Returns whether a difference of a response is a fault, whatever the server was asked for.
    private func isReported(_ difference: ContractFinding, _ test: GeneratedTest, _ status: Int) -> Bool {
        guard difference.rule == .undocumentedStatus else { return difference.isError }
        if status / 100 == 2 || status / 100 == 3 { return true }
        // Only the refusal of a valid request shows that the description lacks a status. Any server may refuse requests
        // because of its load or of the state of its resources.
        return test.intent.isValid && test.isProvable && status < 500
            && ![404, 408, 409, 410, 412, 423, 429].contains(status)
    }

    /// Returns the place of a difference, which is the same for all differences with one cause.
    private func place(of difference: ContractFinding, _ status: Int) -> String {
        if difference.rule == .undocumentedStatus { return "\(status)" }
        return difference.location.map { "\($0.file.location) \($0.pointer)" } ?? difference.subject
    }

    static func sentence(_ difference: ContractFinding) -> MessageText {
        difference.subject == "request" ? difference.message : "\(difference.subject): \(difference.message)"
    }

    private func described(_ difference: ContractFinding) -> [MessageText] {
        difference.locationText.map { ["described at \($0)"] } ?? []
    }
}

extension GeneratedTest {
    /// Whether the validity of the request can be proved.
    fileprivate var isProvable: Bool { request.body?.key != BodyBuilder.Body.uncheckedKey }
}

extension Exchange {
    /// Whether the response says that the request has taken effect.
    fileprivate var isComplete: Bool { response.map { $0.status / 100 == 2 && $0.status != 202 } ?? false }

    /// Returns whether this exchange mentions the last part of another one's path.
    ///
    /// A request with a made-up identifier proves nothing about the stored resource.
    fileprivate func mentions(resourceOf other: Exchange) -> Bool {
        let path = other.request.url.prefix { $0 != "?" }
        guard let last = path.split(separator: "/").last.map(String.init), let response else { return false }
        if request.url.prefix(while: { $0 != "?" }) == path { return true }
        return String(decoding: response.body, as: UTF8.self).contains(last)
            || response.header("Location")?.contains(last) ?? false
    }
}

extension Exchange.Failure {
    /// Whether the failure is the server's fault after a connection was established.
    fileprivate var showsFault: Bool { phase == .firstByte || phase == .receive || phase == .decode }
}

/// The stack traces of the usual languages.
enum StackTrace: String, CaseIterable {
    case python = "Python"
    case java = "Java"
    case dotNET = ".NET"
    case node = "Node.js"
    case go = "Go"
    case php = "PHP"
    case ruby = "Ruby"
    case rust = "Rust"

    /// Strings that a trace contains, all of them.
    private var marks: [String] {
        switch self {
        case .python: ["Traceback (most recent call last)", "File \"", ", line "]
        case .java: ["\tat ", ".java:"]
        case .dotNET: ["   at ", ".cs:line "]
        case .node: ["    at ", ".js:"]
        case .go: ["goroutine ", "[running]", ".go:"]
        case .php: ["Stack trace:", "#0 ", ".php"]
        case .ruby: [".rb:", ":in `"]
        case .rust: ["thread '", "panicked at "]
        }
    }

    /// Returns a string of the stack trace in a response.
    static func mark(in exchange: Exchange) -> String {
        kind(in: exchange.response?.body ?? [])?.marks.first?.escaped ?? ""
    }

    /// Returns the kind of the stack trace in a body, or `nil` if there is none.
    static func kind(in body: some Collection<UInt8>) -> StackTrace? {
        let text = String(decoding: body, as: UTF8.self)
        return allCases.first { kind in kind.marks.allSatisfy { text.contains($0) || text.contains($0.escaped) } }
    }
}

extension String {
    /// The text as it appears within a JSON string.
    fileprivate var escaped: String {
        replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
    }
}
