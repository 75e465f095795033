import Diagnostics
import JSON
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Reading suites")
struct SuiteReadingTests {
    @Test("The keys of a suite are read")
    func suite() throws {
        let suite = try loadGood(
            """
            name: Bookshop
            description: What a bookshop does
            tags: [shop, nightly]
            baseURL: http://localhost:8080/v1
            mode: serial
            x-team: { name: books }
            variables: { title: Dune, book: { title: "${title}", tags: [a] } }
            tests:
              - name: one
                id: first
                description: The first
                tags: smoke
                skip: not today
                lock: db
                variables: { a: 1 }
                x-owner: ada
                request: GET /
              - name: two
                skip: true
                continue: true
                request: GET /
              - { name: three, skip: false, request: GET / }
            """)
        #expect(suite.name == "Bookshop")
        #expect(suite.description == "What a bookshop does")
        #expect(suite.tags == ["shop", "nightly"])
        #expect(suite.baseURL?.constantText == "http://localhost:8080/v1")
        #expect(suite.mode == .serial)
        #expect(suite.directory == "/project/suites")
        #expect(suite.path == "a.yaml")
        #expect(suite.range.description == "a.yaml:1:7")
        #expect(suite.variables.map(\.name) == ["title", "book"])
        let first = suite.tests[0]
        #expect(first.id == "first")
        #expect(first.description == "The first")
        #expect(first.tags == ["shop", "nightly", "smoke"])
        #expect(first.skip == "not today")
        #expect(first.locks == ["db"])
        #expect(first.variables.map(\.name) == ["a"])
        #expect(first.range.description == "a.yaml:9:11")
        #expect(first.lines == 9...17)
        #expect(!first.hasSteps)
        #expect(first.dependencies.isEmpty)
        #expect(suite.tests.map(\.skip) == ["not today", "", nil])
        #expect(suite.tests.map(\.index) == [0, 1, 2])
        #expect(suite.tests[1].dependencies == [.init(test: 0, reason: .order)])
        #expect(suite.tests[1].tags == ["shop", "nightly"])
        #expect(suite.tests[1].steps[0].continuesAfterFailure)
        #expect(suite.tests[1].steps[0].range.description == "a.yaml:21:14")
    }

    @Test("An unnamed suite is named after its file, and each document is its own suite")
    func documents() throws {
        let result = load(
            """
            tests: [{ name: a, request: GET http://localhost/ }]
            ---
            name: Second
            tests: [{ name: a, request: GET http://localhost/ }]
            """)
        #expect(result.diagnostics.isEmpty)
        #expect(result.suites.map(\.name) == ["a", "Second"])
        #expect(result.suites.map(\.documentIndex) == [0, 1])
    }

    @Test("Steps are read")
    func steps() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            tests:
              - name: a
                steps:
                  - name: first
                    variables: { n: 1 }
                    continue: true
                    request: GET /${n}
                    capture: { id: $.id }
                  - request: GET /${id}/${steps.first.status}
                    x-note: kept
            """)
        let test = suite.tests[0]
        #expect(test.hasSteps)
        #expect(test.steps.map(\.name) == ["first", nil])
        #expect(test.steps.map(\.continuesAfterFailure) == [true, false])
        #expect(test.steps.map(\.isReferenced) == [true, false])
        #expect(test.steps.map(\.range.description) == ["a.yaml:5:15", "a.yaml:10:18"])
        #expect(test.dependencies.isEmpty)
    }

    @Test("A served command is read")
    func serve() throws {
        let suite = try loadGood(
            """
            serve:
              command: [python3, app.py, "--port=${port}", 1.10]
              env: { PORT: "${port}", DEBUG: true }
              ready: GET /health
              within: 5s
            baseURL: http://localhost:${port}/v1
            tests: [{ name: a, request: GET / }]
            """)
        guard case .command(let command)? = suite.serve else {
            Issue.record("expected a command")
            return
        }
        #expect(command.arguments.map(\.constantText) == ["python3", "app.py", nil, "1.10"])
        #expect(command.environment.map(\.name) == ["PORT", "DEBUG"])
        #expect(command.environment[1].value.constantText == "true")
        #expect(command.ready?.method == "GET")
        #expect(command.ready?.url.constantText == "/health")
        #expect(command.within == 5_000_000_000)
        #expect(command.directory == "/project/suites")
    }

    @Test("A served command can run in another directory", arguments: ["..", "../suites"])
    func servedDirectory(_ path: String) throws {
        let project = try ProjectDirectory([
            "suites/a.yaml":
                "serve: { command: [./server], directory: \(path) }\ntests: [{ name: a, request: GET / }]\n"
        ])
        let result = project.load("suites/a.yaml")
        #expect(result.diagnostics.isEmpty)
        guard case .command(let command)? = result.suites.first?.serve else {
            Issue.record("expected a command")
            return
        }
        #expect(command.directory == project.path + "/suites/" + path)
    }

    @Test("Anchors, aliases, and merge keys are resolved")
    func anchors() throws {
        let suite = try loadGood(
            """
            x-common: &common
              expect: { status: 2xx }
              tags: [a]
            baseURL: http://localhost
            tests:
              - { <<: *common, name: one, request: &get GET / }
              - { <<: *common, name: two, tags: [b], request: *get }
            """)
        #expect(suite.tests.map(\.tags) == [["a"], ["b"]])
        #expect(suite.tests.map { $0.steps[0].expectations.status?.text } == ["2xx", "2xx"])
        #expect(suite.tests.map { $0.steps[0].request?.url.constantText } == ["/", "/"])
    }

    @Test("A description is not parsed for expressions")
    func description() throws {
        let suite = try loadGood(
            "description: uses ${x\ntests: [{ name: a, description: '$${y}', request: GET http://a/ }]")
        #expect(suite.description == "uses ${x")
        #expect(suite.tests[0].description == "$${y}")
    }

    @Test("A warning is not an error")
    func warnings() {
        let result = load("tests: [{ name: a, request: GTE http://localhost/ }]")
        #expect(result.diagnostics.map(\.severity) == [.warning])
        #expect(!result.hasErrors)
        #expect(result.suites.count == 1)
    }
}
