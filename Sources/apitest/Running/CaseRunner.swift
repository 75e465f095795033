import APITestKit
import Basics
import Diagnostics
import FileSystem
import Reports
import RunModel
import Runner
import SuiteLoader
import Synchronization

/// A runner of the suites that a fuzz run generates.
final class CaseRunner: Sendable {
    /// The maximum number of requests in flight.
    static let jobs = 16
    private static let timeout: Int64 = 10_000_000_000

    private struct State {
        var control: RunControl?
        var isInterrupted = false
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

    /// Runs the tests of a suite.
    ///
    /// - Returns: The results in the order of the tests.
    func run(_ text: String) async -> [TestResult] {
        let directory = Path.workingDirectory
        var loader = LoaderOptions(fileRoot: directory, workingDirectory: directory, variables: [:])
        loader.processEnvironment = options.environment
        let loaded = SuiteLoader(options: loader).load(
            SourceFile(name: "fuzz", text: text), absolutePath: directory + "/fuzz.apitest.yaml")
        guard !loaded.hasErrors else {
            // The generator has a fault.
            StandardError.write(TextRenderer(color: false).render(loaded.diagnostics))
            return []
        }
        let control = RunControl()
        let isInterrupted = state.withLock { state in
            state.control = control
            return state.isInterrupted
        }
        if isInterrupted { return [] }
        let results = Mutex<[Int: TestResult]>([:])
        _ = await Runner(
            plan: TestPlan(suites: loaded.suites), options: options, control: control, startMock: MockStarter.start,
            mask: { nil },
            sink: { event in
                switch event {
                case .secretRegistered: self.send(event)
                case .testCompleted(let result): results.withLock { $0[result.test.position] = result }
                default: break
                }
            }
        ).run()
        return results.withLock { results in results.sorted { $0.key < $1.key }.map(\.value) }
    }
}
