import Basics
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
    /// The number of sequences for each kind of resource.
    private static let (minimumWalks, maximumWalks) = (3, 20)

    let options: FuzzOptions
    let judge: FuzzJudge
    var plan: FuzzPlan
    let execution: Execution
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
    /// The operations that refuse all valid requests without credentials.
    var credentials = LearnedCredentials()
    var requests: [Int: Int] = [:]
    /// The operations with a response, and the last exchange of the others.
    var responding: Set<Int> = []
    var unanswered: [Int: Exchange] = [:]
    /// The number of requests of each operation in a row without a response.
    var silent: [Int: Int] = [:]
    /// The request after which the server no longer responds.
    var last: FuzzFinding?
    /// Whether the server does not respond to any request.
    var isDown = false
    var pool = ValuePool()
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
        self.execution = execution
        self.time = time
        self.isStopped = isStopped
        self.observer = observer
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

    /// Reads each stored or deleted resource right after it was created, without other requests in between.
    private mutating func runSequences() async {
        for test in plan.tests where test.intent.phase == .stateful {
            await run([test], after: plan.predecessors(of: test), serially: true)
        }
    }

    /// Runs sequences of random length, and judges each response by what came before it.
    private mutating func runWalks() async {
        var planner = WalkPlanner(plan, seed: options.seed, without: unpromising)
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

    /// The operations that get no random requests: those that do not respond, or refuse all valid requests because they
    /// lack credentials.
    private var unpromising: Set<Int> { credentials.refusing.union(silent.keys.filter { isDead($0) }) }

    // MARK: Random requests

    private mutating func runRandom(until end: Int64?) async {
        var round = 0
        let rounds = options.cases ?? .max
        while round < rounds, !isEnded, end.map({ time() < $0 }) ?? (options.cases != nil) {
            let next = round..<min(rounds, round + Self.batch)
            let (support, cases) = plan.randomTests(rounds: next, without: unpromising)
            guard !cases.isEmpty else { return }
            await run(cases, after: support, serially: false)
            round = next.upperBound
        }
    }
}
