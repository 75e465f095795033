public import Basics
import Diagnostics
import JSON
public import OpenAPI
public import RunModel

/// A search for requests that show faults of a server.
public struct FuzzRun: ~Copyable {
    /// A function that runs the tests of a suite and returns their results in the order of the tests.
    public typealias Execution = (_ suite: String) async -> [TestResult]

    /// The maximum number of tests in a suite. Descriptions of thousands of operations have several suites.
    private static let suiteSize = 2_000
    /// The maximum number of random requests to generate at a time for each operation.
    private static let batch = 20
    /// The number of valid requests that must be refused before an operation counts as refusing them all.
    private static let refusedRequests = 3
    /// The statuses that refuse a request because of its content.
    private static let refusals: Set = [400, 415, 422]

    let options: FuzzOptions
    let judge: FuzzJudge
    var plan: FuzzPlan
    private let execution: Execution
    /// A function that returns the current time, in nanoseconds.
    private let time: () -> Int64
    let isStopped: () -> Bool
    /// Receives each judged request as the result of a test.
    private let observer: ((TestResult) -> Void)?
    private var observed = 0
    private var findings = FuzzFindings()
    /// The refused and the accepted valid requests of each operation.
    private var refused: [Int: [FuzzFinding]] = [:]
    private(set) var accepted: Set<Int> = []
    /// The operations that have refused a valid request, and those with a rule that was learned last.
    var learning = Learning()
    private var requests: [Int: Int] = [:]
    /// The operations with a response, and the last exchange of the others.
    private var responding: Set<Int> = []
    private var unanswered: [Int: Exchange] = [:]
    private var unconfirmed: [FuzzFinding] = []
    private var pool = ValuePool()

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - description: The description of the server.
    ///   - name: The name of the description in messages.
    ///   - execution: Runs suites.
    ///   - time: Returns the current time of a monotonic clock, in nanoseconds.
    ///   - isStopped: Returns whether to stop because the user has asked for it.
    ///   - observer: Receives each judged request as the result of a test, with its intent and what was proved about it
    ///     as tags, and the violated constraints as printed values.
    public init(
        _ description: OpenAPIDescription, name: String, options: FuzzOptions, execution: @escaping Execution,
        time: @escaping () -> Int64, isStopped: @escaping () -> Bool, observer: ((TestResult) -> Void)? = nil
    ) {
        self.options = options
        let contract = Contract(description, name: name, basePath: options.basePath)
        plan = FuzzPlan(contract.description, options)
        judge = FuzzJudge(
            contract: contract,
            strictContract: Contract(
                contract.description, name: contract.name, assertsFormat: true, basePath: options.basePath),
            operations: plan.operations, checks: options.checks, baseURL: options.baseURL,
            hasCredentials: !options.allHeaders.isEmpty || options.login != nil,
            maximumDuration: options.maximumDuration)
        self.execution = execution
        self.time = time
        self.isStopped = isStopped
        self.observer = observer
    }

    /// The result of a run.
    public struct Outcome: Sendable {
        /// A suite that shows a fault.
        public struct Found: Sendable {
            /// The name of the file.
            public var fileName: String
            /// The suite as YAML.
            public var text: String
        }

        /// The properties of a finding that do not depend on the values of the request.
        public struct Identity: Sendable {
            /// The operation and the check, which are words of the program and data.
            public var test: MessageText
            /// The identifier of the check.
            public var check: String
            /// The fault and its place in the description, or in the response.
            public var message: MessageText
        }

        /// The results: a failed one for each finding, and a passed one for each operation without a finding.
        public var results: [TestResult] = []
        /// The identity of the finding of each failed result, by its position.
        public var identities: [Int: Identity] = [:]
        /// The names of the tests that found nothing, one for each operation and check.
        public var passes: [MessageText] = []
        /// The suites of the findings.
        public var found: [Found] = []
        /// The number of requests.
        public var requests = 0
        /// The parts of the description that were not tested.
        public var gaps: [GeneratedSuite.Gap] = []
        /// The findings that did not occur again when their requests were repeated, each in one sentence.
        public var unconfirmed: [MessageText] = []
        /// The rules that the server enforces beyond its description, each in one sentence.
        public var lessons: [MessageText] = []

        /// Creates the result of a run that ended before the search.
        public init(results: [TestResult] = [], requests: Int = 0) {
            self.results = results
            self.requests = requests
        }
    }

    /// Searches for faults.
    ///
    /// - Parameter contractPath: The path of the description for the suites of the findings.
    public consuming func run(contractPath: String) async -> Outcome {
        let start = time()
        let tests = plan.tests
        for start in stride(from: 0, to: tests.count, by: Self.suiteSize) {
            let part = Array(tests[start..<min(start + Self.suiteSize, tests.count)])
            await run(part, after: plan.support(of: part), serially: true)
        }
        if options.learns { await learn() }
        if options.phases.contains(.stateful) {
            await runSequences()
            let (support, cases) = plan.tests(with: pool)
            await run(cases, after: support, serially: true)
            await run(plan.tests(following: pool.links) { [judge] in judge.operation(ofReading: $0) }, serially: true)
        }
        if options.checks.contains(.foreignObject), options.identities.count > 1, !isStopped() {
            let probe = IdentityProbe(plan: plan, other: [options.identities[1].header], execution: execution)
            for finding in await probe.findings() { findings.add(finding) }
        }
        if options.phases.contains(.random) { await runRandom(until: options.duration.map { start + $0 }) }
        if options.checks.contains(.validRequestRefused) { addRefusals() }
        await confirm()
        return outcome(contractPath: contractPath)
    }

    /// Runs tests and judges their responses.
    ///
    /// - Parameter support: The tests that run first without being judged.
    mutating func run(_ tests: [GeneratedTest], after support: [GeneratedTest] = [], serially: Bool) async {
        guard !tests.isEmpty, !isStopped() else { return }
        let results = await execution(plan.suite(of: support + tests, isSerial: serially))
        var exchanges: [String: Exchange] = [:]
        for (test, result) in zip(support + tests, results) {
            guard let exchange = result.steps.last?.exchange else { continue }
            exchanges[test.name] = exchange
            if exchange.response == nil {
                unanswered[test.operation] = exchange
            } else {
                responding.insert(test.operation)
            }
            if let response = exchange.response, response.status / 100 == 2 {
                if let body = try? JSONParser().parse(response.body) { pool.add(body) }
                if let location = response.header("Location") { pool.add(link: location) }
            }
            requests[test.operation, default: 0] += 1
        }
        for (test, result) in zip(tests, results.dropFirst(support.count)) {
            guard let exchange = result.steps.last?.exchange else { continue }
            let followed = test.follows.flatMap { exchanges[$0] }
            let found = judge.findings(test, exchange, followed: followed)
            for finding in found { findings.add(finding) }
            show(test, result, exchange)
            note(test, exchange, isSound: found.isEmpty)
            if options.learns { observe(test, exchange) }
        }
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

    /// Reads each stored or deleted resource right after it was created, without other requests in between.
    private mutating func runSequences() async {
        for test in plan.tests where test.intent.phase == .stateful {
            await run([test], after: plan.predecessors(of: test), serially: true)
        }
    }

    // MARK: Random requests

    private mutating func runRandom(until end: Int64?) async {
        var round = 0
        let rounds = options.cases ?? .max
        while round < rounds, !isStopped(), end.map({ time() < $0 }) ?? (options.cases != nil) {
            let next = round..<min(rounds, round + Self.batch)
            let (support, cases) = plan.randomTests(rounds: next)
            guard !cases.isEmpty else { return }
            await run(cases, after: support, serially: false)
            round = next.upperBound
        }
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

    private mutating func addRefusals() {
        for (operation, refused) in refused.sorted(by: { $0.key < $1.key })
        where !accepted.contains(operation) && refused.count >= Self.refusedRequests {
            if let first = refused.first { findings.add(first) }
        }
    }

    // MARK: Confirmation

    /// Shrinks and repeats the request of each finding, and keeps only those that occur twice again.
    private mutating func confirm() async {
        let shrinker = FuzzShrinker(plan: plan, judge: judge, execution: execution, time: time)
        for entry in findings.entries {
            guard !isStopped() else { return }
            let isUnique = entry.finding.test.request.method == "DELETE" && !plan.recreates(entry.finding.test)
            // Nothing can be deleted twice unless it is created before, and the probe has compared several exchanges.
            if isUnique || entry.finding.check == .foreignObject { continue }
            let finding =
                entry.finding.check == .validRequestRefused ? entry.finding : await shrinker.shrunk(entry.finding)
            var occurs = await occurs(finding)
            if occurs { occurs = await self.occurs(finding) }
            if occurs { findings.replace(finding) } else { unconfirmed.append(entry.finding) }
        }
        let lost = Set(unconfirmed.map(\.cause))
        findings.keep { !lost.contains($0.cause) }
    }

    /// Returns whether a finding occurs when its request is repeated after those that it needs.
    private func occurs(_ finding: FuzzFinding) async -> Bool {
        let support = plan.predecessors(of: finding.test)
        let results = await execution(plan.suite(of: support + [finding.test], isSerial: true))
        guard let exchange = results.last?.steps.last?.exchange, results.count == support.count + 1 else {
            return false
        }
        if finding.check == .validRequestRefused {
            return exchange.response.map { Self.refusals.contains($0.status) } ?? false
        }
        let position = finding.test.follows.flatMap { name in support.firstIndex { $0.name == name } }
        let followed = position.flatMap { results[$0].steps.last?.exchange }
        let cause = finding.cause
        return judge.findings(finding.test, exchange, followed: followed).contains { $0.cause == cause }
    }

    // MARK: Outcome

    private consuming func outcome(contractPath: String) -> Outcome {
        var outcome = Outcome()
        outcome.requests = requests.values.reduce(0, +)
        outcome.gaps = plan.gaps
        outcome.unconfirmed = unconfirmed.map {
            "\(judge.operations[$0.test.operation].wording) \(MessageText(words: $0.check.rawValue)): \($0.message)"
        }
        outcome.lessons = lessons
        var names: Set<String> = []
        var titles: Set<String> = []
        for operation in plan.tested {
            let title = judge.operations[operation].wording
            let own = findings.entries.filter { $0.finding.test.operation == operation }
            for entry in own {
                let found = FoundSuite(entry.finding, plan, contractPath: contractPath)
                let fileName = unique(found.fileName(judge.operations[operation]), &names)
                outcome.found.append(.init(fileName: fileName + ".apitest.yaml", text: found.text))
                let isOnly = own.count { $0.finding.check == entry.finding.check } == 1
                let name = title + Self.suffix(entry.finding.check)
                outcome.identities[outcome.results.count] = identity(of: entry.finding, test: name)
                outcome.results.append(
                    result(
                        entry, unique(isOnly ? name : "\(name) \(plan.wording(of: entry.finding.test))", &titles),
                        outcome.results.count))
            }
            if !isStopped(), responding.contains(operation) {
                for check in FuzzCheck.allCases
                where options.checks.contains(check) && !own.contains(where: { $0.finding.check == check }) {
                    outcome.passes.append(title + Self.suffix(check))
                }
            }
            guard own.isEmpty else { continue }
            if !responding.contains(operation), !isStopped() {
                let exchange = unanswered[operation]
                outcome.results.append(errored(operation, title, outcome.results.count, exchange))
            } else {
                outcome.results.append(passed(operation, title, outcome.results.count))
            }
        }
        return outcome
    }

    private static func suffix(_ check: FuzzCheck) -> MessageText { MessageText(words: " › \(check.rawValue)") }

    private func identity(of finding: FuzzFinding, test: MessageText) -> Outcome.Identity {
        let file = judge.contract.description.root.file.location
        let directory = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        let place = directory.isEmpty ? finding.place : finding.place.replacing(directory, with: "")
        let summary = MessageText(words: finding.check.summary)
        return Outcome.Identity(
            test: test, check: finding.check.rawValue, message: place.isEmpty ? summary : "\(summary) (\(place))")
    }

    private func unique(_ name: String, _ names: inout Set<String>) -> String {
        unique(MessageText(name), &names).text
    }

    private func unique(_ name: MessageText, _ names: inout Set<String>) -> MessageText {
        var result = name
        var number = 2
        while !names.insert(result.text).inserted {
            result = name + MessageText(words: "-\(number)")
            number += 1
        }
        return result
    }

    private func reference(_ operation: Int, _ name: MessageText, _ position: Int) -> TestReference {
        let file = judge.contract.description.root.file
        let range =
            judge.operations[operation].node.keyRange
            ?? SourceRange(file: file.source, bytes: 0..<0)
        var reference = TestReference(
            suite: 0, position: position, name: name.text, tags: judge.operations[operation].tags, range: range)
        reference.wording = name
        return reference
    }

    private func passed(_ operation: Int, _ title: MessageText, _ position: Int) -> TestResult {
        TestResult(test: reference(operation, title, position), outcome: .passed)
    }

    /// Returns the result of an operation that no request reached.
    ///
    /// - Parameter exchange: The last exchange, or `nil` if no request was sent.
    private func errored(
        _ operation: Int, _ title: MessageText, _ position: Int, _ exchange: Exchange?
    ) -> TestResult {
        let reference = reference(operation, title, position)
        let failure = exchange?.failure
        let finding = Finding(
            kind: .error, subject: .other(failure?.phase.rawValue ?? "request"),
            type: failure?.kind ?? .connectionFailed,
            message: failure?.message ?? "no request was sent", range: reference.range)
        let step = TestResult.Step(
            name: title.text, outcome: .errored, findings: [finding], exchange: exchange, range: reference.range)
        return TestResult(test: reference, outcome: .errored, steps: [step])
    }

    private func result(
        _ entry: FuzzFindings.Entry, _ name: MessageText, _ position: Int
    ) -> TestResult {
        let finding = entry.finding
        let reference = reference(finding.test.operation, name, position)
        var details = finding.details
        details.append("request: \(plan.wording(of: finding.test))")
        if entry.count > 1 { details.append("\(entry.count) requests show this fault") }
        if let standard = finding.check.standard { details.append("see \(MessageText(words: standard))") }
        let shown = Finding(
            subject: .other(finding.check.rawValue), type: .init(finding.check.rawValue), message: finding.message,
            range: reference.range, details: details)
        let step = TestResult.Step(
            name: name.text, outcome: .failed, findings: [shown], exchange: finding.exchange, range: reference.range)
        var result = TestResult(
            test: reference, outcome: .failed, steps: [step], duration: finding.exchange.timings.total)
        result.steps[0].duration = finding.exchange.timings.total
        return result
    }
}
