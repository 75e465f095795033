import JSON
import OpenAPI
import OpenAPITestSupport
import Testing

/// Exchanges in a short text format, checked against a description.
enum ContractText {
    /// Returns a contract from the text of a description.
    static func contract(
        _ text: String, others: [String: String] = [:], assertsFormat: Bool = false
    ) throws -> Contract {
        let (description, problems) = TextSource(others.merging(["/openapi.yaml": text]) { $1 }).load()
        #expect(problems.isEmpty)
        return Contract(try #require(description), name: "openapi.yaml", assertsFormat: assertsFormat)
    }

    /// Parses an exchange: `POST /books?x=1 | Header: value | body => 200 | Header: value | body`.
    ///
    /// A body that starts with `{`, `[` or `"` is JSON, unless there is a `Content-Type` header.
    static func exchange(_ text: String) -> ContractExchange {
        let sides = text.split(separator: " => ").map(String.init)
        let request = sides[0].split(separator: " | ").map(String.init)
        let response = sides[1].split(separator: " | ").map(String.init)
        let line = request[0].split(separator: " ").map(String.init)
        let (requestHeaders, requestBody) = message(request.dropFirst())
        let (responseHeaders, responseBody) = message(response.dropFirst())
        let url = line[1].hasPrefix("/") ? "http://localhost:8080\(line[1])" : line[1]
        return ContractExchange(
            method: line[0], url: url, baseURL: "http://localhost:8080", requestHeaders: requestHeaders,
            requestBody: Array(requestBody.utf8), status: Int(response[0]) ?? 0, responseHeaders: responseHeaders,
            responseBody: Array(responseBody.utf8))
    }

    /// Checks an exchange entirely and in the manner of runs, which must have the same result.
    static func outcome(
        _ contract: Contract, _ exchange: ContractExchange, settings: ContractSettings = ContractSettings(),
        operation: Int? = nil
    ) -> ContractOutcome {
        let whole = contract.check(exchange, settings: settings, operation: operation)
        let checker = ContractChecker(contract, settings: settings, baseURL: exchange.baseURL)
        let outcome = checker.check(ExchangeTraffic(exchange), operation: operation)
        #expect(lines(outcome) == lines(whole))
        #expect(outcome.covered == whole.covered)
        #expect(outcome.undocumented == whole.undocumented)
        return outcome
    }

    private static func message(_ parts: ArraySlice<String>) -> ([ContractExchange.Field], String) {
        var headers: [ContractExchange.Field] = []
        var body = ""
        for part in parts {
            let name = part.prefix { $0 != ":" }
            if name.count < part.count, !name.isEmpty, name.allSatisfy({ $0.isLetter || $0 == "-" }) {
                headers.append((String(name), String(part.dropFirst(name.count + 1).drop { $0 == " " })))
            } else {
                body = part
            }
        }
        let isJSON = body.first.map { "{[\"".contains($0) } == true
        if isJSON, !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            headers.append(("Content-Type", "application/json"))
        }
        return (headers, body)
    }

    /// Returns the differences as lines: severity, ID, location in the exchange, and message.
    static func lines(_ outcome: ContractOutcome) -> [String] {
        outcome.findings.map { finding in
            let suggestion = finding.suggestion.map { "; \($0)" } ?? ""
            return "\(finding.isError ? "error" : "warning") \(finding.rule.rawValue) [\(finding.subject)] "
                + "\(finding.message)\(suggestion)"
        }
    }
}
