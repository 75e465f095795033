import Basics
import Diagnostics
import JSON
import OpenAPI
import OpenAPITestSupport
import RunModel
import Synchronization
import Testing
import YAML

@testable import ContractTools

@Suite("The requests and findings of a search")
struct FuzzRunTests {
    private struct Request {
        var name: String
        var method: String
        var url: String
        var body: JSONValue?
        /// The number of tests in its suite.
        var suiteSize: Int

        /// The number of the round that the name of a random request ends with.
        var round: Int? { name.hasSuffix(")") ? name.dropLast().split(separator: "(").last.flatMap { Int($0) } : nil }
    }

    private struct Response {
        /// The status, or `nil` if the connection is closed.
        var status: Int?
        var body = ""
    }

    /// A server that records its requests.
    private final class Server: Sendable {
        private let received = Mutex<[Request]>([])
        private let respond: @Sendable (_ request: Request, _ number: Int) -> Response

        /// Creates a server.
        ///
        /// - Parameter respond: Returns the response to a request and its number, which starts with 1.
        init(_ respond: @escaping @Sendable (_ request: Request, _ number: Int) -> Response) { self.respond = respond }

        var requests: [Request] { received.withLock { $0 } }

        /// Runs the tests of a suite.
        func run(_ suite: FuzzSuite) -> [TestResult?] {
            let file = SourceFile(name: "suite", text: suite.text)
            let tests = YAMLStream.parse(file).documents.first?.json["tests"]?.arrayValue ?? []
            return tests.enumerated().map { position, test in
                let node = test["request"] ?? .null
                let line = (node.stringValue ?? "").split(separator: " ", maxSplits: 1).map(String.init)
                let request = Request(
                    name: test["name"]?.stringValue ?? "", method: node["method"]?.stringValue ?? line.first ?? "GET",
                    url: node["url"]?.stringValue ?? line.last ?? "", body: node["json"], suiteSize: tests.count)
                let number = received.withLock { requests in
                    requests.append(request)
                    return requests.count
                }
                return Self.result(request, respond(request, number), at: position)
            }
        }

        static func result(_ request: Request, _ response: Response, at position: Int) -> TestResult {
            let range = SourceRange(file: SourceFile(name: "suite", text: ""), bytes: 0..<0)
            let exchange = Exchange(
                request: .init(
                    method: request.method, url: FuzzRunTests.base + request.url,
                    headers: request.body == nil
                        ? [] : [HeaderField(name: "Content-Type", value: "application/json")],
                    body: request.body.map { Array($0.serialized().utf8) } ?? []),
                response: response.status.map { status in
                    .init(
                        status: status, headers: [HeaderField(name: "Content-Type", value: "application/json")],
                        body: Array(response.body.utf8))
                },
                failure: response.status == nil
                    ? .init(phase: .receive, kind: .connectionFailed, message: "the connection was closed") : nil)
            return TestResult(
                test: TestReference(suite: 0, position: position, name: request.name, range: range), outcome: .passed,
                steps: [.init(name: request.name, outcome: .passed, exchange: exchange, range: range)])
        }
    }

    private static let base = "http://localhost"
    private static let text = """
        openapi: 3.1.0
        info: { title: Orders, version: "1" }
        paths:
          /status:
            get: { responses: { 200: { description: a } } }
          /ping:
            post: { responses: { 200: { description: a } } }
          /search:
            get:
              parameters:
                - { name: year, in: query, schema: { type: integer, minimum: 1, maximum: 5 } }
                - { name: month, in: query, schema: { type: integer, minimum: 1, maximum: 12 } }
              responses: { 200: { description: a }, 400: { description: a } }
          /orders:
            post:
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      type: object
                      required: [quantity]
                      properties: { quantity: { type: integer, minimum: 1 } }
              responses: { 200: { description: a }, 400: { description: a } }
        """

    private static func search(
        _ operations: [String], cases: Int, phases: Set<FuzzPhase> = [.examples, .random],
        _ execution: @escaping FuzzRun.Execution
    ) async throws -> FuzzRun.Outcome {
        let (description, problems) = TextSource(["/openapi.yaml": text]).load()
        #expect(problems.isEmpty, "\(problems)")
        var options = FuzzOptions(baseURL: base)
        options.operations = operations
        options.cases = cases
        options.phases = phases
        let run = FuzzRun(
            try #require(description), name: "openapi.yaml", options: options, execution: execution, time: { 0 },
            isStopped: { false })
        return await run.run(contractPath: "openapi.yaml")
    }

    private static func failed(_ outcome: FuzzRun.Outcome) -> [String] {
        outcome.results.filter(\.outcome.isFailure).map(\.test.name)
    }

    // MARK: Requests

    @Test("An operation with a single request is sent it seldom if it only reads, and each time otherwise")
    func repetitions() async throws {
        let server = Server { _, _ in Response(status: 200) }
        let outcome = try await Self.search(["GET /status", "POST /ping"], cases: 100) { suite, _ in server.run(suite) }
        #expect(Self.failed(outcome) == [])
        // The occurrences 1, 4, 16 and 64.
        #expect(server.requests.filter { $0.method == "GET" }.compactMap(\.round) == [1, 4, 16, 64])
        #expect(server.requests.filter { $0.method == "POST" }.compactMap(\.round) == Array(1...100))
    }

    @Test("Consecutive requests of one operation that only read are in flight at the same time, and no others")
    func overlappingReads() async throws {
        let server = Server { _, _ in Response(status: 200) }
        let overlapping = Mutex<[[Request]]>([])
        _ = try await Self.search(["GET /status", "GET /search", "POST /orders"], cases: 1, phases: [.coverage]) {
            suite, _ in
            let before = server.requests.count
            let results = server.run(suite)
            overlapping.withLock { list in
                for range in suite.overlapping where range.count > 1 {
                    list.append(range.map { server.requests[before + $0] })
                }
            }
            return results
        }
        let groups = overlapping.withLock { $0 }
        #expect(groups.contains { $0.count > 5 })
        for group in groups {
            #expect(group.allSatisfy { $0.method == "GET" && $0.url.hasPrefix("/search") }, "\(group)")
        }
    }

    @Test("A search without a time limit of its own ends when there is nothing new to send")
    func exhaustion() async throws {
        let server = Server { _, _ in Response(status: 200) }
        let outcome = try await Self.search(["GET /status"], cases: .max) { suite, _ in server.run(suite) }
        #expect(Self.failed(outcome) == [])
        #expect(server.requests.compactMap(\.round).last.map { $0 < 1_000 } == true)
    }

    @Test("An operation that fails 20 times in a row gets no more random requests, although they were prepared")
    func failingOperations() async throws {
        for (isAlways, last) in [(true, 20), (false, 60)] {
            let server = Server { request, _ in
                let isSound = request.url != "/orders" || !isAlways && request.round.map { $0 % 15 == 7 } ?? false
                return Response(status: isSound ? 200 : 500)
            }
            let outcome = try await Self.search(["POST /orders", "POST /ping"], cases: 60) { suite, _ in
                server.run(suite)
            }
            #expect(Self.failed(outcome).contains("POST /orders › server-error"))
            let rounds = server.requests.filter { $0.url == "/orders" && $0.suiteSize > 2 }.compactMap(\.round)
            #expect(rounds.max() == last)
            #expect(server.requests.filter { $0.url == "/ping" }.compactMap(\.round).max() == 60)
        }
    }

    @Test("Requests that were prepared before a rule was learned are made again")
    func learnedRules() async throws {
        let server = Server { request, _ in
            guard case .number(let quantity)? = request.body?["quantity"], quantity.int64.map({ $0 > 5 }) ?? true
            else { return Response(status: 200) }
            return Response(status: 400, body: #"{"quantity": ["must be less than or equal to 5"]}"#)
        }
        let outcome = try await Self.search(["POST /orders"], cases: 40) { suite, _ in server.run(suite) }
        #expect(outcome.lessons.count == 1, "\(outcome.lessons)")
        let quantities = server.requests.compactMap { request -> (round: Int, isLarge: Bool)? in
            guard let round = request.round, request.name.contains("with other values"),
                // A quarter of the requests ignores the rules.
                (round - 1) % 8 < 6, case .number(let quantity)? = request.body?["quantity"]
            else { return nil }
            return (round, quantity.int64.map { $0 > 5 } ?? true)
        }
        #expect(quantities.contains { $0.round <= 20 && $0.isLarge })
        #expect(quantities.contains { $0.round > 20 })
        #expect(!quantities.contains { $0.round > 20 && $0.isLarge }, "\(quantities)")
    }

    // MARK: Judgment

    @Test("The last result of a test counts, whether or not it was received in advance")
    func completions() async throws {
        let server = Server { _, _ in Response(status: 200) }
        let repeated = try await Self.search(["POST /ping"], cases: 20) { suite, completed in
            let results = server.run(suite)
            // The login is repeated, and the first attempt failed.
            for (position, result) in results.enumerated() {
                let request = server.requests[server.requests.count - results.count + position]
                completed(position, Server.result(request, Response(status: 500), at: position))
                if let result { completed(position, result) }
            }
            return results
        }
        #expect(Self.failed(repeated) == [])
        for isInAdvance in [false, true] {
            let failing = Server { _, _ in Response(status: 500) }
            let outcome = try await Self.search(["POST /ping"], cases: 20) { suite, completed in
                let results = failing.run(suite)
                for (position, result) in results.enumerated() where isInAdvance {
                    if let result { completed(position, result) }
                }
                return results
            }
            #expect(Self.failed(outcome) == ["POST /ping › server-error"])
        }
    }

    // MARK: Confirmation

    @Test("A fault is confirmed on another connection if the first repetition has broken the shared one")
    func brokenConnections() async throws {
        let server = Server { request, _ in
            Response(status: request.name.hasSuffix(" again") ? nil : 500)
        }
        let outcome = try await Self.search(["POST /ping"], cases: 1, phases: [.examples]) { suite, _ in
            server.run(suite)
        }
        #expect(Self.failed(outcome) == ["POST /ping › server-error"])
        #expect(outcome.unconfirmed.isEmpty)
        // The first request, two repetitions in one suite, and another one.
        #expect(server.requests.map(\.suiteSize) == [1, 2, 2, 1])
    }

    @Test("A fault that does not occur twice again is rejected", arguments: [1, 2])
    func flakyFaults(_ failures: Int) async throws {
        let server = Server { _, number in Response(status: number <= failures ? 500 : 200) }
        let outcome = try await Self.search(["POST /ping"], cases: 1, phases: [.examples]) { suite, _ in
            server.run(suite)
        }
        #expect(Self.failed(outcome) == [])
        #expect(outcome.unconfirmed.count == 1)
    }
}
