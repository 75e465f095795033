import Basics
import JSON
import OpenAPI
import RunModel

/// A judge of responses to generated requests.
///
/// It reports only what the exchange proves: a request counts as valid or invalid only if the bytes that were sent are
/// so by the description.
struct FuzzJudge {
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
    /// - Parameters:
    ///   - followed: The exchange of the test that this one follows, or `nil` if there is none.
    ///   - known: The differences between the exchange and the description, or `nil` to determine them.
    func findings(
        _ test: GeneratedTest, _ exchange: Exchange, followed: Exchange?, differences known: [ContractFinding]? = nil
    ) -> [FuzzFinding] {
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
        if test.hasUnusualPath, !Self.showsOperation(exchange, response) {
            addFailures(test, exchange, response, add)
            return found
        }
        let differences = known ?? differences(test, exchange)
        let violations = differences.filter(\.rule.isAboutRequest)
        let status = response.status
        let type = response.header("Content-Type").map { MediaRange($0) }
        let isMalformed =
            type?.isJSON == true && !response.body.isEmpty && response.wholeSize == nil
            && (try? JSONParser().parse(response.body)) == nil
        if isMalformed { add(.malformedBody, "the response body is not JSON", place: "\(status)") }
        for difference in differences where !(isMalformed && difference.rule == .responseBody) {
            guard let check = FuzzCheck(difference.rule), isReported(difference, test, violations, status) else {
                continue
            }
            if check == .serverError {
                add(.serverError, "the server failed with status \(status)", [], place: "\(status)")
            } else {
                add(
                    check, Self.sentence(difference), difference.instances + described(difference),
                    place: place(of: difference, status))
            }
        }
        addFailures(test, exchange, response) { check, message, details, place in
            if check == .serverError, found.contains(where: { $0.check == .serverError }) { return }
            add(check, message, details, place: place)
        }
        // An unsuccessful or unfinished request may not have stored or deleted anything.
        if test.follows != nil, !(followed?.isComplete ?? false) { return found }
        if test.intent == .readsStored, let followed, !followed.mentions(resourceOf: exchange) { return found }
        judge(test, response, violations, add)
        return found
    }

    /// Adds the faults that a response shows, whatever the request was.
    private func addFailures(
        _ test: GeneratedTest, _ exchange: Exchange, _ response: Exchange.Response,
        _ add: (FuzzCheck, MessageText, [MessageText], String) -> Void
    ) {
        if response.status == 500 { add(.serverError, "the server failed with status 500", [], "500") }
        if let detail = LeakedDetail.detail(in: response) {
            add(.leakedDetails, "the response contains \(detail.wording)", [], detail.rawValue)
        }
        if let maximumDuration, exchange.timings.total > maximumDuration {
            let milliseconds = exchange.timings.total / 1_000_000
            add(
                .tooSlow, "the response took \(milliseconds) ms; the maximum is \(maximumDuration / 1_000_000) ms", [],
                "")
        }
    }

    /// Returns whether the response to a request with an unusual path comes from the operation.
    ///
    /// Servers and the software in front of them often refuse such paths, or decode delimiters too early.
    private static func showsOperation(_ exchange: Exchange, _ response: Exchange.Response) -> Bool {
        guard response.status / 100 == 2 else { return false }
        let path = exchange.request.url.prefix { $0 != "?" }.uppercased()
        return !delimiters.contains { path.contains($0) }
    }

    /// The encoded delimiters and control characters that some software decodes before it finds the operation, and dots
    /// that it may resolve.
    private static let delimiters = [
        "%2F", "%5C", "%25", "%3B", "%3F", "%23", "..", "%00", "%01", "%09", "%0A", "%0D", "%20",
    ]

    /// Returns whether the exchanges of a finding's test and of those before it show the same fault.
    func occurs(_ finding: FuzzFinding, _ before: [GeneratedTest], _ exchanges: [Exchange?]) -> Bool {
        guard exchanges.count == before.count + 1, case let exchange?? = exchanges.last else { return false }
        let cause = finding.cause
        if finding.before != nil {
            return WalkJudge(judge: self).findings(before + [finding.test], exchanges).contains { $0.cause == cause }
        }
        let position = finding.test.follows.flatMap { name in before.firstIndex { $0.name == name } }
        return findings(finding.test, exchange, followed: position.flatMap { exchanges[$0] }).contains {
            $0.cause == cause
        }
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
        differences(test, exchange).filter(\.rule.isAboutRequest)
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
            if test.request.method == "GET" {
                add(.useAfterDelete, "the deleted resource can still be read, with status \(status)", [], "")
            } else if status != 201, status != 202 {
                add(.useAfterDelete, "the deleted resource can still be changed, with status \(status)", [], "")
            }
        case .readsStored where status == 404 || status == 410:
            add(.createdNotFound, "the stored resource cannot be read: got status \(status)", [], "")
        case .withoutCredentials, .invalidCredentials, .readsDeleted, .readsStored: break
        }
    }

    /// Returns the differences between an exchange and the description; none without a response.
    func differences(_ test: GeneratedTest, _ exchange: Exchange) -> [ContractFinding] {
        // An unsupported method has no operation.
        guard let response = exchange.response, test.intent != .unsupportedMethod else { return [] }
        let request = exchange.request
        let isWhole = response.wholeSize == nil
        let sent = ContractExchange(
            method: request.method, url: request.url, baseURL: baseURL,
            requestHeaders: request.headers.map { ($0.name, $0.value) },
            requestBody: request.streamedSize == nil && request.wholeSize == nil ? request.body : nil,
            status: response.status, responseHeaders: response.headers.map { ($0.name, $0.value) },
            responseBody: response.body)
        // After a server error, one difference of both messages is kept.
        let (first, second): (ContractMessage?, ContractMessage?) =
            response.status < 500 ? (.request, .response) : (nil, nil)
        let violations = strictContract.findings(sent, operation: test.operation, only: first)
            .filter(\.rule.isAboutRequest)
        let differences = contract.findings(sent, operation: test.operation, only: second).filter {
            !$0.rule.isAboutRequest && (isWhole || $0.rule != .responseBody)
        }
        return violations + differences
    }

    /// Returns whether a difference of a response is a fault, whatever the server was asked for.
    private func isReported(
        _ difference: ContractFinding, _ test: GeneratedTest, _ violations: [ContractFinding], _ status: Int
    ) -> Bool {
        guard difference.rule == .undocumentedStatus else { return difference.isError }
        if status / 100 == 2 || status / 100 == 3 { return true }
        // Only the refusal of a valid request shows that the description lacks a status. Any server may refuse requests
        // because of its load or of the state of its resources.
        return test.intent.isValid && test.isProvable && violations.isEmpty && status < 500
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
        difference.locationText.map { ["described at \(MessageText(words: $0))"] } ?? []
    }
}

extension GeneratedTest {
    /// Whether the validity of the request can be proved.
    fileprivate var isProvable: Bool { request.body?.key != BodyBuilder.Body.uncheckedKey }
}

extension Exchange {
    /// Whether the response says that the request has taken effect.
    var isComplete: Bool { response.map { $0.status / 100 == 2 && $0.status != 202 } ?? false }

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
    var showsFault: Bool { phase == .firstByte || phase == .receive || phase == .decode }
}
