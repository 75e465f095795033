import CEL
import Diagnostics
import JSON
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Settings files that suites extend")
struct SettingsFileTests {
    private static let suite = """
        extends: config/base.yaml
        tests: [{ name: one, request: GET / }]
        """

    private func suite(_ files: [String: String]) throws -> Suite {
        let directory = try ProjectDirectory(files)
        let result = directory.load("a.yaml")
        try #require(!result.hasErrors, "\(TextRenderer(color: false).render(result.diagnostics))")
        return try #require(result.suites.first)
    }

    @Test("Paths of a settings file that are read during the run are relative to the suite")
    func paths() throws {
        let suite = try suite([
            "config/base.yaml": """
            baseURL: http://localhost
            variables: { dir: x, note: "${file('note.txt')}", quoted: '${file("a \\"note\\".txt")}' }
            secrets: { token: { run: [cat, token] }, key: { run: { command: [cat, key], directory: keys } } }
            defaults:
              unixSocket: run/app.sock
              tls: { ca: [ca.pem, "cas/${dir}.pem", "${dir}/ca.pem"] }
            """,
            "config/ca.pem": "", "config/note.txt": "", "config/keys/key": "", "a.yaml": Self.suite,
        ])
        let extras = try #require(suite.tests[0].steps[0].request?.extras)
        #expect(extras.unixSocket?.source == "config/run/app.sock")
        #expect(
            extras.tls?.authorities.map(\.path.source) == [
                "config/ca.pem", "config/cas/${dir}.pem", "${dir}/ca.pem",
            ])
        #expect(suite.secretCommands.map { $0.command.directory?.source } == ["config", "config/keys"])
        var sources: [String] = []
        for variable in suite.variables {
            variable.value.forEachExpression { sources.append($0.expression.source) }
        }
        #expect(sources == ["file(\"config/note.txt\")", #"file("a \"note\".txt")"#])
    }

    @Test("The settings of a suite override those of its settings files one by one")
    func overriding() throws {
        let suite = try suite([
            "company.yaml": """
            baseURL: http://company
            owner: company
            variables: { a: 1, b: 1, c: 1 }
            defaults: { headers: { X-A: "1", X-B: "1", X-C: "1" }, query: { q: 1 }, timeout: 1s, expect: 200 }
            """,
            "config/base.yaml": """
            extends: ../company.yaml
            tags: [base]
            variables: { b: 2, c: 2 }
            defaults: { headers: { x-b: "2", x-c: "2" }, query: { q: null, r: 2 } }
            """,
            "a.yaml": """
            extends: config/base.yaml
            tags: [own, base]
            variables: { c: 3 }
            defaults: { headers: { X-C: null }, expect: { headers: { Content-Type: text/plain } } }
            tests: [{ name: one, request: GET / }]
            """,
        ])
        #expect(suite.baseURL?.constantText == "http://company")
        #expect(suite.tags == ["base", "own"])
        let variables = suite.variables.map { variable in
            if case .constant(let value) = variable.value { "\(variable.name)=\(value.serialized())" } else { "" }
        }
        #expect(variables == ["a=1", "b=2", "c=3"])
        let step = suite.tests[0].steps[0]
        let request = try #require(step.request)
        #expect(request.headers.known?.map(\.name) == ["X-A", "x-b"])
        #expect(request.query.known?.map(\.name.constantText) == ["r"])
        #expect(step.expectations.status != nil)
        #expect(step.expectations.headers.count == 1)
        #expect(suite.settingsFiles.map { $0.split(separator: "/").last } == ["company.yaml", "base.yaml"])
    }

    @Test("A base URL of the suite replaces the server of a settings file unless it uses the port")
    func baseURL() throws {
        func serve(_ own: String) throws -> Suite {
            try suite([
                "config/base.yaml": "serve: { command: [server, \"${port}\"], shared: true }",
                "a.yaml": "\(own)\n\(Self.suite)",
            ])
        }
        #expect(try serve("name: a").serve != nil)
        #expect(try serve("name: a").sharesServer)
        #expect(try serve("baseURL: http://127.0.0.1:${port}/v1").serve != nil)
        #expect(try serve("baseURL: http://127.0.0.1:8080").serve == nil)
        let own = "serve: { command: [other, \"${port}\"] }\nbaseURL: http://127.0.0.1:8080"
        #expect(try serve(own).serve != nil)
        #expect(try !serve(own).sharesServer)
    }

    @Test("A secret with a source in the suite replaces one of the settings file, and the reverse")
    func secrets() throws {
        func suite(base: String, own: String) throws -> Suite {
            try self.suite(["config/base.yaml": "baseURL: http://a\n\(base)", "a.yaml": "\(own)\n\(Self.suite)"])
        }
        let source = "secrets: { token: { run: [base] } }"
        let command = try suite(base: source, own: "secrets: { token: { run: [own] } }")
        #expect(command.secretCommands.count == 1)
        #expect(command.secretCommands.first?.range.file.name.hasSuffix("a.yaml") == true)
        let value = try suite(base: source, own: "variables: { token: t }")
        #expect(value.secretCommands.isEmpty)
        #expect(value.variables.count == 1)
        let replaced = try suite(base: "variables: { token: t }", own: source)
        #expect(replaced.secretCommands.count == 1)
        #expect(replaced.variables.count == 1)
        #expect(replaced.secrets.contains("token"))
    }
}
