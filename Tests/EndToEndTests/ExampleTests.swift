import Testing

/// Tests of the project's examples, run as described in its README.
@Suite(.serialized)
struct ExampleTests {
    private static let directory = TestFiles.package + "/examples"

    /// Returns the suite files in a directory and its subdirectories, relative to `examples`.
    private static func suites(in directory: String) -> [String] {
        TestFiles.names(in: "\(Self.directory)/\(directory)").flatMap { name -> [String] in
            let path = directory.isEmpty ? name : "\(directory)/\(name)"
            if TestFiles.isDirectory("\(Self.directory)/\(path)") { return suites(in: path) }
            return name.hasSuffix(".apitest.yaml") && !name.hasPrefix(".") ? [path] : []
        }
    }

    /// The programs that the suites of fragments need.
    private static let programs = [
        "postgresql": ["psql", "pg_ctlcluster"], "sqlite": ["sqlite3"], "redis": ["redis-server", "redis-cli"],
        "mqtt": ["mosquitto", "mosquitto_pub", "mosquitto_sub"],
    ]

    @Test(arguments: suites(in: ""))
    func example(_ suite: String) async throws {
        var environment: [String: String] = [:]
        for server in ["httpbin", "kinto"] where suite.hasPrefix(server + "/") {
            guard let python = Program.environmentVariable("APITEST_PYTHON") else {
                try Test.cancel("APITEST_PYTHON must name a Python with \(server)")
            }
            environment[server.uppercased() + "_PYTHON"] = python
        }
        if suite.hasPrefix("xml/"), !Program.isInstalled("xmllint") {
            try Test.cancel("libxml2, the library of xmllint, is not installed")
        }
        for (name, programs) in Self.programs where suite == "fragments/\(name).apitest.yaml" {
            let missing = programs.filter { !Program.isInstalled($0) }
            if !missing.isEmpty { try Test.cancel("not installed: \(missing.joined(separator: ", "))") }
        }
        let directory = try TemporaryDirectory()
        let report = directory.path + "/report.xml"
        let run = try await Program.run(
            ["examples/" + suite, "--report", "junit=\(report)"], in: TestFiles.package, environment: environment)
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        let junit = try JUnitReport(try #require(TestFiles.text(report)))
        #expect(junit.problems.isEmpty)
        #expect(junit.counts.failures + junit.counts.errors == 0)
        #expect(junit.counts.tests > junit.counts.skipped)
    }

    @Test func exampleInAnEnvironment() async throws {
        let run = try await Program.run(
            ["examples/environments", "--environment", "sweden", "-v"], in: TestFiles.package)
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        #expect(run.output.contains("/basket?currency=SEK"))
        #expect(run.output.contains("password=***"))
    }

    @Test func exampleWithALock() async throws {
        let run = try await Program.run(["examples/lock", "--locked"], in: TestFiles.package)
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        #expect(run.error.isEmpty)
        let lock = try await Program.run(["lock", "examples/lock"], in: TestFiles.package)
        #expect(lock.ending == .exit(0), "\(lock.output)\(lock.error)")
        #expect(lock.error.contains("orders.apitest.lock.yaml is up to date"))
    }

    @Test func failingExample() async throws {
        let run = try await Program.run(["examples/bookshop/failing.yaml"], in: TestFiles.package)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        #expect(run.output.contains("examples/bookshop/failing.yaml:"))
    }

    @Test func examplesAreFound() {
        #expect(Self.suites(in: "").contains("bookshop/bookshop.apitest.yaml"))
        #expect(Self.suites(in: "").contains("httpbin/httpbin.apitest.yaml"))
    }
}
