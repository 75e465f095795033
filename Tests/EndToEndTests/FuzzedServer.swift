import JSON
import Testing

/// A running server with faults, and the directory with its description.
struct FuzzedServer {
    let directory: TemporaryDirectory
    let url: String
    private let process: ProgramRun

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - script: The name of the server: `shop`, `shelves` or `rooms`.
    ///   - faults: The names of its faults.
    init(_ script: String = "shop", faults: [String]) async throws {
        let python = Program.environmentVariable("APITEST_PYTHON") ?? "/usr/bin/python3"
        guard Program.isInstalled("python3") || Program.environmentVariable("APITEST_PYTHON") != nil else {
            try Test.cancel("Python is not installed")
        }
        directory = try TemporaryDirectory()
        let script = TestFiles.target + "/Contracts/\(script).py"
        let described = try ProgramRun(
            [python, script, "--openapi"], environment: Program.environment(home: directory.path),
            directory: directory.path, output: directory.path + "/described")
        guard try await described.wait() == .exit(0) else {
            throw ProgramRun.Failure(description: "no description: \(described.standardError)")
        }
        TestFiles.write(described.standardOutput.utf8, to: directory.path + "/openapi.json")
        let portFile = directory.path + "/port"
        process = try ProgramRun(
            [python, script, portFile] + faults, environment: Program.environment(home: directory.path),
            directory: directory.path, output: directory.path + "/shop")
        var port = ""
        let isReady = try await Poll.until {
            port = (TestFiles.text(portFile) ?? "").filter(\.isNumber)
            return !port.isEmpty
        }
        guard isReady else {
            throw ProgramRun.Failure(description: "the server did not start: \(process.standardError)")
        }
        url = "http://127.0.0.1:\(port)"
    }

    /// Ends the server.
    func stop() { process.killSession() }

    /// Returns the names of the failed tests of a record.
    ///
    /// Each must state when it was found.
    static func failedTests(_ path: String) throws -> [String] {
        try #require(TestFiles.text(path)).split(separator: "\n").compactMap { line in
            let event = try JSONParser().parse(Array(line.utf8))
            guard event["event"]?.stringValue == "test", event["outcome"]?.stringValue == "failed",
                let name = event["name"]?.stringValue
            else { return nil }
            #expect(try #require(event["start"]?.numberValue?.int64) > 0, "\(name)")
            return name
        }
    }
}
