import Glibc
import Testing

/// Tests of XML, HTML and XPath expressions designed to take long.
///
/// They are rejected, take linear time, or are cut off by the test's time limit or the end of the run, while other
/// tests continue.
@Suite(.serialized)
struct MarkupTests {
    /// A response, an XPath expression evaluated on it, and the result of the test.
    struct Attack: Sendable, CustomTestStringConvertible {
        let name: String
        let file: String
        let expectation: String
        /// The message, or nil if the work passes in linear time.
        let message: String?

        init(_ name: String, _ file: String, _ expectation: String, _ message: String?) {
            self.name = name
            self.file = file
            self.expectation = expectation
            self.message = message
        }

        var testDescription: String { name }
    }

    private static let tooManyAttributes =
        "an element exceeds the maximum of 1000 attributes and namespace declarations"

    private static let attacks = [
        Attack("attributes of an XML element", "attributes.xml", "xml: { 'count(//@*)': 1 }", tooManyAttributes),
        Attack("attributes of an HTML element", "attributes.html", "html: { 'count(//@*)': 1 }", tooManyAttributes),
        Attack("namespaces of an element", "namespaces.xml", "xml: { 'count(//*)': 1 }", tooManyAttributes),
        Attack(
            "names in a document type", "names.xml", "xml: { 'count(//*)': 1 }",
            "the document type declaration exceeds the maximum of 1000 attributes or 65536 bytes"),
        Attack(
            "default values of attributes", "defaults.xml", "xml: { 'count(//*)': 1 }",
            "the document exceeds the maximum of 2000000 elements, attributes and other nodes"),
        Attack("comments before spaces", "comments.html", "html: { 'count(//comment())': 300000 }", nil),
        Attack(
            "siblings of all siblings", "siblings.xml", "xml: { 'count(//a/following-sibling::a)': 4999 }", nil),
        Attack("a union", "union.xml", "xml: { '//a | //b': { length: 40000 } }", nil),
        Attack("ancestors of descendants", "deep.xml", "xml: { 'count(//a//c/ancestor::*//b)': 50 }", nil),
    ]

    /// An XPath expression that no evaluation order makes fast.
    private static let endless = "count(//*[count(//*) > 0])"

    private static func body(_ file: String) -> String {
        func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
        func list(_ count: Int, _ text: (Int) -> String) -> String { (0..<count).map(text).joined(separator: " ") }
        switch file {
        case "attributes.xml": return "<a \(list(300_000) { "a\($0)=\"1\"" })/>"
        case "attributes.html": return "<p \(list(300_000) { "a\($0)" })>x</p>"
        case "namespaces.xml": return "<a \(list(300_000) { "xmlns:a\($0)=\"u\"" })/>"
        case "names.xml":
            let names = (0..<300_000).map { "x\($0)" }.joined(separator: "|")
            return "<!DOCTYPE a [<!ATTLIST a b (\(names)) 'x1'>]><a/>"
        case "defaults.xml":
            return "<!DOCTYPE a [<!ATTLIST a \(list(900) { "x\($0) CDATA '1'" })>]><a>\(repeated("<a/>", 100_000))</a>"
        case "comments.html": return "<html><body><div>\(repeated("<!---->", 300_000)) <b>"
        case "siblings.xml": return "<r>\(repeated("<a/>", 5000))</r>"
        case "union.xml": return "<r>\(repeated("<a/><b/>", 20_000))</r>"
        case "deep.xml":
            return "<r>\(repeated(repeated("<a>", 100) + "<c><b/></c>" + repeated("</a>", 100), 50))</r>"
        case "elements.html": return "<html><body>\(repeated("<p>x</p>", 1_500_000))"
        default: return "<r>\(repeated("<a/>", 20_000))</r>"
        }
    }

    private func directory(_ files: [String]) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        for file in files { TestFiles.write(Self.body(file).utf8, to: "\(directory.path)/\(file)") }
        let routes = files.map { "  - { request: GET /\($0), respond: { file: \($0) } }\n" }.joined()
        let fine = "  - { request: GET /fine, respond: { text: ok } }\n"
        TestFiles.write("routes:\n\(routes)\(fine)".utf8, to: directory.path + "/api.mock.yaml")
        return directory
    }

    /// Returns the words of the messages, which are wrapped at spaces.
    private func words(_ output: String) -> String {
        output.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "│" }).joined(separator: " ")
    }

    /// Returns the durations of a record's tests in seconds, by name.
    private func durations(_ record: String) throws -> [String: Double] {
        let report = try JUnitReport(record)
        #expect(report.problems.isEmpty)
        var durations: [String: Double] = [:]
        for match in record.matches(of: /<testcase [^>]*?name="([^"]+)"[^>]*? time="([0-9.]+)"/) {
            durations[String(match.1)] = Double(match.2)
        }
        return durations
    }

    @Test(arguments: attacks)
    func endsWithoutAClock(_ attack: Attack) async throws {
        let directory = try directory([attack.file])
        TestFiles.write(
            """
            serve: { mock: api.mock.yaml }
            tests:
              - { name: attack, request: GET /\(attack.file), expect: { \(attack.expectation) } }
            """.utf8, to: directory.path + "/suite.yaml")
        let run = try await Program.run(["suite.yaml"], in: directory.path)
        guard let message = attack.message else {
            #expect(run.ending == .exit(0), "\(run.output.prefix(2_000))\(run.error)")
            return
        }
        #expect(run.ending == .exit(1), "\(run.output.prefix(2_000))\(run.error)")
        #expect(words(run.output).contains("the body was not parsed: \(message)"), "\(run.output.prefix(2_000))")
    }

    /// The test's time limit interrupts and reports the evaluation in an expectation, a capture or a poll.
    @Test(arguments: [
        ("expect: { xml: { '\(endless)': 1 } }", "this step was checking xml \(endless)"),
        ("expect: { html: { '\(endless)': 1 } }", "this step was checking html \(endless)"),
        ("capture: { n: { xpath: '\(endless)' } }", "this step was checking xpath \(endless)"),
        ("until: { xml: { '\(endless)': 1 } }", "this step was checking xml \(endless)"),
    ])
    func endsWithTheTime(_ expectation: String, _ message: String) async throws {
        let directory = try directory(["many.xml"])
        let neighbors = (0..<20).map {
            """
              - name: neighbor \($0)
                steps:
                  - { delay: 300ms, request: GET /fine, expect: { body: ok } }

            """
        }.joined()
        let attacks = (0..<6).map {
            """
              - name: attack \($0)
                timeout: 900ms
                steps:
                  - request: GET /many.xml
                    \(expectation)

            """
        }.joined()
        TestFiles.write(
            "serve: { mock: api.mock.yaml }\ntests:\n\(attacks)\(neighbors)".utf8, to: directory.path + "/suite.yaml")
        let run = try await Program.run(["suite.yaml", "--report", "junit=report.xml"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output.prefix(2_000))\(run.error)")
        #expect(ConsoleSummary(run.output)?.outcomes == ["passed": 20, "errored": 6], "\(run.output.prefix(4_000))")
        let report = try #require(TestFiles.text(directory.path + "/report.xml"))
        let plain = report.replacing("&gt;", with: ">")
        #expect(plain.contains("the test's timeout of 900ms expired while \(message)"), "\(plain.prefix(4_000))")
        #expect(!plain.contains("stopped before it finished"))
        let durations = try durations(report)
        #expect(durations.count == 26)
        for (name, seconds) in durations {
            // The limit is generous, because the machine may be busy. Each attack alone would take ten seconds.
            #expect(seconds < (name.hasPrefix("attack") ? 4 : 3), "\(name) took \(seconds) s")
        }
    }

    /// An interruption stops evaluations. Teardown and reports work as usual.
    @Test func endsWithTheRun() async throws {
        let directory = try directory(["many.xml"])
        TestFiles.write(
            """
            serve: { mock: api.mock.yaml }
            tests:
              - { name: starts, request: GET /fine, expect: { body: ok } }
              - { name: attack 1, needs: starts, request: GET /many.xml, expect: { xml: { '\(Self.endless)': 1 } } }
              - { name: attack 2, needs: starts, request: GET /many.xml, expect: { xml: { '\(Self.endless)': 1 } } }
            teardown:
              - { name: clears away, request: GET /fine, expect: { body: ok } }
            """.utf8, to: directory.path + "/suite.yaml")
        let run = try ProgramRun(
            [Program.path, "suite.yaml", "--report", "junit=report.xml", "--report", "json=run.jsonl"],
            environment: Program.environment(home: directory.path), directory: directory.path,
            output: directory.path + "/run")
        // Only the CPU time of the process shows that an evaluation is in progress.
        let isEvaluating = try await Poll.until(within: .seconds(30)) {
            let fields = TestFiles.text("/proc/\(run.identifier)/stat")?.split(separator: " ") ?? []
            // The user time in hundredths of a second (proc_pid_stat(5)).
            return fields.count > 13 && (Int(fields[13]) ?? 0) > 100
        }
        try #require(isEvaluating, "\(run.standardError)")
        let start = ContinuousClock.now
        run.send(SIGINT)
        #expect(try await run.wait() == .exit(130), "\(run.standardOutput)\(run.standardError)")
        #expect(ContinuousClock.now - start < .seconds(4))
        let record = try #require(TestFiles.text(directory.path + "/run.jsonl"))
        #expect(record.contains("\n{\"event\":\"runEnd\""))
        #expect(record.contains("clears away"))
        #expect(try JUnitReport(try #require(TestFiles.text(directory.path + "/report.xml"))).problems.isEmpty)
        #expect(try await Poll.until { run.survivors.isEmpty }, "still running: \(run.survivors)")
        run.killSession()
    }

    @Test func largeHTMLIsRefusedBeforeItTakesMuchMemory() async throws {
        let directory = try directory(["elements.html"])
        TestFiles.write(
            """
            serve: { mock: api.mock.yaml }
            tests:
              - { name: attack, request: GET /elements.html, expect: { html: { 'count(//p)': 1 } } }
            """.utf8, to: directory.path + "/suite.yaml")
        let run = try ProgramRun(
            [Program.path, "suite.yaml"], environment: Program.environment(home: directory.path),
            directory: directory.path,
            output: directory.path + "/run")
        var peak = 0
        let ending = try await run.wait {
            let status = TestFiles.text("/proc/\(run.identifier)/status") ?? ""
            if let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) {
                peak = max(peak, Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0)
            }
        }
        #expect(ending == .exit(1), "\(run.standardOutput.prefix(2_000))\(run.standardError)")
        #expect(words(run.standardOutput).contains("the document exceeds the maximum of 1000000 elements"))
        #expect(peak < 500 << 10, "\(peak) KB")
    }
}
