import Diagnostics
import OpenAPI
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Contracts of suites")
struct ContractReadingTests {
    private static let description = """
        openapi: 3.1.0
        info: { title: A, version: "1" }
        paths: { /a: { get: { operationId: readA, responses: { "200": { description: a } } } } }
        """

    private static func files(_ contract: String, expect: String = "200") -> [String: String] {
        [
            "api.yaml": description,
            "a.yaml": """
            baseURL: http://localhost
            \(contract)
            tests: [{ name: a, request: GET /a, expect: \(expect) }]
            """,
        ]
    }

    private static func contract(_ text: String) throws -> SuiteContract? {
        let directory = try ProjectDirectory(files(text))
        let result = directory.load("a.yaml")
        try #require(result.diagnostics.isEmpty, "\(TextRenderer(color: false).render(result.diagnostics))")
        return result.suites.first?.contract
    }

    @Test("A contract is a path or a mapping of a path and settings")
    func forms() throws {
        let plain = try #require(try Self.contract("contract: api.yaml"))
        #expect(plain.contract.name == "api.yaml")
        #expect(plain.settings == ContractSettings())
        #expect(plain.contract.operationNames == ["readA"])
        #expect(plain.range?.start.line == 2)
        let map = try #require(
            try Self.contract(
                "contract: { file: api.yaml, request: false, ignore: [server-error], severity: { response-body: warning, "
                    + "request-body: off }, format: assert, basePath: /v1 }"))
        #expect(!map.settings.checksRequests)
        #expect(map.settings.severities == [.serverError: .off, .responseBody: .warning, .requestBody: .off])
        let one = try #require(
            try Self.contract("contract: { file: api.yaml, ignore: server-error, format: annotate }"))
        #expect(one.settings.severities == [.serverError: .off])
        #expect(try Self.contract("contract: false") == nil)
        #expect(try Self.contract("x-contract: api.yaml") == nil)
    }

    @Test("An expectation overrides the suite's contract settings and replaces the default's")
    func expectations() throws {
        func expectation(_ expect: String, defaults: String = "") throws -> ContractExpectation? {
            let directory = try ProjectDirectory(Self.files("contract: api.yaml\n\(defaults)", expect: expect))
            return try directory.expectations("a.yaml").first?.extras?.contract
        }
        #expect(try expectation("200") == nil)
        #expect(try expectation("{ contract: true }") == nil)
        #expect(try expectation("{ contract: false }")?.isOff == true)
        let map = try #require(
            try expectation(
                "{ contract: { operation: readA, request: false, ignore: server-error, severity: { response-body: off } } }"
            ))
        #expect(map.operation == "readA")
        let settings = map.applied(to: ContractSettings())
        #expect(!settings.checksRequests)
        #expect(settings.severities == [.serverError: .off, .responseBody: .off])
        #expect(!settings.checks(.requestBody) && !settings.checks(.serverError) && settings.checks(.responseHeaders))
        #expect(try expectation("{ contract: { operation: GET /a } }")?.operation == "GET /a")
        let defaults = "defaults: { expect: { contract: false } }"
        #expect(try expectation("200", defaults: defaults)?.isOff == true)
        #expect(try expectation("{ contract: null }", defaults: defaults) == nil)
        #expect(try expectation("{ contract: { request: true } }", defaults: defaults)?.isOff == false)
    }

    @Test("An expectation about a missing contract causes a warning")
    func missing() throws {
        func problems(_ contract: String, _ expect: String, option: String? = nil) throws -> [String] {
            let directory = try ProjectDirectory(Self.files(contract, expect: expect))
            var options = LoaderOptions(fileRoot: directory.path, workingDirectory: directory.path)
            options.contract = option
            let result = withExtendedLifetime(directory) { SuiteLoader(options: options).load(paths: ["a.yaml"]) }
            return result.diagnostics.map { "\($0.range?.start.line ?? 0) \($0.severity) \($0.id)" }
        }
        let warning = ["3 warning missing-contract"]
        #expect(try problems("", "{ contract: { operation: readA } }") == warning)
        #expect(try problems("", "{ contract: true }") == warning)
        #expect(try problems("", "{ contract: false }").isEmpty)
        #expect(try problems("contract: false", "{ contract: true }").isEmpty)
        #expect(try problems("contract: api.yaml", "{ contract: true }").isEmpty)
        #expect(try problems("", "{ contract: { operation: readA } }", option: "api.yaml").isEmpty)
    }

    @Test("The contract from the command line applies to suites without one")
    func commandLine() throws {
        let directory = try ProjectDirectory([
            "api.yaml": Self.description, "other.yaml": Self.description,
            "a.apitest.yaml": "baseURL: http://a\ntests: [{ name: a, request: GET /a }]",
            "b.apitest.yaml": "baseURL: http://a\ncontract: other.yaml\ntests: [{ name: a, request: GET /a }]",
            "c.apitest.yaml": "baseURL: http://a\ncontract: false\ntests: [{ name: a, request: GET /a }]",
            "d.apitest.yaml": "baseURL: http://a\ntests: [{ name: a, request: GET /a }]",
        ])
        var options = LoaderOptions(fileRoot: directory.path, workingDirectory: directory.path)
        options.contract = "api.yaml"
        let result = SuiteLoader(options: options).load(paths: ["."])
        #expect(result.diagnostics.isEmpty)
        let contracts = result.suites.map(\.contract?.contract)
        #expect(contracts.map { $0?.name } == ["api.yaml", "other.yaml", nil, "api.yaml"])
        // Suites that name the same description share it.
        #expect(contracts[0] === contracts[3])
    }

    @Test("A description with an error can be used, and a file that is not one stops the suite")
    func problems() throws {
        func lines(_ description: String) throws -> [String] {
            var files = Self.files("contract: api.yaml")
            files["api.yaml"] = description
            let directory = try ProjectDirectory(files)
            return directory.load("a.yaml").diagnostics.map { problem in
                let location = problem.range.map { "\($0.file.name):\($0.start.line)" } ?? ""
                return "\(location) \(problem.severity) \(problem.id) \(problem.related.map(\.message))"
            }
        }
        let head = "openapi: 3.1.0\ninfo: { title: A, version: '1' }\n"
        #expect(
            try lines(head + "paths: { /a: { get: { responses: { 200: { $ref: '#/x' } } } } }") == [
                "api.yaml:3 warning unresolved-reference [\"the contract is used here\"]"
            ])
        #expect(try lines("a: 1").map { $0.split(separator: " ")[1] } == ["error"])
        #expect(try lines("a: [").contains { $0.contains("error") })
        // If there are many problems, only the first ones are reported.
        var many = head + "paths:\n"
        for index in 0..<50 { many += "  /a\(index): { get: { responses: { 200: { $ref: '#/x\(index)' } } } }\n" }
        #expect(try lines(many).count == 21)
    }
}
