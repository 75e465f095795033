import Glibc
import Testing

/// A directory under `Scenarios`: a suite, how the program is called, and what comes of it.
///
/// `Scenarios/README.md` explains its files, and how to run and update some of the scenarios.
struct Scenario: CustomTestStringConvertible, Sendable {
    /// The directory's name.
    let name: String

    /// All scenarios.
    static let every = TestFiles.names(in: TestFiles.target + "/Scenarios")
        .filter { TestFiles.isFolder(TestFiles.target + "/Scenarios/" + $0) }
        .map(Scenario.init)

    /// All scenarios, or those that `APITEST_SCENARIOS` asks for by the beginning of their names.
    static let all = every.filter { $0.name.hasPrefix(Program.environmentVariable("APITEST_SCENARIOS") ?? "") }

    /// Whether the expected files of a scenario or mistake are written instead of compared.
    static func isUpdating(_ name: String) -> Bool {
        let wanted = Program.environmentVariable("APITEST_UPDATE_EXPECTED") ?? ""
        return wanted == "1" || wanted.split(separator: ",").contains(name[...])
    }

    var testDescription: String { name }

    /// The directory's path.
    var folder: String { "\(TestFiles.target)/Scenarios/\(name)" }

    /// Reads the scenario's `case.yaml`.
    func caseFile() throws -> CaseFile {
        try CaseFile(TestFiles.bytes(folder + "/case.yaml") ?? [], name: "\(folder)/case.yaml")
    }

    /// The program's arguments.
    ///
    /// Failures are shown as they happen: where several are expected, one test runs at a time, unless the arguments say otherwise.
    func arguments(of call: CaseFile) -> [String] {
        let arguments = call.arguments
        let failures = expected("stdout")?.split(separator: "\n").count { $0.contains("✗") && $0.contains(" › ") } ?? 0
        let runs = !["report", "contract"].contains(arguments.first)
        let hasJobs = arguments.contains { $0.hasPrefix("-j") || $0.hasPrefix("--jobs") }
        return failures > 1 && runs && !hasJobs ? arguments + ["--jobs", "1"] : arguments
    }

    /// The script of the server that the scenario needs.
    func serverScript() throws -> ServerScript? {
        try TestFiles.bytes(folder + "/server.json").map(ServerScript.init)
    }

    /// The expected files: what each is compared with (`stdout`, `stderr`, or a file's name).
    var expectations: [String] {
        let found = TestFiles.names(in: folder).filter { $0.hasPrefix("expected.") }.map { String($0.dropFirst(9)) }
        return ["stderr", "stdout"] + found.filter { !["stderr", "stdout"].contains($0) }
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
}
