import HTTPSession
import NIOCore
import NIOPosix
import RunModel
import SuiteModel

/// The parts that the tests of a run share: the connections, the suites with their variables, and the runner of tests.
struct RunParts: Sendable {
    let options: RunOptions
    let files: FileAccess
    let suites: [SuiteRun]
    let contexts: ContextFactory
    let snapshots: SnapshotStore
    let contracts: ContractLedger
    let session: Session
    let tests: TestRunner
    /// The executors of the event loops.
    let executors: [EventLoopTaskExecutor]
    private let connections: RunConnections

    /// Creates the parts of a run that has not started.
    ///
    /// - Parameters:
    ///   - loops: The number of event loops.
    ///   - connections: The limits of the connections.
    ///   - owner: The owner of the run.
    ///   - mask: Returns the mask for secrets in snapshots.
    ///   - prepare: Does the sink's work on a large result in advance.
    init(
        plan: TestPlan, options: RunOptions, loops: Int, connections: NIOTransport.Settings, files: FileAccess,
        owner: any RunOwner, mask: @escaping Runner.SecretMasking,
        prepare: @escaping @Sendable (inout TestResult) -> Void
    ) {
        self.options = options
        self.files = files
        let connections = options.connections ?? RunConnections(loops: loops, settings: connections)
        self.connections = connections
        executors = connections.transport.executors
        session = Session(
            configuration: SessionConfiguration(trust: options.trust, routes: options.routes, version: options.version),
            transport: connections.transport)
        let contexts = ContextFactory(options: options, files: files, suites: plan.suites)
        self.contexts = contexts
        suites = plan.suites.enumerated().map { index, suite in
            SuiteRun(
                suite, givenVariables: options.variables, register: owner.registerSecret,
                warn: { owner.warn(RunNotice(.unmaskedSecret, severity: .warning, suite: index, message: $0)) },
                variableContext: { variable in
                    contexts.context(forSuite: index, variable: variable, directory: suite.directory)
                })
        }
        snapshots = SnapshotStore(
            plan: plan, mode: options.snapshots, root: options.fileRoot, files: files, mask: mask)
        contracts = ContractLedger(plan.suites)
        tests = TestRunner(
            plan: plan, suites: suites, session: session, owner: owner, options: options,
            contexts: contexts, files: files, authenticators: Authenticators(register: owner.registerSecret),
            snapshots: snapshots, contracts: contracts, prepare: prepare, start: options.clock.now())
    }

    /// Returns the starter of the suites' servers.
    func servers(_ startMock: @escaping Runner.MockStarter) -> ServerStarter {
        ServerStarter(
            suites: suites, session: session, options: options, contexts: contexts, startMock: startMock)
    }

    /// Closes the connections and ends the event loops, unless other runs share them.
    func close() async {
        guard options.connections == nil else { return }
        await session.close()
        await connections.endLoops()
    }
}
