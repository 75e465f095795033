import Basics
import Diagnostics
import JSON
public import OpenAPI
public import RunModel

/// A search for requests that show faults of a server.
public struct FuzzRun: ~Copyable {
    /// A function that runs the tests of a suite and returns their results in the order of the tests; `nil` for a test
    /// that did not run. It may stop after several requests in a row without a response.
    ///
    /// The parameter `completed` receives each result as soon as it is there, and a repeated one again.
    public typealias Execution =
        @Sendable (_ suite: FuzzSuite, _ completed: @escaping Completion) async -> [TestResult?]

    /// A function that receives the result of a test and its position in the suite.
    public typealias Completion = @Sendable (_ position: Int, _ result: TestResult) -> Void

    /// The maximum number of tests in a suite, after which its findings are confirmed.
    private static let suiteSize = 500
    /// The maximum number of random requests to generate at a time for each operation.
    private static let batch = 20
    /// The number of batches in a row without a request to send, after which there is nothing new.
    private static let emptyBatches = 5
    /// The number of random requests of an operation in a row that must fail before it gets no more of them.
    private static let failedRequests = 20
    /// The number of sequences for each kind of resource.
    private static let (minimumWalks, maximumWalks) = (3, 20)

    let options: FuzzOptions
    let judge: FuzzJudge
    var plan: FuzzPlan
    let execution: SuiteExecution
    /// A function that returns the current time, in nanoseconds.
    let time: () -> Int64
    let isStopped: () -> Bool
    /// Receives each judged request as the result of a test.
    let observer: ((TestResult) -> Void)?
    var observed = 0
    var findings = FuzzFindings()
    /// The refused and the accepted valid requests of each operation.
    var refused: [Int: [FuzzFinding]] = [:]
    var accepted: Set<Int> = []
    /// The operations that have refused a valid request, and those with a rule that was learned last.
    var learning = Learning()
    /// The sentences of refusals that were read before.
    let statements = RefusalStatements()
    /// The operations that refuse all valid requests without credentials.
    var credentials = LearnedCredentials()
    var requests: [Int: Int] = [:]
    /// The operations with a response, and the last exchange of the others.
    var responding: Set<Int> = []
    var unanswered: [Int: Exchange] = [:]
    /// The number of requests of each operation in a row without a response.
    var silent: [Int: Int] = [:]
    /// The number of random requests of each operation in a row that got a status of 5xx or no response.
    var failing: [Int: Int] = [:]
    /// The operations that get no more random requests because too many in a row have failed.
    var abandoned: Set<Int> = []
    /// The request after which the server no longer responds.
    var last: FuzzFinding?
    /// Whether the server does not respond to any request.
    var isDown = false
    var pool = ValuePool()
    /// The resources that exist.
    var resources: KnownPaths
    /// The rounds of random requests that come next, if they are still to be prepared.
    var upcoming: Range<Int>?
    /// The random requests that were prepared while others were in flight.
    var prepared: PreparedRequests?
    /// The time at which the search started.
    var start: Int64 = 0

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
        resources = KnownPaths(base: ServerAddress(text: options.baseURL).text)
        self.execution = SuiteExecution(run: execution)
        self.time = time
        self.isStopped = isStopped
        self.observer = observer
    }

    /// Searches for faults.
    ///
    /// - Parameter contractPath: The path of the description for the suites of the findings.
    public consuming func run(contractPath: String) async -> Outcome {
        start = time()
        let end = options.duration.map { start + $0 }
        if options.phases.contains(.random) { upcoming = batch(after: 0) }
        let tests = plan.tests
        for first in stride(from: 0, to: tests.count, by: Self.suiteSize) {
            let part = Array(tests[first..<min(first + Self.suiteSize, tests.count)])
            await run(part, after: plan.support(of: part), in: .overlapping)
        }
        if options.learns { await learn() }
        if options.phases.contains(.stateful) {
            await runSequences()
            let (support, cases) = plan.tests(with: pool)
            await run(cases, after: support, in: .overlapping)
            plan.knownPaths = resources.paths(in: plan)
            let (needed, again) = plan.testsAtKnownPaths()
            await run(again, after: needed, in: .overlapping)
            await run(plan.tests(following: pool.links) { [judge] in judge.operation(ofReading: $0) }, in: .overlapping)
            await runWalks()
        }
        if options.checks.contains(.foreignObject), let other = options.otherUser, !isEnded {
            let probe = IdentityProbe(plan: plan, other: other.header, execution: execution)
            for finding in await probe.findings() { findings.add(finding) }
        }
        if options.phases.contains(.random) { await runRandom(until: end) }
        if options.checks.contains(.validRequestRefused) { addRefusals() }
        await confirm()
        return outcome(contractPath: contractPath)
    }

    /// Whether nothing more is sent: the user has stopped the search, or the server no longer responds.
    var isEnded: Bool { isStopped() || isDown }

    /// Reads each stored or deleted resource right after it was created, without other requests in between.
    private mutating func runSequences() async {
        for test in plan.tests where test.intent.phase == .stateful {
            await run([test], after: plan.predecessors(of: test), in: .serial)
        }
    }

    /// Runs sequences of random length, and judges each response by what came before it.
    private mutating func runWalks() async {
        var planner = WalkPlanner(plan, seed: options.seed, without: unpromising)
        let walks = max(Self.minimumWalks, (options.cases ?? Self.maximumWalks) / 10)
        for kind in planner.kinds {
            for _ in 0..<min(walks, Self.maximumWalks) where !isEnded {
                let tests = planner.walk(kind)
                let results = await execution.results(of: plan.suite(of: tests, .serial))
                _ = await judge(tests, after: [], results, walks: true)
                await confirm()
            }
        }
    }

    /// The operations that get no random requests: those that do not respond, fail each time, or refuse all valid requests
    /// because they lack credentials.
    private var unpromising: Set<Int> {
        credentials.refusing.union(silent.keys.filter { isDead($0) }).union(failed)
    }

    /// The operations whose random requests fail each time.
    private var failed: Set<Int> {
        options.learns ? Set(failing.filter { $0.value >= Self.failedRequests }.keys) : []
    }

    /// The operations that got no more random requests because these failed, each in one sentence.
    var failures: [MessageText] {
        abandoned.sorted().map { "\(judge.operations[$0].wording): \(Self.failedRequests) failed in a row" }
    }

    // MARK: Random requests

    /// Returns the rounds of the next batch, or `nil` if there is none.
    private func batch(after round: Int) -> Range<Int>? {
        let end = min(options.cases ?? .max, round + Self.batch)
        return round < end ? round..<end : nil
    }

    /// Returns the requests of some rounds: those that were prepared, unless what they depend on has changed since then.
    ///
    /// That is a learned rule, the path of a resource, or an operation that has become unpromising.
    private mutating func requests(of rounds: Range<Int>) -> (support: [GeneratedTest], cases: [GeneratedTest]) {
        defer { prepared = nil }
        abandoned.formUnion(failed)
        if let prepared, prepared.rounds == rounds, prepared.excluded == unpromising,
            prepared.rules == learning.revision, prepared.plan.knownPaths == plan.knownPaths
        {
            plan.random = prepared.plan.random
            plan.unusualPaths = prepared.plan.unusualPaths
            plan.repetitions = prepared.plan.repetitions
            return (prepared.support, prepared.cases)
        }
        return plan.randomTests(rounds: rounds, without: unpromising)
    }

    /// Prepares the random requests that come next.
    mutating func prepare() {
        guard let rounds = upcoming else { return }
        upcoming = nil
        var plan = plan
        let (support, cases) = plan.randomTests(rounds: rounds, without: unpromising)
        prepared = PreparedRequests(
            rounds: rounds, excluded: unpromising, rules: learning.revision, plan: plan, support: support, cases: cases)
    }

    private mutating func runRandom(until end: Int64?) async {
        var next = batch(after: 0)
        var emptyBatches = 0
        while let rounds = next, emptyBatches < Self.emptyBatches, !isEnded,
            end.map({ time() < $0 }) ?? (options.cases != nil)
        {
            plan.knownPaths = resources.paths(in: plan)
            let (support, cases) = requests(of: rounds)
            next = batch(after: rounds.upperBound)
            upcoming = next
            emptyBatches = cases.isEmpty ? emptyBatches + 1 : 0
            await run(cases, after: support, in: .concurrent)
        }
    }
}

/// The execution of suites.
struct SuiteExecution: Sendable {
    let run: FuzzRun.Execution

    /// Returns the results of a suite in the order of its tests, with `nil` for a test that did not run.
    func results(of suite: FuzzSuite) async -> [TestResult?] { await run(suite) { _, _ in } }

    /// Runs a suite, and handles each result while the next requests are in flight.
    ///
    /// - Parameters:
    ///   - work: Work to do while the first request is in flight.
    ///   - handle: Receives each result with its position in the suite, and a repeated one again.
    /// - Returns: The results in the order of the tests, with `nil` for a test that did not run.
    func results(
        of suite: FuzzSuite, during work: () -> Void = {}, handle: (_ position: Int, _ result: TestResult) -> Void
    ) async -> [TestResult?] {
        let (completed, continuation) = AsyncStream<(position: Int, result: TestResult)>.makeStream()
        async let running = {
            defer { continuation.finish() }
            return await run(suite) { continuation.yield(($0, $1)) }
        }()
        work()
        for await entry in completed { handle(entry.position, entry.result) }
        return await running
    }
}

/// Random requests that were prepared in advance, and the facts that they depend on.
struct PreparedRequests {
    var rounds: Range<Int>
    /// The operations without requests.
    var excluded: Set<Int>
    /// The number of learned rules.
    var rules: Int
    /// The plan after the requests were prepared.
    var plan: FuzzPlan
    var support: [GeneratedTest]
    var cases: [GeneratedTest]
}
