public import Basics
import Diagnostics
import JSON
public import OpenAPI
public import RunModel

/// A search for requests that show faults of a server.
public struct FuzzRun: ~Copyable {
    /// A function that runs the tests of a suite and returns their results in the order of the tests; `nil` for a test
    /// that did not run. It may stop after several requests in a row without a response.
    public typealias Execution = (_ suite: String) async -> [TestResult?]

    /// The maximum number of tests in a suite, after which its findings are confirmed.
    private static let suiteSize = 500
    /// The maximum number of random requests to generate at a time for each operation.
    private static let batch = 20
    /// The number of valid requests that must be refused before an operation counts as refusing them all.
    private static let refusedRequests = 3
    /// The number of sequences for each kind of resource.
    private static let (minimumWalks, maximumWalks) = (3, 20)
    /// The number of requests of an operation in a row without a response, after which no more are sent.
    private static let silentRequests = 4
    /// The number of attempts to reach a server that does not respond, and the time between them.
    private static let (probes, probeInterval) = (3, Duration.seconds(1))
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
    /// The number of requests of each operation in a row without a response.
    private var silent: [Int: Int] = [:]
    /// The request after which the server no longer responds.
    private var last: FuzzFinding?
    /// Whether the server does not respond to any request.
    private var isDown = false
    private var pool = ValuePool()
    /// The time at which the search started.
    private var start: Int64 = 0

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
        /// The findings whose requests were not repeated because the search ended, each in one sentence.
        public var unrepeated: [MessageText] = []
        /// Whether the search ended because the server no longer responded.
        public var hasLostServer = false
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
        start = time()
        let tests = plan.tests
        for first in stride(from: 0, to: tests.count, by: Self.suiteSize) {
            let part = Array(tests[first..<min(first + Self.suiteSize, tests.count)])
            await run(part, after: plan.support(of: part), serially: true)
        }
        if options.learns { await learn() }
        if options.phases.contains(.stateful) {
            await runSequences()
            let (support, cases) = plan.tests(with: pool)
            await run(cases, after: support, serially: true)
            await run(plan.tests(following: pool.links) { [judge] in judge.operation(ofReading: $0) }, serially: true)
            await runWalks()
        }
        if options.checks.contains(.foreignObject), let other = options.otherUser, !isEnded {
            let probe = IdentityProbe(plan: plan, other: other.header, execution: execution)
            for finding in await probe.findings() { findings.add(finding) }
        }
        if options.phases.contains(.random) { await runRandom(until: options.duration.map { start + $0 }) }
        if options.checks.contains(.validRequestRefused) { addRefusals() }
        await confirm()
        return outcome(contractPath: contractPath)
    }

    /// Whether nothing more is sent: the user has stopped the search, or the server no longer responds.
    var isEnded: Bool { isStopped() || isDown }

    /// Runs tests, judges their responses, and confirms what they show.
    ///
    /// - Parameter support: The tests that run first without being judged.
    mutating func run(_ tests: [GeneratedTest], after support: [GeneratedTest] = [], serially: Bool) async {
        var tests = tests
        while true {
            tests.removeAll { silent[$0.operation] ?? 0 >= Self.silentRequests }
            guard !tests.isEmpty, !isEnded else { return }
            let results = await execution(plan.suite(of: support + tests, isSerial: serially))
            let exchanges = await judge(tests, after: support, results)
            await confirm()
            // The execution ends early if the server seems to be down.
            let left = zip(tests, exchanges).filter { $1 == nil }.map(\.0)
            guard left.count < tests.count, exchanges.contains(where: { $0?.response == nil && $0 != nil }) else {
                return
            }
            tests = left
        }
    }

    /// Judges the responses to tests.
    ///
    /// - Parameter walks: Whether the tests are a sequence, in which each response depends on the requests before it.
    /// - Returns: The exchange of each test, or `nil` for a test that did not run.
    private mutating func judge(
        _ tests: [GeneratedTest], after support: [GeneratedTest], _ results: [TestResult?], walks: Bool = false
    ) async -> [Exchange?] {
        var exchanges: [String: Exchange] = [:]
        for (test, result) in zip(support + tests, results) {
            guard let exchange = result?.steps.last?.exchange else { continue }
            exchanges[test.name] = exchange
            record(test, exchange)
        }
        let own = zip(tests, results.dropFirst(support.count))
        if let lost = await lost(own.map { ($0, $1?.steps.last?.exchange) }) {
            last = lost
            isDown = true
        }
        let walked = walks ? WalkJudge(judge: judge).findings(tests, own.map { $1?.steps.last?.exchange }) : nil
        for (test, result) in own {
            guard let result, let exchange = result.steps.last?.exchange, exchange.response != nil || !isDown else {
                continue
            }
            let followed = test.follows.flatMap { exchanges[$0] }
            let found =
                walked?.filter { $0.test.name == test.name } ?? judge.findings(test, exchange, followed: followed)
            for finding in found { findings.add(finding) }
            show(test, result, exchange)
            note(test, exchange, isSound: found.isEmpty)
            if options.learns { observe(test, exchange) }
        }
        return own.map { $1?.steps.last?.exchange }
    }

    /// Records a request, and the values of its response.
    private mutating func record(_ test: GeneratedTest, _ exchange: Exchange) {
        requests[test.operation, default: 0] += 1
        guard let response = exchange.response else {
            unanswered[test.operation] = exchange
            silent[test.operation, default: 0] += 1
            return
        }
        responding.insert(test.operation)
        silent[test.operation] = 0
        guard response.status / 100 == 2 else { return }
        if let body = try? JSONParser().parse(response.body) { pool.add(body) }
        if let location = response.header("Location") { pool.add(link: location) }
    }

    // MARK: Servers that no longer respond

    /// Returns the request after which the server no longer responds, or `nil` if it does.
    ///
    /// A server that is restarted responds again after a while, so the check is repeated.
    private mutating func lost(_ exchanges: [(test: GeneratedTest, exchange: Exchange?)]) async -> FuzzFinding? {
        let sent = exchanges.compactMap { entry in entry.exchange.map { (entry.test, $0) } }
        let answers = sent.filter { $0.1.response != nil }.map { $0.1.start }
        let lastAnswer = answers.max() ?? 0
        let silent = sent.filter { $0.1.response == nil && $0.1.start >= lastAnswer }
        guard !silent.isEmpty, !isStopped() else { return nil }
        guard !responding.isEmpty else {
            // Other operations may respond unless there is no connection.
            isDown = silent.allSatisfy { !($0.1.failure?.showsFault ?? false) }
            return nil
        }
        guard let probe = plan.tests.first(where: { isProbe($0) }) else { return nil }
        for attempt in 0..<Self.probes {
            if attempt > 0 { try? await Task.sleep(for: Self.probeInterval) }
            let results = await execution(plan.suite(of: plan.predecessors(of: probe) + [probe], isSerial: true))
            if results.contains(where: { $0?.steps.last?.exchange?.response != nil }) || isStopped() { return nil }
        }
        let culprit = silent.first { $0.1.failure?.showsFault ?? false } ?? silent[0]
        return FuzzFinding(
            check: .noResponse, test: culprit.0,
            message:
                "the server no longer responds, to this request and to any other: \(culprit.1.failure?.message ?? "")",
            details: ["the search ended here, and the request was not repeated"], exchange: culprit.1)
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

    /// Reads each stored or deleted resource right after it was created, without other requests in between.
    private mutating func runSequences() async {
        for test in plan.tests where test.intent.phase == .stateful {
            await run([test], after: plan.predecessors(of: test), serially: true)
        }
    }

    /// Runs sequences of random length, and judges each response by what came before it.
    private mutating func runWalks() async {
        var planner = WalkPlanner(plan, seed: options.seed)
        let walks = max(Self.minimumWalks, (options.cases ?? Self.maximumWalks) / 10)
        for kind in planner.kinds {
            for _ in 0..<min(walks, Self.maximumWalks) where !isEnded {
                let tests = planner.walk(kind)
                let results = await execution(plan.suite(of: tests, isSerial: true))
                _ = await judge(tests, after: [], results, walks: true)
                await confirm()
            }
        }
    }

    // MARK: Random requests

    private mutating func runRandom(until end: Int64?) async {
        var round = 0
        let rounds = options.cases ?? .max
        while round < rounds, !isEnded, end.map({ time() < $0 }) ?? (options.cases != nil) {
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
            let finding = found.check == .validRequestRefused ? found : await shrinker.shrunk(found)
            var occurs = await occurs(finding)
            if occurs { occurs = await self.occurs(finding) }
            if occurs {
                findings.confirm(finding, at: time() - start)
            } else if !isEnded {
                findings.reject(found)
            }
        }
    }

    /// Returns whether a finding occurs when its request is repeated after those that it needs.
    private func occurs(_ finding: FuzzFinding) async -> Bool {
        let before = plan.predecessors(of: finding)
        let results = await execution(plan.suite(of: before + [finding.test], isSerial: true))
        guard let exchange = results.last??.steps.last?.exchange, results.count == before.count + 1 else {
            return false
        }
        if finding.check == .validRequestRefused {
            return exchange.response.map { Self.refusals.contains($0.status) } ?? false
        }
        return judge.occurs(finding, before, results.map { $0?.steps.last?.exchange })
    }

    // MARK: Outcome

    private consuming func outcome(contractPath: String) -> Outcome {
        var outcome = Outcome()
        outcome.requests = requests.values.reduce(0, +)
        outcome.gaps = plan.gaps
        outcome.hasLostServer = isDown && !responding.isEmpty
        outcome.unrepeated = findings.removePending().map { sentence($0) }
        outcome.unconfirmed = findings.rejected.map { sentence($0.finding) }
        if let last, options.checks.contains(.noResponse) {
            findings.add(last)
            findings.confirm(last, at: time() - start)
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
            if !isEnded, responding.contains(operation) {
                for check in FuzzCheck.allCases
                where options.checks.contains(check) && !own.contains(where: { $0.finding.check == check }) {
                    outcome.passes.append(title + Self.suffix(check))
                }
            }
            guard own.isEmpty else { continue }
            if outcome.hasLostServer, !responding.contains(operation) {
                outcome.results.append(
                    TestResult(
                        test: reference(operation, title, outcome.results.count),
                        outcome: .skipped(reason: "the server no longer responds")))
            } else if !responding.contains(operation), !isStopped() {
                let exchange = unanswered[operation] ?? (isDown ? unanswered.first?.value : nil)
                outcome.results.append(errored(operation, title, outcome.results.count, exchange))
            } else {
                outcome.results.append(passed(operation, title, outcome.results.count))
            }
        }
        return outcome
    }

    private func sentence(_ finding: FuzzFinding) -> MessageText {
        let check = MessageText(words: finding.check.rawValue)
        return "\(judge.operations[finding.test.operation].wording) \(check): \(finding.message)"
    }

    private static func suffix(_ check: FuzzCheck) -> MessageText { MessageText(words: " › \(check.rawValue)") }

    private func identity(of finding: FuzzFinding, test: MessageText) -> Outcome.Identity {
        let file = judge.contract.description.root.file.location
        let directory = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        let place = directory.isEmpty ? finding.place : finding.place.replacing(directory, with: "")
        let summary = MessageText(words: finding.check.summary)
        return Outcome.Identity(
            test: test, check: finding.check.rawValue,
            message: place.isEmpty ? summary : "\(summary) (\(MessageText(words: place)))")
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
        result.start = max(0, entry.time - finding.exchange.timings.total)
        result.steps[0].start = result.start
        return result
    }
}
