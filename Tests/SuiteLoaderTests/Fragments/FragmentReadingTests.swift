import Diagnostics
import FileSystem
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

/// Tests of fragments in suites and in separate files.
struct FragmentReadingTests {
    private static let login = """
        description: accounts
        variables: { path: /login }
        secrets: ticket
        defaults: { headers: { X-File: "1" } }
        fragments:
          login:
            description: Begins a session.
            parameters:
              user:
              password: { default: secret, secret: true, description: any }
              retries: 3
            outputs: [ticket]
            steps:
              - request: { method: POST, url: "${path}", json: { user: "${user}" } }
                capture: { ticket: $.ticket }
          twice:
            outputs: { both: "${a + b}" }
            steps:
              - { call: login, with: { user: a }, capture: { a: "${ticket}" } }
              - { call: login, with: { user: b }, capture: { b: "${ticket}" } }
        """

    private func call(_ step: SuiteStep?) throws -> FragmentCall {
        try #require(step?.call)
    }

    @Test func fragmentsOfAFile() throws {
        let directory = try ProjectDirectory([
            "shared/login.yaml": Self.login,
            "a.yaml": """
            baseURL: http://localhost
            use: shared/login.yaml
            tests:
              - { name: one, call: login, with: { user: ada } }
              - { name: two, steps: [{ call: twice }, { request: "GET /${both}" }] }
              - { name: three, request: "GET /${ticket}" }
            """,
        ])
        let result = directory.load("a.yaml")
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map(\.message))")
        let suite = try #require(result.suites.first)
        let login = try call(suite.tests[0].steps.first).fragment
        #expect(login.name == "login" && login.description == "Begins a session.")
        #expect(login.parameters.map(\.name) == ["user", "password", "retries"])
        #expect(login.parameters.map { $0.defaultValue == nil } == [true, false, false])
        #expect(login.parameters.map(\.isSecret) == [false, true, false])
        #expect(login.parameters.map(\.isUsed) == [true, false, false])
        #expect(login.outputs.map(\.name) == ["ticket"])
        #expect(login.origin.directory == directory.path + "/shared" && !login.origin.isInSuite)
        #expect(login.origin.file.name == "shared/login.yaml")
        // The defaults are those of the fragment's file.
        #expect(login.steps.first?.request?.headers.known?.map(\.name) == ["X-File"])
        // A capture is secret if its name is.
        #expect(login.steps.first?.captures.first?.isSecret == true)
        #expect(login.relativeURL == "/login" || login.relativeURL == nil)
        let twice = try call(suite.tests[1].steps.first).fragment
        #expect(twice.stepCount == 2 && twice.depth == 2)
        #expect(twice.steps.compactMap { $0.call?.fragment }.allSatisfy { $0 === login })
        // The output of a call is a dependency, like a capture.
        #expect(suite.tests[2].dependencies == [SuiteTest.Dependency(test: 0, reason: .capture(name: "ticket"))])
        #expect(suite.fragmentFiles == [File.realPath(directory.path + "/shared/login.yaml")])
        #expect(suite.fragments.isEmpty)
        // The steps of a fragment are steps of the test.
        #expect(suite.tests[0].hasSteps)
    }

    @Test(arguments: [
        ("GET /a", true), ("GET a", true), ("GET ${url}", true), ("GET ${url}/a", true), ("GET http${'s'}://a/", true),
        ("GET http://a/", false), ("GET https://${url}/a", false),
    ])
    func whatMayUseTheBaseURL(_ line: String, mayUseBaseURL: Bool) throws {
        let directory = try ProjectDirectory([
            "a.yaml": """
            baseURL: http://localhost
            variables: { url: a }
            fragments:
              inner: { steps: [{ request: "\(line)" }] }
              outer: { steps: [{ request: "GET http://b/" }, { call: inner }] }
            tests: [{ name: one, call: outer }]
            """
        ])
        let result = directory.load("a.yaml")
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map(\.message))")
        let outer = try call(result.suites.first?.tests.first?.steps.first).fragment
        #expect(outer.mayUseBaseURL == mayUseBaseURL)
        #expect(outer.steps.last?.call?.fragment.mayUseBaseURL == mayUseBaseURL)
    }

    @Test func aFileIsReadOnceForAllSuites() throws {
        let suite = """
            baseURL: http://localhost
            use: { accounts: shared/login.yaml }
            tests: [{ name: one, call: accounts.login, with: { user: ada } }]
            """
        let directory = try ProjectDirectory(["shared/login.yaml": Self.login, "a.yaml": suite, "b.yaml": suite])
        let result = directory.load("a.yaml", "b.yaml")
        #expect(result.diagnostics.isEmpty)
        let fragments = result.suites.compactMap { $0.tests.first?.steps.first?.call?.fragment }
        #expect(fragments.count == 2 && fragments[0] === fragments[1])
    }

    @Test func problemsOfAFileAreToldOnce() throws {
        let suite = """
            baseURL: http://localhost
            use: login.yaml
            tests: [{ name: one, call: login }]
            """
        let directory = try ProjectDirectory([
            "login.yaml": "fragments: { login: { steps: [{ request: \"GET /${nobody}\" }] } }", "a.yaml": suite,
            "b.yaml": suite,
        ])
        let result = directory.load("a.yaml", "b.yaml")
        #expect(result.diagnostics.map(\.id) == ["undefined-variable"])
        #expect(result.diagnostics.first?.range?.file.name == "login.yaml")
    }

    @Test func aBrokenFileIsNoReasonForUnknownNames() throws {
        let directory = try ProjectDirectory([
            "login.yaml": "fragments: [",
            "a.yaml": """
            use: login.yaml
            tests: [{ name: one, call: login }]
            """,
        ])
        let ids = directory.load("a.yaml").diagnostics.map(\.id)
        #expect(!ids.isEmpty && !ids.contains("unknown-fragment"))
    }

    @Test func filesMayUseEachOther() throws {
        let directory = try ProjectDirectory([
            "one.yaml": """
            use: two.yaml
            fragments:
              first: { steps: [{ call: second }] }
              third: { steps: [{ request: GET http://localhost/ }] }
            """,
            "two.yaml": """
            use: one.yaml
            fragments:
              second: { steps: [{ call: third }] }
            """,
            "a.yaml": """
            use: [one.yaml, two.yaml]
            tests: [{ name: one, call: first }]
            """,
        ])
        let result = directory.load("a.yaml")
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map(\.message))")
        #expect(result.suites.first?.tests.first?.steps.first?.call?.fragment.depth == 3)
    }

    @Test func fragmentsOfASuiteSeeItsVariables() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            variables: { title: Dune }
            defaults: { headers: { X-Suite: "1" } }
            fragments:
              add:
                variables: { path: "/books/${title}" }
                outputs: { id: "${steps.made.body.id}" }
                steps: [{ name: made, request: "GET ${path}" }]
            tests:
              - { name: a, call: add }
              - { name: b, request: "GET /${id}" }
            """)
        #expect(suite.fragments.map(\.name) == ["add"])
        let step = try #require(suite.fragments.first?.steps.first)
        #expect(step.isReferenced)
        #expect(step.request?.headers.known?.map(\.name) == ["X-Suite"])
        #expect(suite.tests[1].dependencies.map(\.test) == [0])
    }

    @Test func capturesOfACallReplaceItsOutputs() throws {
        let suite = try loadGood(
            """
            fragments:
              f: { outputs: { x: 1, y: 2 }, steps: [{ request: GET http://localhost/ }] }
            tests:
              - { name: a, call: f }
              - { name: b, call: f, capture: { z: "${x + y}" } }
            """)
        #expect(suite.tests[0].steps[0].definedNames.map(\.name) == ["x", "y"])
        #expect(suite.tests[1].steps[0].definedNames.map(\.name) == ["z"])
    }

    @Test(arguments: [
        ("once: run", true), ("continue: true", false), ("name: b", false),
    ])
    func keysOfACall(_ keys: String, runsOnce: Bool) throws {
        let suite = try loadGood(
            """
            fragments: { f: { steps: [{ request: GET http://localhost/ }] } }
            tests: [{ name: a, steps: [{ call: f, \(keys) }] }]
            """)
        let step = try #require(suite.tests.first?.steps.first)
        #expect(step.call?.runsOnce == runsOnce)
        #expect(step.continuesAfterFailure == (keys == "continue: true"))
        #expect(step.name == (keys == "name: b" ? "b" : nil))
    }

    @Test func secretValuesAreKnownBeforeTheRun() throws {
        let directory = try ProjectDirectory([
            "login.yaml": """
            secrets: [word]
            variables: { word: of-the-file, other: open }
            fragments:
              inner:
                parameters: { pin: { secret: true, default: default-pin } }
                steps: [{ request: "GET http://localhost/${pin}" }]
              login:
                parameters: [word2]
                steps: [{ call: inner, with: { pin: inner-pin } }]
            """,
            "a.yaml": """
            use: login.yaml
            tests: [{ name: one, call: login, with: { word2: open2 } }]
            """,
        ])
        let result = directory.load("a.yaml")
        #expect(result.diagnostics.isEmpty)
        #expect(Set(result.secretValues) == ["of-the-file", "default-pin", "inner-pin"])
    }

    @Test func aFileOfFragmentsIsNoSuite() throws {
        let directory = try ProjectDirectory(["login.yaml": Self.login])
        #expect(directory.load("login.yaml").diagnostics.map(\.id) == ["fragment-file"])
    }

    @Test func theSchemaOfFragmentFilesHasNoTests() {
        #expect(FragmentsSchema.json.contains("\"$ref\": \"#/$defs/fragment\""))
        #expect(!FragmentsSchema.json.contains("#/$defs/test\""))
    }
}
