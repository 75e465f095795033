import APITestKit
import Basics
import CEL
import ContractTools
import Diagnostics
import FileSystem
import Reports
import RunModel
import Runner
import SuiteLoader
import SuiteModel
import Synchronization

/// A runner of the suites that a fuzz run generates.
final class CaseRunner: Sendable {
    /// The maximum number of requests in flight.
    static let jobs = 16
    private static let timeout: Int64 = 10_000_000_000
    /// The number of requests in a row without a response after which a suite ends, because the server may be down.
    private static let maximumSilence = 4

    private struct State {
        var control: RunControl?
        var isInterrupted = false
        /// The connections of the last suites, which were serial.
        var connections: RunConnections?
        /// Whether the server may serve one connection at a time, so that only one request is in flight.
        var servesOneConnection = false
    }

    let startTime = WallClock.now()
    let options: RunOptions
    private let reports: [ReportFanOut]
    private let state = Mutex(State())

    init(
        _ command: ContractFuzzCommand, environment: [String: String], trust: TrustOptions, routes: RunRoutes,
        reports: [ReportFanOut], seed: UInt64
    ) throws {
        var options = RunOptions(
            jobs: Self.jobs, retries: 0, seed: seed, keepsExchanges: true, fileRoot: Path.workingDirectory,
            trust: trust, routes: routes, environment: environment, startTime: startTime, version: Apitest.version)
        options.rate = try command.perSecond()
        options.timeout = Self.timeout
        // A duplicate does no harm in a search, and a connection that was closed says nothing about the request.
        options.repeatsAllMethods = true
        options.workingDirectory = SystemInfo.workingDirectory
        self.options = options
        self.reports = reports
    }

    /// Sends an event to the reports, and a secret also to the record of the requests.
    func send(_ event: RunEvent) {
        for reports in reports {
            reports.send(event)
            guard case .secretRegistered = event else { return }
        }
    }

    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Ends the run after the requests in flight.
    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            state.control?.interrupt()
        }
    }

    /// Runs the tests of a suite until several requests in a row get no response. If the credentials of the login have
    /// expired, it is repeated, and so are the tests.
    ///
    /// - Parameter completed: Receives each result as soon as it is there.
    /// - Returns: The results in the order of the tests, with `nil` for a test that did not run.
    func run(
        _ suite: FuzzSuite, _ login: LoginSession?, completed: @escaping FuzzRun.Completion = { _, _ in }
    ) async -> [TestResult?] {
        let results = await run(suite, variables: login?.values ?? [:], completed)
        guard let login, await login.refresh(after: results.compactMap(\.self), self) else { return results }
        return await run(suite, variables: login.values, completed)
    }

    private func run(
        _ suite: FuzzSuite, variables: [String: CELValue], _ completed: @escaping FuzzRun.Completion
    ) async -> [TestResult?] {
        guard let plan = plan(of: suite, variables: variables) else { return [] }
        let overlapping = suite.overlapping.filter { $0.count > 1 }
        guard !overlapping.isEmpty, !state.withLock({ $0.servesOneConnection }) else {
            return await run(plan, variables: variables, completed)
        }
        let results = await run(plan.overlapping(overlapping), variables: variables, completed)
        let late = overlapping.joined().filter { results.indices.contains($0) && results[$0]?.hasTimedOut ?? false }
        guard !late.isEmpty, !isInterrupted else { return results }
        // They may have waited for the end of the first connection.
        await closeConnections()
        let repeated = await run(plan, variables: variables, completed)
        if late.contains(where: { repeated.indices.contains($0) && repeated[$0]?.hasResponse ?? false }) {
            state.withLock { $0.servesOneConnection = true }
        }
        return results.indices.map { (repeated.indices.contains($0) ? repeated[$0] : nil) ?? results[$0] }
    }

    /// Returns the plan of a suite, in which no tests overlap, or `nil` if the suite is invalid.
    private func plan(of suite: FuzzSuite, variables: [String: CELValue]) -> TestPlan? {
        let directory = Path.workingDirectory
        var loader = LoaderOptions(
            fileRoot: directory, workingDirectory: directory, variables: variables.mapValues(\.text))
        loader.typedVariables = variables
        loader.processEnvironment = options.environment
        let loaded = SuiteLoader(options: loader).load(
            SourceFile(name: "fuzz", text: suite.text), absolutePath: directory + "/fuzz.apitest.yaml")
        guard !loaded.hasErrors else {
            // The generator has a fault.
            StandardError.write(TextRenderer(color: false).render(loaded.diagnostics))
            return nil
        }
        return TestPlan(suites: loaded.suites)
    }

    private func run(
        _ plan: TestPlan, variables: [String: CELValue], _ completed: @escaping FuzzRun.Completion
    ) async -> [TestResult?] {
        var results: [TestResult?] = Array(repeating: nil, count: plan.testCount)
        let connections = await connections(for: plan)
        let servesOneConnection = state.withLock { $0.servesOneConnection }
        let ended = await run(plan, maximumSilence: Self.maximumSilence, completed: completed) { options in
            options.variables = variables
            options.connections = connections
            if servesOneConnection { options.jobs = 1 }
        }
        for result in ended
        where results.indices.contains(result.test.position) && !result.isCancelled {
            results[result.test.position] = result
        }
        return results
    }

    /// Returns the connections for a suite: those of the suites before it if it is serial, or none.
    ///
    /// A concurrent suite closes them, because some servers serve one connection only.
    private func connections(for plan: TestPlan) async -> RunConnections? {
        guard plan.suites.allSatisfy({ $0.mode == .serial }) else {
            await closeConnections()
            return nil
        }
        return state.withLock { state in
            let connections = state.connections ?? RunConnections(forSerialRunsWith: options)
            state.connections = connections
            return connections
        }
    }

    /// Closes the connections that suites have left open.
    func closeConnections() async {
        let connections = state.withLock { state in
            defer { state.connections = nil }
            return state.connections
        }
        await connections?.close()
    }

    /// Runs the tests of a plan with one suite.
    ///
    /// - Parameters:
    ///   - maximumSilence: The number of requests in a row without a response that end the run; nil for any number.
    ///   - completed: Receives each result as soon as it is there.
    ///   - change: Changes the options of the run.
    /// - Returns: The results in the order of the tests.
    func run(
        _ plan: TestPlan, maximumSilence: Int? = nil, completed: @escaping FuzzRun.Completion = { _, _ in },
        change: (inout RunOptions) -> Void
    ) async -> [TestResult] {
        var options = options
        change(&options)
        let control = RunControl()
        let isInterrupted = state.withLock { state in
            state.control = control
            return state.isInterrupted
        }
        if isInterrupted { return [] }
        let results = Mutex<[Int: TestResult]>([:])
        let silence = Mutex(0)
        _ = await Runner(
            plan: plan, options: options, control: control, startMock: MockStarter.start,
            mask: { nil },
            sink: { event in
                switch event {
                case .secretRegistered: self.send(event)
                case .testCompleted(let result):
                    results.withLock { $0[result.test.position] = result }
                    completed(result.test.position, result)
                    guard let maximumSilence, let exchange = result.steps.last?.exchange else { break }
                    let requests = silence.withLock { count in
                        count = exchange.response == nil ? count + 1 : 0
                        return count
                    }
                    if requests == maximumSilence { control.interrupt() }
                default: break
                }
            }
        ).run()
        return results.withLock { results in results.sorted { $0.key < $1.key }.map(\.value) }
    }
}

extension TestResult {
    /// Whether the end of the run has cancelled the request.
    fileprivate var isCancelled: Bool { steps.last?.exchange?.failure?.kind == .cancelled }

    /// Whether a response has come.
    fileprivate var hasResponse: Bool { steps.last?.exchange?.response != nil }

    /// Whether no response has come in time.
    fileprivate var hasTimedOut: Bool { steps.last?.exchange?.failure?.kind == .timeout }
}
