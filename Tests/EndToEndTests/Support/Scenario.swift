import Glibc
import Testing

/// A directory in one of the pages under `Scenarios`: a suite, how the program is called, and what comes of it.
///
/// `Scenarios/README.md` explains its files, and how to run and update some of the scenarios.
struct Scenario: CustomTestStringConvertible, Sendable {
    /// The page of the documentation that the scenario belongs to, without `.md`.
    let page: String
    /// The directory's name, which no other scenario has.
    let name: String

    private static let book = TestFiles.target + "/Scenarios"

    /// The pages that have scenarios.
    static let pages = TestFiles.names(in: book).filter { TestFiles.isFolder("\(book)/\($0)") }

    /// All scenarios.
    static let every = pages.flatMap { page in
        TestFiles.names(in: "\(book)/\(page)").map { Scenario(page: page, name: $0) }
    }

    /// All scenarios, or those that `APITEST_SCENARIOS` asks for by the beginning of `name` or `page/name`.
    static let all = every.filter { scenario in
        let wanted = Program.environmentVariable("APITEST_SCENARIOS") ?? ""
        return scenario.name.hasPrefix(wanted) || "\(scenario.page)/\(scenario.name)".hasPrefix(wanted)
    }

    /// The scenario of a name.
    static func named(_ name: String) -> Scenario? { every.first { $0.name == name } }

    /// Whether the expected files of a scenario or mistake are written instead of compared.
    static func isUpdating(_ name: String) -> Bool {
        let wanted = Program.environmentVariable("APITEST_UPDATE_EXPECTED") ?? ""
        return wanted == "1" || wanted.split(separator: ",").contains(name[...])
    }

    var testDescription: String { "\(page)/\(name)" }

    /// The directory's path.
    var folder: String { "\(Self.book)/\(page)/\(name)" }

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
