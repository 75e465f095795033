import Glibc

/// The program under test.
enum Program {
    /// The path of the program: `APITEST_PROGRAM`, or the one built next to the tests.
    static let path: String = {
        if let given = environmentVariable("APITEST_PROGRAM") { return given }
        guard let name = realpath("/proc/self/exe", nil) else { return "apitest" }
        defer { free(name) }
        return TestFiles.parent(String(cString: name)) + "/apitest"
    }()

    /// Returns a minimal environment for programs, independent of the machine.
    static func environment(home: String, adding more: [String: String] = [:]) -> [String: String] {
        var fixed = [
            "PATH": environmentVariable("PATH") ?? "/usr/local/bin:/usr/bin:/bin", "HOME": home, "NO_COLOR": "1",
            "LANG": "C.UTF-8", "TZ": "UTC",
        ]
        // The options of a sanitizer's runtime apply to the program as well as its tests.
        for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] { fixed[name] = environmentVariable(name) }
        return fixed.merging(more) { $1 }
    }

    /// Returns a variable of this process's environment.
    static func environmentVariable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Returns whether a program is in PATH.
    static func isInstalled(_ name: String) -> Bool {
        (environmentVariable("PATH") ?? "").split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// Runs the program until it exits.
    static func run(
        _ arguments: [String], in directory: String, environment: [String: String] = [:],
        within bound: Duration = .seconds(60)
    ) async throws -> (ending: ProgramRun.Ending, output: String, error: String) {
        let temporary = try TemporaryDirectory()
        let run = try ProgramRun(
            [path] + arguments, environment: self.environment(home: temporary.path, adding: environment),
            directory: directory, output: temporary.path + "/run")
        let ending = try await run.wait(within: bound)
        return (ending, run.standardOutput, run.standardError)
    }
}
