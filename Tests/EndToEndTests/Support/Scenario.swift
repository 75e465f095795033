import Glibc
import Testing

/// A folder under `Scenarios`: a suite, how the program is called, and what comes of it.
///
/// | file | |
/// | --- | --- |
/// | `arguments` | one argument a line; without it, `suite.yaml` |
/// | `environment` | `NAME=value`, one a line |
/// | `requires` | programs, one a line, without which the scenario is skipped |
/// | `prepare` | a shell script that runs in the folder before |
/// | `server.json` | a ``ServerScript``; the suite finds the server as `env("SERVER_URL")` and `env("SERVER_PORT")` |
/// | `signal` | a signal's number and a request line: it is sent once the server has read such a request |
/// | `expected.stdout`, `expected.stderr` | what is written, with the placeholders of ``ExpectedText``; nothing without the file |
/// | `expected.exit` | the exit status; 0 without it |
/// | `expected.requests` | the requests that the server has read |
/// | `expected.NAME` | the file NAME as the program wrote it |
///
/// With `APITEST_UPDATE_EXPECTED=NAME,…` in the environment the expected texts of these scenarios, or with `1` of all, are
/// written instead of compared; the exit status and the requests never are. `APITEST_SCENARIOS=TEXT` leaves those whose names
/// begin with the text.
struct Scenario: CustomTestStringConvertible, Sendable {
    /// The folder's name.
    let name: String

    /// All scenarios, or those that are asked for.
    static let all = TestFiles.names(in: TestFiles.target + "/Scenarios")
        .filter { $0.hasPrefix(Program.environmentVariable("APITEST_SCENARIOS") ?? "") }
        .map(Scenario.init)

    /// Whether the expected files of a scenario or mistake are written instead of compared.
    static func isUpdating(_ name: String) -> Bool {
        let wanted = Program.environmentVariable("APITEST_UPDATE_EXPECTED") ?? ""
        return wanted == "1" || wanted.split(separator: ",").contains(name[...])
    }

    var testDescription: String { name }

    /// The folder's path.
    var folder: String { "\(TestFiles.target)/Scenarios/\(name)" }

    /// Programs that are needed.
    var requirements: [String] { lines("requires") ?? [] }

    /// The program's arguments.
    ///
    /// Failures are shown as they happen: where several are expected, one test runs at a time, unless the arguments say otherwise.
    var arguments: [String] {
        let arguments = lines("arguments") ?? ["suite.yaml"]
        let failures = expected("stdout")?.split(separator: "\n").count { $0.contains("✗") && $0.contains(" › ") } ?? 0
        let runs = !["report", "contract"].contains(arguments.first)
        let hasJobs = arguments.contains { $0.hasPrefix("-j") || $0.hasPrefix("--jobs") }
        return failures > 1 && runs && !hasJobs ? arguments + ["--jobs", "1"] : arguments
    }

    /// Variables that are added to the environment.
    var environment: [String: String] {
        var result: [String: String] = [:]
        for line in lines("environment") ?? [] {
            guard let equals = line.firstIndex(of: "=") else { continue }
            result[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
        return result
    }

    /// The script of the server that the scenario needs.
    func serverScript() throws -> ServerScript? {
        try TestFiles.bytes(folder + "/server.json").map(ServerScript.init)
    }

    /// The signal that is sent while the program runs, and the request on which it is.
    var signal: (number: Int32, request: String)? {
        guard let line = lines("signal")?.first, let space = line.firstIndex(of: " "),
            let number = Int32(line[..<space])
        else { return nil }
        return (number, String(line[line.index(after: space)...]))
    }

    /// The expected files: what each is compared with (`stdout`, `stderr`, `exit`, or a file's name).
    var expectations: [String] {
        let found = TestFiles.names(in: folder).filter { $0.hasPrefix("expected.") }.map { String($0.dropFirst(9)) }
        return ["exit", "stderr", "stdout"] + found.filter { !["exit", "stderr", "stdout"].contains($0) }
    }

    /// The text of an expected file, or nil when there is none.
    func expected(_ what: String) -> String? {
        TestFiles.text("\(folder)/expected.\(what)")
    }

    /// Writes or removes an expected file.
    func update(_ what: String, to text: String) {
        if text.isEmpty && ["stdout", "stderr"].contains(what) {
            unlink("\(folder)/expected.\(what)")
        } else {
            TestFiles.write(text.utf8, to: "\(folder)/expected.\(what)")
        }
    }

    private func lines(_ file: String) -> [String]? {
        TestFiles.text("\(folder)/\(file)")?.split(separator: "\n").map(String.init)
    }
}
