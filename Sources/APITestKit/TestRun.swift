import Diagnostics
public import Reports
public import Runner
public import SuiteLoader
public import SuiteModel

/// Loads suites and runs them from Swift code.
///
/// ```swift
/// let run = try TestRun(paths: ["bookshop.apitest.yaml"], loader: loaderOptions)
/// let summary = await run.start(options: runOptions, reporters: [reporter])
/// ```
public struct TestRun: Sendable {
    /// What will be run.
    public let plan: TestPlan

    /// Loads and plans.
    ///
    /// - Parameters:
    ///   - paths: suite files, or folders with them.
    ///   - loader: the folders and variables with which they are loaded.
    ///   - selection: which tests are wanted.
    /// - Throws: ``LoadFailure`` when a suite has a mistake.
    public init(
        paths: [String], loader: LoaderOptions, selection: TestSelection = TestSelection()
    ) throws(LoadFailure) {
        let result = SuiteLoader(options: loader).load(paths: paths)
        guard !result.hasErrors else { throw LoadFailure(diagnostics: result.diagnostics) }
        plan = TestPlan(suites: result.suites, selection: selection)
    }

    /// Runs the plan.
    ///
    /// - Parameters:
    ///   - control: the handle by which the run can be interrupted.
    ///   - reporters: what takes the events; they are finished when this returns.
    /// - Returns: how the run ended, and what reporters could not write.
    public func start(
        options: RunOptions, control: RunControl = RunControl(), reporters: [any Reporter]
    ) async -> (summary: RunSummary, reportErrors: [ReportError]) {
        let fanOut = ReportFanOut(reporters)
        let summary = await Runner(
            plan: plan, options: options, control: control, startMock: MockStarter.start, sink: fanOut.send
        ).run()
        return (summary, fanOut.finish())
    }
}
