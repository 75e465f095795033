import Basics
public import Diagnostics
import JSON
public import OpenAPI
import YAML

/// The validation of pacts against a description, without a server.
///
/// The request of each interaction must be one that the description allows. The expected response must be one that the
/// description permits: it must not contain anything that the description does not promise, but can omit what the
/// consumer does not use.
public struct PactCheck: Sendable {
    /// The result for one pact.
    public struct Outcome: Sendable {
        /// The differences, and the interactions that were skipped, in the order of the file.
        public var diagnostics: [Diagnostic] = []
        /// The number of interactions that were validated.
        public var checked = 0
        /// The number of interactions that do not use HTTP.
        public var skipped = 0
    }

    private let contract: Contract

    /// Creates a check against a description.
    public init(_ description: OpenAPIDescription, name: String) {
        contract = Contract(description, name: name)
    }

    /// Validates all interactions of a pact.
    public func outcome(of pact: Pact) -> Outcome {
        var outcome = Outcome()
        for interaction in pact.interactions {
            switch interaction.content {
            case .messages(let type):
                outcome.skipped += 1
                outcome.diagnostics.append(
                    Diagnostic(
                        id: "skipped-interaction", severity: .note,
                        message: "\(Self.name(of: interaction)) was skipped: \(type) is not HTTP",
                        range: pact.document.location(of: interaction.tokens + ["description"])
                            ?? pact.document.location(of: interaction.tokens)))
            case .http(let request, let response):
                outcome.checked += 1
                for finding in findings(request, response) {
                    outcome.diagnostics.append(diagnostic(finding, interaction, request, response, in: pact))
                }
            }
        }
        return outcome
    }

    private func findings(_ request: PactRequest, _ response: PactResponse) -> [ContractFinding] {
        var settings = ContractSettings()
        settings.severities = [
            .undocumentedStatus: .error, .missingResponseHeader: .off, .serverError: .off,
            // Tests of providers often add the credentials when they verify a pact.
            .missingSecurity: .warning,
        ]
        // A consumer that expects its request to be rejected can send an invalid one.
        if (400...499).contains(response.status) {
            for rule in [ContractRule.requestParameters, .requestBody, .requestContentType, .missingSecurity] {
                settings.severities[rule] = .off
            }
        }
        if response.body == nil { settings.severities[.responseBody] = .off }
        let exchange = ContractExchange(
            method: request.method, url: "http://localhost" + request.target, requestHeaders: request.headers,
            requestBody: request.body?.bytes ?? [], status: response.status, responseHeaders: response.headers,
            responseBody: response.body?.bytes ?? [], isExpectation: true)
        return contract.check(exchange, settings: settings).findings
    }

    // MARK: Diagnostics

    private func diagnostic(
        _ finding: ContractFinding, _ interaction: PactInteraction, _ request: PactRequest, _ response: PactResponse,
        in pact: Pact
    ) -> Diagnostic {
        let tokens = place(of: finding, request, response)
        // A part that is missing has the location of the part that should contain it.
        let range = (0...tokens.count).reversed().lazy.compactMap { count in
            pact.document.location(of: interaction.tokens + tokens.prefix(count))
        }.first
        var related = finding.instances.map { Diagnostic.Related(message: $0) }
        let operation: MessageText = finding.operation.map { " (\($0))" } ?? ""
        related.append(Diagnostic.Related(message: Self.name(of: interaction) + operation))
        if let location = finding.location {
            related.append(Diagnostic.Related(message: "described here (#\(location.pointer))", range: location.range))
        }
        return Diagnostic(
            id: finding.rule.rawValue, severity: finding.isError && !interaction.isPending ? .error : .warning,
            message: "\(finding.subject): \(finding.message)", range: range, related: related,
            suggestion: finding.suggestion)
    }

    /// Returns the name of an interaction with its provider states.
    private static func name(of interaction: PactInteraction) -> MessageText {
        var name: MessageText = "interaction \"\(interaction.description)\""
        for (index, state) in interaction.states.enumerated() {
            name += "\(index == 0 ? " given" : " and") \"\(state)\""
        }
        if interaction.isPending { name += " (pending)" }
        return name
    }

    /// Returns the location of a difference in its interaction.
    private func place(
        of finding: ContractFinding, _ request: PactRequest, _ response: PactResponse
    ) -> [String] {
        switch finding.rule {
        case .undocumentedOperation: return ["request", "path"]
        case .requestParameters, .deprecatedOperation: return place(ofParameter: finding.place)
        case .requestContentType: return ["request"] + Self.header("content-type", in: request.headers)
        case .requestBody: return body(request.body, in: "request", finding.path)
        case .missingSecurity: return ["request"]
        case .undocumentedStatus, .serverError: return ["response", "status"]
        case .undocumentedContentType: return ["response"] + Self.header("content-type", in: response.headers)
        case .responseHeaders, .missingResponseHeader:
            return ["response"] + Self.header(finding.place?.name ?? "", in: response.headers)
        case .responseBody: return body(response.body, in: "response", finding.path)
        case .unusableSchema: return []
        }
    }

    private func place(ofParameter place: ContractFinding.Place?) -> [String] {
        switch place?.location {
        case .path: ["request", "path"]
        case .query: ["request", "query", place?.name ?? ""]
        case .querystring: ["request", "query"]
        case .header: ["request", "headers", place?.name ?? ""]
        case .cookie: ["request", "headers", "Cookie"]
        case nil: ["request"]
        }
    }

    private static func header(_ name: String, in headers: [(name: String, value: String)]) -> [String] {
        let field = headers.first { $0.name.lowercased() == name.lowercased() }
        return ["headers", field?.name ?? name]
    }

    /// Returns the location of a part of a body in the interaction.
    private func body(_ body: PactBody?, in message: String, _ path: NormalizedPath?) -> [String] {
        // The location of the body starts with that of the interaction, which has two tokens.
        guard let body else { return [message, "body"] }
        let own = Array(body.tokens.dropFirst(2))
        guard body.hasLocations else { return own }
        return own
            + (path?.steps ?? []).map { step in
                switch step {
                case .name(let name): name
                case .index(let index): String(index)
                }
            }
    }
}
