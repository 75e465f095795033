import Basics
import OpenAPI
import RunModel

/// The operations that refuse all valid requests with status 401 or 403 because credentials were not given.
struct LearnedCredentials {
    private static let refusals: Set = [401, 403]

    /// The statuses of the responses to valid requests of one operation.
    private struct Responses {
        var refusals = 0
        /// The first status of a refusal.
        var status = 0
        var isRefusingAll = true
    }

    private var operations: [Int: Responses] = [:]

    /// The operations that have refused all valid requests.
    var refusing: Set<Int> {
        Set(operations.filter { $0.value.refusals > 0 && $0.value.isRefusingAll }.keys)
    }

    /// Returns the number of refused requests of an operation, and the status of the first one.
    func refusals(of operation: Int) -> (count: Int, status: Int) {
        operations[operation].map { ($0.refusals, $0.status) } ?? (0, 0)
    }

    /// Records the status of the response to a valid request of an operation whose credentials were not given.
    mutating func observe(_ operation: Int, _ status: Int) {
        var responses = operations[operation] ?? Responses()
        if Self.refusals.contains(status) {
            if responses.refusals == 0 { responses.status = status }
            responses.refusals += 1
        } else {
            responses.isRefusingAll = false
        }
        operations[operation] = responses
    }
}

extension FuzzRun {
    /// Records whether a valid request without credentials was refused.
    mutating func observeCredentials(_ test: GeneratedTest, _ exchange: Exchange) {
        guard test.intent.isValid, !test.hasUnusualPath, let status = exchange.response?.status,
            missingCredentials(of: test.operation) != nil
        else { return }
        credentials.observe(test.operation, status)
    }

    /// The operations that require credentials that were not given, each in one sentence.
    var credentialLessons: [MessageText] {
        credentials.refusing.sorted().map { operation in
            let (count, status) = credentials.refusals(of: operation)
            let requests: MessageText = count == 1 ? "the valid request" : "all \(count) valid requests"
            let reason: MessageText =
                missingCredentials(of: operation).flatMap { names in
                    names.isEmpty
                        ? nil
                        : "set \(MessageText(words: names.joined(separator: " and "))), or use --header or --auth"
                } ?? "the description requires no credentials; use --header or --auth"
            return "\(judge.operations[operation].wording): status \(status) for \(requests); \(reason)"
        }
    }

    /// Returns the environment variables for the credentials of an operation if no credentials were given; empty if the
    /// description requires none.
    private func missingCredentials(of operation: Int) -> [String]? {
        guard !judge.hasCredentials else { return nil }
        let plan = SecurityPlan(description: judge.contract.description)
        guard let needed = try? plan.credentials(for: judge.operations[operation]) else { return [] }
        let variables = needed.environmentVariables
        return variables.contains { options.environment.contains($0) } ? nil : variables
    }
}

extension SecurityPlan.Credentials {
    /// The environment variables that the values come from.
    fileprivate var environmentVariables: [String] {
        var names: [String] = []
        func add(_ node: SuiteNode) {
            switch node {
            case .plain: break
            case .text(let text):
                for part in text.split(separator: "${env('", omittingEmptySubsequences: false).dropFirst() {
                    names.append(String(part.prefix { $0 != "'" }))
                }
            case .members(let map): for entry in map.entries { add(entry.1) }
            case .list(let elements): elements.forEach(add)
            }
        }
        if let auth { add(auth) }
        for entry in headers + query + cookies { add(entry.1) }
        return names
    }
}
