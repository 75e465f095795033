import CEL
import Diagnostics
import SuiteModel
import Synchronization
import Testing

@testable import Runner

@Testing.Suite("Served commands")
struct ServedCommandTests {
    private func start(
        _ script: String, within: Int64 = 30_000_000_000, probe: ServedCommand.Probe
    ) async throws(ServeError) -> ServedCommand {
        let place = SourcePosition(line: 1, column: 1)
        let command = Serve.Command(
            arguments: ["sh", "-c", script].map { Template.constant($0) },
            ready: (method: "GET", url: Template.constant("/ready")), within: within, folder: "/",
            range: SourceRange(file: SourceFile(name: "suite.yaml", text: ""), start: place, end: place))
        let options = RunOptions(
            seed: 1, fileRoot: "/", environment: ["PATH": "/usr/bin:/bin"], startTime: 0, version: "1")
        let scope: CELVariables = [:]
        return try await ServedCommand.start(
            command, scope: scope, port: 1, context: CELContext(), options: options, probe: probe)
    }

    @Test("No request for readiness may take longer than the time that is left")
    func timeOfProbes() async {
        let times = Mutex<[Int64]>([])
        do {
            let server = try await start("sleep 1000", within: 100_000_000) { _, _, time in
                times.withLock { $0.append(time) }
                return nil
            }
            _ = await server.stop()
            Issue.record("it was ready")
        } catch {
            #expect(error.kind == "serve-timeout")
        }
        let asked = times.withLock { $0 }
        #expect(asked.count > 1)
        #expect(asked.allSatisfy { $0 > 0 && $0 <= 100_000_000 })
        #expect(asked == asked.sorted(by: >))
    }

    @Test("Those that ignore SIGTERM are ended at the same time, also by tasks that are cancelled")
    func stubborn() async throws {
        var servers: [ServedCommand] = []
        for _ in 0..<32 {
            servers.append(try await start("trap '' TERM; while :; do sleep 1; done") { _, _, _ in 200 })
        }
        // The shells need a moment to ignore the signal.
        try await Task.sleep(for: .milliseconds(300))
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for server in servers {
                group.addTask { _ = await server.stop() }
            }
            group.cancelAll()
        }
        #expect(ContinuousClock.now - start < .seconds(8))
    }
}
