import JSON
import OpenAPI
import OpenAPITestSupport
import RunModel
import Testing

@testable import ContractTools

@Suite("Random sequences of requests")
struct WalkTests {
    private static let text = """
        openapi: 3.1.0
        info: { title: Library, version: "1" }
        components:
          schemas:
            Shelf: { type: object, required: [name], properties: { name: { type: string, example: novels } } }
            Book: { type: object, required: [id], properties: { id: { type: integer } } }
            Title: { type: object, required: [title], properties: { title: { type: string } } }
        paths:
          /shelves:
            post:
              requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Shelf" } } } }
              responses: { 201: { description: a } }
          /shelves/{name}:
            parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
            get: { responses: { 200: { description: a } } }
            delete: { responses: { 204: { description: a } } }
          /shelves/{name}/books:
            parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
            post:
              requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Title" } } } }
              responses:
                201:
                  description: a
                  content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } }
          /shelves/{name}/books/{id}:
            parameters:
              - { name: name, in: path, required: true, schema: { type: string } }
              - { name: id, in: path, required: true, schema: { type: integer } }
            get: { responses: { 200: { description: a } } }
            put:
              requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Title" } } } }
              responses: { 200: { description: a }, 404: { description: a } }
            patch:
              requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Title" } } } }
              responses: { 200: { description: a } }
            delete: { responses: { 204: { description: a } } }
        """
    private static let base = "http://localhost"

    private static func plan() throws -> FuzzPlan {
        let (description, problems) = TextSource(["/openapi.yaml": text]).load()
        #expect(problems.isEmpty, "\(problems)")
        return FuzzPlan(try #require(description), FuzzOptions(baseURL: base))
    }

    // MARK: Planning

    @Test("A request only uses resources that a request before it creates, inside of those that contain them")
    func definitionsComeFirst() throws {
        let plan = try Self.plan()
        var planner = WalkPlanner(plan, seed: 7)
        #expect(planner.kinds.count == 2, "\(planner.kinds)")
        var lengths: Set<Int> = []
        var methods: Set<String> = []
        var afterDeletion = 0
        for round in 0..<100 {
            let walk = planner.walk(planner.kinds[round % 2])
            lengths.insert(walk.count)
            var known: Set<String> = []
            var shelfOfBook: [String: String] = [:]
            var deleted: Set<String> = []
            for test in walk {
                let own = Set(test.definitions)
                #expect(test.variables.subtracting(own).isSubset(of: known), "\(test.request.path)")
                #expect(known.isDisjoint(with: own))
                known.formUnion(own)
                methods.insert(test.request.method)
                let segments = test.request.path.split(separator: "/").map(String.init)
                if segments.count == 4 {
                    #expect(shelfOfBook[segments[3], default: segments[1]] == segments[1], "\(test.request.path)")
                    shelfOfBook[segments[3]] = segments[1]
                }
                if deleted.contains(test.request.path) { afterDeletion += 1 }
                if test.request.method == "DELETE" { deleted.insert(test.request.path) }
            }
        }
        #expect(methods == ["POST", "GET", "PUT", "PATCH", "DELETE"])
        #expect(lengths.count > 8 && afterDeletion > 10, "\(lengths) \(afterDeletion)")
    }

    @Test("The same seed makes the same sequences")
    func seeds() throws {
        let plan = try Self.plan()
        func walks(_ seed: UInt64) -> [String] {
            var planner = WalkPlanner(plan, seed: seed)
            return (0..<5).flatMap { _ in planner.walk(planner.kinds[0]).map { "\($0.request.node)" } }
        }
        #expect(walks(3) == walks(3))
        #expect(walks(3) != walks(4))
    }

    // MARK: Chosen names

    @Test("Each suite gives a resource another name, which all of its requests use")
    func names() throws {
        let plan = try Self.plan()
        let creation = try #require(plan.tests.first { $0.definesName })
        let read = try #require(plan.tests.first { $0.request.method == "GET" && !$0.target.isEmpty })
        #expect(plan.predecessors(of: read).map(\.name) == [creation.name])
        let variable = try #require(creation.chosen?.variable)
        let suites = (0..<2).map { _ in plan.suite(of: [creation, read], .serial).text }
        for (number, suite) in suites.enumerated() {
            #expect(suite.contains("novels-1-\(number + 1)"), "\(suite)")
            #expect(suite.contains("name: \"${\(variable)}\""), "\(suite)")
            #expect(suite.contains("/shelves/${\(variable)}"), "\(suite)")
        }
    }

    @Test(
        "A name that the schemas do not allow is not changed",
        arguments: [("novels", 9, "novels-1-4"), ("novels", 7, "novels")])
    func allowedNames(_ name: String, _ longest: Int, _ expected: String) {
        let chosen = ChosenName(variable: "name", value: .string(name), member: "name") { value in
            value.stringValue?.count ?? 0 <= longest + 1
        }
        #expect("\(chosen.fresh(ChosenNumber(seed: 1, count: 4)))" == "\(SuiteNode.text(expected))")
    }

    // MARK: Judgment

    private struct Step {
        var method: String
        var path: String
        var status: Int
        var body = ""
    }

    /// Returns the checks that a sequence of exchanges with one book fails, each with its position.
    private static func checks(_ steps: [Step]) throws -> [String] {
        let plan = try plan()
        let contract = Contract(plan.generator.description, name: "openapi.yaml")
        let judge = FuzzJudge(
            contract: contract, strictContract: contract, operations: plan.operations,
            checks: [.useAfterDelete, .createdNotFound], baseURL: base, hasCredentials: false, maximumDuration: nil)
        var tests: [GeneratedTest] = []
        for step in steps {
            let depth = step.path.split(separator: "/").count
            let main = try #require(
                plan.tests.first {
                    $0.request.method == step.method && $0.request.path.split(separator: "/").count == depth
                        && $0.intent == plan.main(of: $0.operation)?.intent
                })
            tests.append(main)
            tests[tests.count - 1].intent = .variant(isCertain: false)
        }
        let exchanges = steps.map { step in
            Exchange(
                request: Exchange.Request(method: step.method, url: base + step.path, headers: [], body: []),
                response: Exchange.Response(
                    status: step.status, headers: [HeaderField(name: "Content-Type", value: "application/json")],
                    body: Array(step.body.utf8)))
        }
        return WalkJudge(judge: judge).findings(tests, exchanges).map { finding in
            "\(finding.before?.count ?? -1) \(finding.check.rawValue)"
        }
    }

    private static let book = "/shelves/a/books/7"
    private static let created = Step(method: "POST", path: "/shelves/a/books", status: 201, body: #"{"id": 7}"#)
    private static let deleted = Step(method: "DELETE", path: book, status: 204)
    private static func read(_ status: Int) -> Step { Step(method: "GET", path: book, status: status) }
    private static func change(_ method: String, _ status: Int) -> Step {
        Step(method: method, path: book, status: status)
    }

    @Test(
        "A deleted resource must not be read or changed",
        arguments: [
            ([created, deleted, read(200)], ["2 use-after-delete"]),
            ([created, deleted, read(404)], []),
            ([created, deleted, change("PATCH", 200)], ["2 use-after-delete"]),
            ([created, deleted, change("PUT", 200)], ["2 use-after-delete"]),
            // The change has created it again.
            ([created, deleted, change("PUT", 201), read(200)], []),
            ([created, deleted, change("PATCH", 202)], []),
            // The deletion has failed, or has only begun.
            ([created, Step(method: "DELETE", path: book, status: 500), read(200)], []),
            ([created, Step(method: "DELETE", path: book, status: 202), read(200)], []),
            // The server reuses the identifier.
            ([created, deleted, created, read(200)], []),
        ])
    private func deletions(_ steps: [Step], _ checks: [String]) throws {
        #expect(try Self.checks(steps) == checks)
    }

    @Test(
        "A created resource must be there, unless a request in between may have removed it",
        arguments: [
            ([created, read(404)], ["1 created-not-found"]),
            ([created, read(200), change("PATCH", 200), read(410)], ["3 created-not-found"]),
            ([created, deleted, read(404)], []),
            ([created, Step(method: "DELETE", path: "/shelves/a", status: 500), read(404)], []),
            (
                [created, Step(method: "DELETE", path: "/shelves/a/books/8", status: 204), read(404)],
                ["2 created-not-found"]
            ),
            // The response does not show the identifier.
            ([Step(method: "POST", path: "/shelves/a/books", status: 201, body: #"{"id": 17}"#), read(404)], []),
            ([Step(method: "POST", path: "/shelves/a/books", status: 202, body: #"{"id": 7}"#), read(404)], []),
        ])
    private func losses(_ steps: [Step], _ checks: [String]) throws {
        #expect(try Self.checks(steps) == checks)
    }
}
