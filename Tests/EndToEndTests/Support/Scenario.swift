import Glibc
import Testing

/// A scenario directory of a page under `Scenarios`: a suite, the call of the program, and the expected output.
///
/// `Scenarios/README.md` explains the files, and how to run and update selected scenarios.
struct Scenario: CustomTestStringConvertible, Sendable {
    /// The documentation page of the scenario, without `.md`.
    let page: String
    /// The unique name of the directory.
    let name: String

    private static let book = TestFiles.target + "/Scenarios"

    /// The pages with scenarios.
    static let pages = TestFiles.names(in: book).filter { TestFiles.isDirectory("\(book)/\($0)") }

    /// All scenarios.
    static let every = pages.flatMap { page in
        TestFiles.names(in: "\(book)/\(page)").map { Scenario(page: page, name: $0) }
    }

    /// The scenarios to run: all, or those selected by `APITEST_SCENARIOS` as prefixes of `name` or `page/name`.
    static let all = every.filter { scenario in
        let wanted = Program.environmentVariable("APITEST_SCENARIOS") ?? ""
        return scenario.name.hasPrefix(wanted) || "\(scenario.page)/\(scenario.name)".hasPrefix(wanted)
    }

    /// Returns the scenario with a name.
    static func named(_ name: String) -> Scenario? { every.first { $0.name == name } }

    /// Returns whether the expected files of a scenario are written instead of compared.
    static func isUpdating(_ name: String) -> Bool {
        let wanted = Program.environmentVariable("APITEST_UPDATE_EXPECTED") ?? ""
        return wanted == "1" || wanted.split(separator: ",").contains(name[...])
    }

    var testDescription: String { "\(page)/\(name)" }

    /// The path of the directory.
    var directory: String { "\(Self.book)/\(page)/\(name)" }

    /// Reads the `case.yaml` of the scenario.
    func caseFile() throws -> CaseFile {
        try CaseFile(TestFiles.bytes(directory + "/case.yaml") ?? [], name: "\(directory)/case.yaml")
    }

    /// Returns the arguments of the program.
    ///
    /// Failures are displayed immediately. If several are expected, one test runs at a time, unless the arguments
    /// specify otherwise.
    func arguments(of call: CaseFile) -> [String] {
        let arguments = call.arguments
        let failures = expected("stdout")?.split(separator: "\n").count { $0.contains("✗") && $0.contains(" › ") } ?? 0
        let runs = !["report", "contract"].contains(arguments.first)
        let hasJobs = arguments.contains { $0.hasPrefix("-j") || $0.hasPrefix("--jobs") }
        return failures > 1 && runs && !hasJobs ? arguments + ["--jobs", "1"] : arguments
    }

    /// Returns the script of the server that the scenario needs.
    func serverScript() throws -> ServerScript? {
        try TestFiles.bytes(directory + "/server.json").map(ServerScript.init)
    }

    /// The names of the expected outputs: `stdout`, `stderr`, or a file name.
    var expectations: [String] {
        let found = TestFiles.names(in: directory).filter { $0.hasPrefix("expected.") }.map { String($0.dropFirst(9)) }
        return ["stderr", "stdout"] + found.filter { !["stderr", "stdout"].contains($0) }
    }

    /// Returns the text of an expected file, or nil if it does not exist.
    func expected(_ what: String) -> String? {
        TestFiles.text("\(directory)/expected.\(what)")
    }

    /// Writes or removes an expected file.
    func update(_ what: String, to text: String) {
        if text.isEmpty && ["stdout", "stderr"].contains(what) {
            unlink("\(directory)/expected.\(what)")
        } else {
            TestFiles.write(text.utf8, to: "\(directory)/expected.\(what)")
        }
    }
}
