import Glibc
import RunModel
import Testing

@testable import Runner

@Testing.Suite("Programs that steps run")
struct CommandProcessTests {
    private func process(
        _ script: String, input: String = "", timeout: Int64 = 60_000_000_000, directory: String = "/"
    ) -> CommandProcess {
        CommandProcess(
            arguments: ["sh", "-c", script], environment: ["PATH=/usr/bin:/bin"], directory: directory,
            input: Array(input.utf8), timeout: timeout, clock: .system)
    }

    private func status(_ result: CommandProcess.Result) -> CommandExecution.Ending? {
        if case .ended(let ending) = result.ending { ending } else { nil }
    }

    @Test("Both output streams and the exit status are returned")
    func streams() async {
        let result = await process("echo one; echo two >&2; exit 3").run()
        #expect(status(result) == .exit(3))
        #expect(String(decoding: result.output.bytes, as: UTF8.self) == "one\n")
        #expect(String(decoding: result.errors.bytes, as: UTF8.self) == "two\n")
    }

    @Test("Input longer than a pipe is written while output is read")
    func longInput() async {
        let input = String(repeating: "0123456789abcde\n", count: 20_000)
        let result = await process("cat", input: input).run()
        #expect(status(result) == .exit(0))
        #expect(result.output.bytes == Array(input.utf8))
    }

    @Test("A program that does not read its input can succeed")
    func unreadInput() async {
        let result = await process("exit 0", input: String(repeating: "x", count: 1 << 20)).run()
        #expect(status(result) == .exit(0))
    }

    @Test("Output beyond the limit is counted but not kept")
    func longOutput() async {
        let result = await process("head -c 3000000 /dev/zero >&2").run()
        #expect(status(result) == .exit(0))
        #expect(result.errors.bytes.count == CommandExecution.maximumErrors)
        #expect(result.errors.size == 3_000_000)
        #expect(result.errors.isCut)
    }

    @Test("A signal that ends the program is returned")
    func signal() async {
        #expect(status(await process("kill -9 $$").run()) == .signal(9))
    }

    @Test("A program that leaves a process behind ends, and the process is killed")
    func leftBehind() async throws {
        let result = await process("sleep 600 & echo $!").run()
        #expect(status(result) == .exit(0))
        let child = try #require(pid_t(String(decoding: result.output.bytes.dropLast(), as: UTF8.self)))
        #expect(hasEnded(child))
    }

    @Test("The time limit kills the program and its processes")
    func timeout() async throws {
        let result = await process("sleep 600 & echo $!; wait", timeout: 300_000_000).run()
        guard case .timedOut = result.ending else {
            Issue.record("\(result.ending)")
            return
        }
        let child = try #require(pid_t(String(decoding: result.output.bytes.dropLast(), as: UTF8.self)))
        #expect(hasEnded(child))
    }

    @Test("Cancelling the task kills the program")
    func cancellation() async {
        let task = Task { await process("sleep 600").run() }
        task.cancel()
        guard case .cancelled = await task.value.ending else {
            Issue.record("not cancelled")
            return
        }
    }

    @Test("A program that closes its output is awaited")
    func closedOutput() async {
        let result = await process("exec >&- 2>&-; sleep 0.05; exit 4").run()
        #expect(status(result) == .exit(4))
    }

    /// Polls until a process has ended, for at most ten seconds.
    private func hasEnded(_ process: pid_t) -> Bool {
        for _ in 0..<1_000 {
            if kill(process, 0) != 0, errno == ESRCH { return true }
            // A zombie whose parent has not reaped it has ended, too.
            if let file = fopen("/proc/\(process)/stat", "re") {
                defer { fclose(file) }
                var line = [UInt8](repeating: 0, count: 256)
                let count = fread(&line, 1, line.count, file)
                if String(decoding: line[..<count], as: UTF8.self).contains(") Z ") { return true }
            }
            usleep(10_000)
        }
        return false
    }
}
