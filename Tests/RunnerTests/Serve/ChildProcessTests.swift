import Basics
import Glibc
import Testing

@testable import Runner

@Testing.Suite("Child processes of a run")
struct ChildProcessTests {
    private func start(_ script: String) throws -> ChildProcess {
        try ChildProcess(
            arguments: ["sh", "-c", script], environment: ["PATH=/usr/bin:/bin"], directory: "/", log: nil)
    }

    /// Polls until the condition is true, for at most ten seconds.
    private func poll(_ condition: () -> Bool) -> Bool {
        for _ in 0..<1_000 {
            if condition() { return true }
            usleep(10_000)
        }
        return false
    }

    @Test("The exit status and last output of a process are available")
    func ending() throws {
        let process = try start("echo one; echo two >&2; exit 3")
        #expect(poll { process.ending() != nil })
        #expect(process.ending() == .exit(status: 3))
        #expect(process.lastLines(1) == ["two"])
        process.finish()
    }

    @Test("Finishing a process leaves no process of its group running")
    func group() throws {
        let process = try start("trap '' TERM; sh -c 'trap \"\" TERM; while :; do sleep 60; done' & echo started; wait")
        #expect(poll { process.lastLines(1) == ["started"] })
        process.kill(SIGTERM)
        #expect(process.ending() == nil)
        process.finish()
        #expect(poll { kill(-process.identifier, 0) != 0 && errno == ESRCH })
    }

    @Test("Processes inherit no descriptors except their standard streams")
    func descriptors() throws {
        var ends: [Int32] = [-1, -1]
        #expect(Glibc.pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        // The shell's own descriptors are above 9, and ls opens the directory itself.
        let process = try start("ls /proc/self/fd | grep -vxE '[012]' | wc -l; echo done")
        #expect(poll { process.lastLines(1) == ["done"] })
        #expect(process.lastLines(2) == ["1", "done"])
        process.finish()
    }

    @Test("A process that cannot be started reports the reason")
    func missing() {
        #expect { try startProgram(["no-such-program"]) } throws: { error in
            (error as? ServeError)?.message == "the command \"no-such-program\" cannot be started: not found in PATH"
        }
        #expect { try startProgram(["./missing"]) } throws: { error in
            (error as? ServeError)?.message == "the command \"./missing\" cannot be started: No such file or directory"
        }
    }

    private func startProgram(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(arguments: arguments, environment: ["PATH=/usr/bin:/bin"], directory: "/tmp", log: nil)
    }
}
