import Basics
import CEL
import Diagnostics
import Glibc
import RunModel
import SuiteModel
import Synchronization
import Testing

@testable import Runner

@Testing.Suite("Served commands")
struct ServedCommandTests {
    private func start(
        _ script: String, within: Templated<Int64> = 30_000_000_000, environment: [String: String] = [:],
        clock: RunClock = .system, probe: ServedCommand.Probe
    ) async throws(ServeError) -> ServedCommand {
        let location = SourcePosition(line: 1, column: 1)
        let command = Serve.Command(
            arguments: ["sh", "-c", script].map { Template.constant($0) },
            ready: (method: "GET", url: Template.constant("/ready")), within: within, directory: "/",
            range: SourceRange(file: SourceFile(name: "suite.yaml", text: ""), start: location, end: location))
        let options = RunOptions(
            seed: 1, fileRoot: "/", environment: environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }, clock: clock,
            startTime: 0, version: "1")
        let scope: CELVariables = [:]
        return try await ServedCommand.start(
            command, scope: scope, port: 1, context: CELContext(), options: options, probe: probe)
    }

    @Test("A readiness request never gets more time than is left")
    func timeOfProbes() async {
        let times = Mutex<[Int64]>([])
        do {
            let server = try await start("sleep 1000", within: 100_000_000) { _, _, time in
                times.withLock { $0.append(time) }
                return nil
            }
            _ = await server.stop()
            Issue.record("the server must not become ready")
        } catch {
            #expect(error.kind.rawValue == "serve-timeout")
        }
        let asked = times.withLock { $0 }
        #expect(asked.count > 1)
        #expect(asked.allSatisfy { $0 > 0 && $0 <= 100_000_000 })
        #expect(asked == asked.sorted(by: >))
    }

    @Test("Output without a log goes to the temporary directory of the environment", arguments: [true, false])
    func temporaryDirectory(_ isThere: Bool) async throws {
        var template = Array("/tmp/served-command-XXXXXX".utf8CString)
        let directory = try #require(mkdtemp(&template).map { String(cString: $0) })
        let target = directory + "/target"
        defer {
            unlink(target)
            rmdir(directory)
        }
        let server = try await start(
            "echo hello; ln -s \"$(readlink /proc/$$/fd/1)\" \(target); sleep 1000",
            environment: ["TMPDIR": isThere ? directory : directory + "/missing"]
        ) { _, _, _ in Self.link(target) != nil ? 200 : nil }
        _ = await server.stop()
        #expect(Self.link(target)?.hasPrefix(directory + "/") == isThere)
    }

    /// Returns the target of a symbolic link.
    private static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    @Test("A server that exits during the last request is reported")
    func crashOnTheLastRequest() async throws {
        // The clock does not advance, so the server has unlimited time to exit.
        let clock = RunClock(now: { 0 }, sleep: { _ in try await Task.sleep(for: .milliseconds(1)) })
        let server = try await start("sleep 0.05; exit 3", clock: clock) { _, _, _ in 200 }
        let report = try #require(await server.stop())
        #expect(
            report.message.text.hasPrefix("the server exited during the run (exit status 3)"), "\(report.message)")
    }

    /// A clock that advances by an hour when enough tasks wait concurrently, or when this does not happen.
    private final class Meeting: Sendable {
        private struct State {
            var waiting = 0
            var isComplete = false
            var isOver = false
        }

        private let expected: Int
        private let state = Mutex(State())

        init(of expected: Int) { self.expected = expected }

        var isComplete: Bool { state.withLock { $0.isComplete } }

        var clock: RunClock {
            RunClock(
                now: { RunClock.system.now() + (self.state.withLock { $0.isOver } ? 3_600_000_000_000 : 0) },
                sleep: { _ in try await self.wait() })
        }

        private func wait() async throws {
            state.withLock { state in
                state.waiting += 1
                if state.waiting >= expected { (state.isComplete, state.isOver) = (true, true) }
            }
            defer { state.withLock { $0.waiting -= 1 } }
            // At most a minute, if they wait one after another.
            for _ in 0..<6_000 {
                if state.withLock({ $0.isOver }) { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            state.withLock { $0.isOver = true }
        }
    }

    @Test("Servers that ignore SIGTERM are stopped concurrently, even from cancelled tasks")
    func stubborn() async throws {
        let count = 32
        var template = Array("/tmp/served-command-XXXXXX".utf8CString)
        let directory = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer { rmdir(directory) }
        let meeting = Meeting(of: count)
        var servers: [ServedCommand] = []
        for number in 0..<count {
            // The server is ready when it ignores the signal.
            let file = "\(directory)/\(number)"
            defer { unlink(file) }
            let script = "trap '' TERM; : >\(file); while :; do sleep 1; done"
            servers.append(
                try await start(script, clock: meeting.clock) { _, _, _ in access(file, F_OK) == 0 ? 200 : nil })
        }
        await withTaskGroup(of: RunningServerReport?.self) { group in
            for server in servers {
                group.addTask { await server.stop() }
            }
            group.cancelAll()
            for await report in group { #expect(report == nil) }
        }
        #expect(meeting.isComplete)
    }
}
