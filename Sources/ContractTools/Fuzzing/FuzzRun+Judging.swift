import Basics
import JSON
import OpenAPI
import RunModel

/// The judgment and the confirmation of what responses show.
extension FuzzRun {
    /// The number of valid requests that must be refused before an operation counts as refusing them all.
    private static let refusedRequests = 3
    /// The number of requests of an operation in a row without a response, after which no more are sent.
    private static let silentRequests = 4
    /// The number of attempts to reach a server that does not respond, and the time between them.
    private static let (probes, probeInterval) = (3, Duration.seconds(1))
    /// The statuses that refuse a request because of its content.
    private static let refusals: Set = [400, 415, 422]

    /// Runs tests, judges their responses, and confirms what they show.
    ///
    /// - Parameter support: The tests that run first without being judged.
    mutating func run(
        _ tests: [GeneratedTest], after support: [GeneratedTest] = [], in order: FuzzSuite.Order
    ) async {
        var tests = tests
        while true {
            tests.removeAll { isDead($0.operation) }
            guard !tests.isEmpty, !isEnded else { return }
            let (results, judged) = await results(of: tests, after: support, in: order)
            let exchanges = await judge(tests, after: support, results, judged)
            await confirm()
            // The execution ends early if the server seems to be down.
            let left = zip(tests, exchanges).filter { $1 == nil }.map(\.0)
            guard left.count < tests.count, exchanges.contains(where: { $0?.response == nil && $0 != nil }) else {
                return
            }
            tests = left
        }
    }

    /// Runs tests. While their responses are outstanding, the next random requests are prepared, and responses that have
    /// arrived are compared with the description.
    ///
    /// - Returns: The results, and the faults that the exchange of each test shows, by the positions of the tests.
    private mutating func results(
        of tests: [GeneratedTest], after support: [GeneratedTest], in order: FuzzSuite.Order
    ) async -> (results: [TestResult?], judged: [Int: [FuzzFinding]]) {
        let suite = plan.suite(of: support + tests, order)
        let (execution, judge) = (execution, judge)
        var judged: [Int: [FuzzFinding]] = [:]
        let results = await execution.results(of: suite, during: { prepare() }) { position, result in
            let position = position - support.count
            guard tests.indices.contains(position), tests[position].follows == nil,
                let exchange = result.steps.last?.exchange
            else { return }
            judged[position] = judge.findings(tests[position], exchange, followed: nil)
        }
        return (results, judged)
    }

    /// Returns whether an operation has not responded to several requests in a row.
    func isDead(_ operation: Int) -> Bool { options.learns && silent[operation] ?? 0 >= Self.silentRequests }

    /// The operations that got no more requests because they did not respond, each in one sentence.
    var silences: [MessageText] {
        silent.keys.sorted().filter { isDead($0) && !isDown }.map { operation in
            "\(judge.operations[operation].wording): no response to \(silent[operation] ?? 0) requests in a row"
        }
    }

    /// Judges the responses to tests.
    ///
    /// - Parameters:
    ///   - judged: The faults that exchanges show, by the positions of their tests, as far as they are known.
    ///   - walks: Whether the tests are a sequence, in which each response depends on the requests before it.
    /// - Returns: The exchange of each test, or `nil` for a test that did not run.
    mutating func judge(
        _ tests: [GeneratedTest], after support: [GeneratedTest], _ results: [TestResult?],
        _ judged: [Int: [FuzzFinding]] = [:], walks: Bool = false
    ) async -> [Exchange?] {
        var exchanges: [String: Exchange] = [:]
        for (test, result) in zip(support + tests, results) {
            guard let exchange = result?.steps.last?.exchange else { continue }
            exchanges[test.name] = exchange
            record(test, exchange)
        }
        let own = Array(zip(tests, results.dropFirst(support.count)))
        if let lost = await lost(own) {
            last = lost
            isDown = true
        }
        let walked = walks ? WalkJudge(judge: judge).findings(tests, own.map { $1?.steps.last?.exchange }) : nil
        for (position, (test, result)) in own.enumerated() {
            guard let result, let exchange = result.steps.last?.exchange, exchange.response != nil || !isDown else {
                continue
            }
            let followed = test.follows.flatMap { exchanges[$0] }
            let found =
                walked?.filter { $0.test.name == test.name } ?? judged[position]
                ?? judge.findings(test, exchange, followed: followed)
            for finding in found { findings.add(finding) }
            show(test, result, exchange)
            note(test, exchange, isSound: found.isEmpty)
            if options.learns {
                observe(test, exchange)
                observeCredentials(test, exchange)
            }
        }
        return own.map { $1?.steps.last?.exchange }
    }

    /// Records a request, and the values of its response.
    mutating func record(_ test: GeneratedTest, _ exchange: Exchange) {
        requests[test.operation, default: 0] += 1
        if test.isRandom {
            let hasFailed = exchange.response.map { $0.status / 100 == 5 } ?? true
            failing[test.operation] = hasFailed ? failing[test.operation, default: 0] + 1 : 0
        }
        guard let response = exchange.response else {
            unanswered[test.operation] = exchange
            silent[test.operation, default: 0] += 1
            return
        }
        responding.insert(test.operation)
        silent[test.operation] = 0
        resources.note(
            test, of: judge.operations[test.operation], isMain: plan.main(of: test.operation)?.name == test.name,
            exchange)
        guard response.status / 100 == 2 else { return }
        if let body = try? JSONParser().parse(response.body) { pool.add(body) }
        if let location = response.header("Location") { pool.add(link: location) }
    }

    // MARK: Servers that no longer respond

    /// Returns the request after which the server no longer responds, or `nil` if it does.
    ///
    /// A server that is restarted responds again after a while, so the check is repeated.
    private mutating func lost(_ results: [(test: GeneratedTest, result: TestResult?)]) async -> FuzzFinding? {
        let sent = results.compactMap { entry in entry.result?.steps.last?.exchange.map { (entry.test, $0) } }
        func end(_ exchange: Exchange) -> Int64 { exchange.start + exchange.timings.total }
        // An answer to a later request proves that the server was alive. That to an earlier one may be read late.
        let lastProof = sent.filter { $0.1.response != nil }.map(\.1.start).max() ?? 0
        let silent = sent.filter { $0.1.response == nil && end($0.1) >= lastProof }
        guard !silent.isEmpty, !isStopped() else { return nil }
        guard !responding.isEmpty else {
            // Other operations may respond unless there is no connection.
            isDown = silent.allSatisfy { !($0.1.failure?.showsFault ?? false) }
            return nil
        }
        guard let probe = plan.tests.first(where: { isProbe($0) }) else { return nil }
        for attempt in 0..<Self.probes {
            if attempt > 0 { try? await Task.sleep(for: Self.probeInterval) }
            let results = await execution.results(
                of: plan.suite(of: plan.predecessors(of: probe) + [probe], .serial))
            if results.contains(where: { $0?.steps.last?.exchange?.response != nil }) || isStopped() { return nil }
        }
        // Any of the requests that were in flight when the first of them failed may have stopped the server.
        let time = silent.map { end($0.1) }.min() ?? 0
        let inFlight = silent.filter { $0.1.start < time }
        let culprit = inFlight.first { $0.1.failure?.showsFault ?? false } ?? inFlight.first ?? silent[0]
        // The execution ends without the results of requests that are still in flight.
        let last = results.lastIndex { $0.result?.steps.last?.exchange != nil } ?? 0
        let unfinished = results[..<last].filter { entry in
            if case .blocked? = entry.result?.outcome { return false }
            return entry.result?.steps.last?.exchange == nil
        }.map(\.test)
        let others = (unfinished + inFlight.map(\.0)).filter { $0.name != culprit.0.name }
        var before: [GeneratedTest] = []
        for test in plan.predecessors(of: culprit.0) + others.flatMap({ plan.predecessors(of: $0) + [$0] })
        where !before.contains(where: { $0.name == test.name }) {
            before.append(test)
        }
        return FuzzFinding(
            check: .noResponse, test: culprit.0,
            message:
                "the server no longer responds, to this request and to any other: \(culprit.1.failure?.message ?? "")",
            details: others.map { "in flight at the same time: \(plan.wording(of: $0))" } + [
                "the search ended here, and the request was not repeated"
            ], exchange: culprit.1, before: others.isEmpty ? nil : before)
    }

    /// Returns whether a test shows whether the server responds: one whose operation has responded before.
    private func isProbe(_ test: GeneratedTest) -> Bool {
        guard case .valid = test.intent else { return false }
        return responding.contains(test.operation) && test.request.method != "DELETE"
    }

    /// Shows a judged request to the observer.
    private mutating func show(_ test: GeneratedTest, _ result: TestResult, _ exchange: Exchange) {
        guard let observer else { return }
        var shown = result
        shown.test = reference(test.operation, "\(result.test.name)", observed)
        observed += 1
        let violations = judge.violations(test, exchange)
        let isValid = test.intent.isValid && judge.isValid(test, exchange)
        let proof = isValid ? "proved-valid" : violations.isEmpty ? "unproved" : "proved-invalid"
        shown.test.tags = [judge.operations[test.operation].title, test.intent.id, proof]
        if let last = shown.steps.indices.last, exchange.response != nil {
            // The suite expects nothing, so a refusal is not a failure.
            shown.outcome = .passed
            shown.steps[last].outcome = .passed
            shown.steps[last].findings = []
            shown.steps[last].printed = violations.map {
                UsedVariable(name: "violation", value: .string(FuzzJudge.sentence($0).text))
            }
        }
        observer(shown)
    }

    // MARK: Refused requests

    /// Records whether a valid request was accepted.
    private mutating func note(_ test: GeneratedTest, _ exchange: Exchange, isSound: Bool) {
        guard let status = exchange.response?.status else { return }
        switch test.intent {
        case .valid(let isCertain), .variant(let isCertain):
            if status / 100 == 2 || status / 100 == 3 { accepted.insert(test.operation) }
            guard Self.refusals.contains(status), isSound,
                isCertain || judge.operations[test.operation].template.slots.isEmpty,
                refused[test.operation]?.count ?? 0 < Self.refusedRequests, judge.isValid(test, exchange)
            else { return }
            let finding = FuzzFinding(
                check: .validRequestRefused, test: test,
                message: "the server refused all valid requests, this one with status \(status)", exchange: exchange)
            refused[test.operation, default: []].append(finding)
        case .invalid, .missingHeader, .unknownMediaType, .malformedBody, .unsupportedMethod, .withoutCredentials,
            .invalidCredentials,
            .readsStored, .readsDeleted:
            break
        }
    }

    mutating func addRefusals() {
        for (operation, refused) in refused.sorted(by: { $0.key < $1.key })
        where !accepted.contains(operation) && refused.count >= Self.refusedRequests {
            if let first = refused.first { findings.add(first) }
        }
    }

    // MARK: Confirmation

    /// Shrinks and repeats the requests of new findings, and keeps only those that occur twice again.
    mutating func confirm() async {
        let shrinker = FuzzShrinker(plan: plan, judge: judge, execution: execution, time: time)
        for found in findings.pending {
            guard !isEnded else { return }
            let isUnique = found.test.request.method == "DELETE" && !plan.recreates(found)
            // Nothing can be deleted twice unless it is created before, and the probe has compared several exchanges.
            if isUnique || found.check == .foreignObject {
                findings.confirm(found, at: time() - start)
                continue
            }
            let smaller = found.check == .validRequestRefused ? found : await shrinker.shrunk(found)
            if await occursTwice(smaller) {
                findings.confirm(smaller, at: time() - start)
            } else if smaller.test.request.node != found.test.request.node, await occursTwice(found) {
                // The smaller request has shown the fault only because of those in flight beside it.
                findings.confirm(found, at: time() - start)
            } else if !isEnded {
                findings.reject(found)
            }
        }
    }

    /// Returns whether a finding occurs each time when its request is repeated twice after those that it needs.
    private func occursTwice(_ finding: FuzzFinding) async -> Bool {
        let test = finding.test
        let before = plan.predecessors(of: finding)
        // A connection that the first request has broken proves nothing about the second one.
        let canShareSuite =
            before.isEmpty && test.chosen == nil && test.captures.isEmpty && finding.check != .noResponse
        var again = test
        again.name += " again"
        let results = await execution.results(
            of: plan.suite(of: before + [test] + (canShareSuite ? [again] : []), .serial))
        guard occurs(finding, before, Array(results.prefix(before.count + 1))) else { return false }
        if canShareSuite, occurs(finding, before, Array(results.dropFirst())) { return true }
        return occurs(
            finding, before, await execution.results(of: plan.suite(of: before + [test], .serial)))
    }

    /// Returns whether a finding occurs in the results of its test and of those before it.
    private func occurs(_ finding: FuzzFinding, _ before: [GeneratedTest], _ results: [TestResult?]) -> Bool {
        guard results.count == before.count + 1, let exchange = results.last??.steps.last?.exchange else {
            return false
        }
        if finding.check == .validRequestRefused {
            return exchange.response.map { Self.refusals.contains($0.status) } ?? false
        }
        return judge.occurs(finding, before, results.map { $0?.steps.last?.exchange })
    }
}
