import Testing

/// What `contract generate` makes of the descriptions of its scenarios runs against their mocks.
@Suite(.serialized)
struct GeneratedSuiteTests {
    /// The scenarios of which a whole suite comes.
    private static let scenarios = ["bookshop", "forms", "pets", "resources", "styles", "swagger"]

    @Test("A generated suite is formatted, has no warning, and passes against a mock", arguments: scenarios)
    func runs(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let scenario = try #require(Scenario.named("contract-generate-\(name)"))
        let description = try #require(TestFiles.bytes(scenario.folder + "/openapi.yaml"))
        TestFiles.write(description, to: folder.path + "/openapi.yaml")
        let made = try await Program.run(
            ["contract", "generate", "openapi.yaml", "--mock", "--output", "suite.apitest.yaml"], in: folder.path)
        #expect(made.ending == .exit(0), "\(made.error)")
        let check = try await Program.run(["fmt", "--check", "suite.apitest.yaml"], in: folder.path)
        #expect(check.ending == .exit(0), "\(check.output)")
        let lint = try await Program.run(["lint", "--strict", "suite.apitest.yaml"], in: folder.path)
        #expect(lint.ending == .exit(0), "\(lint.output)\(lint.error)")
        let run = try await Program.run(["suite.apitest.yaml"], in: folder.path)
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        #expect(!run.output.contains("failed"), "\(run.output)")
    }

    @Test("A generated suite names the files that stand for URIs")
    func schemas() async throws {
        let folder = try TemporaryFolder()
        let work = folder.path + "/scenario"
        TestFiles.copy(TestFiles.target + "/Scenarios/contracts/contract-generate-schemas", to: work)
        let made = try await Program.run(
            [
                "contract", "generate", "api/openapi.yaml", "--schema", "https://example.com/o/=shared/", "--mock",
                "--output", "shared/suite.apitest.yaml",
            ], in: work)
        #expect(made.ending == .exit(0), "\(made.error)")
        let run = try await Program.run(["shared/suite.apitest.yaml"], in: work)
        #expect(run.ending == .exit(0) && !run.error.contains("example.com"), "\(run.output)\(run.error)")
    }

    @Test("The suite of the example is what its description gives")
    func example() async throws {
        let folder = TestFiles.package + "/examples/contract-first"
        let made = try await Program.run(["contract", "generate", "openapi.yaml", "--mock"], in: folder)
        #expect(made.output == TestFiles.text(folder + "/library.apitest.yaml"))
        #expect(made.error.isEmpty)
    }
}
