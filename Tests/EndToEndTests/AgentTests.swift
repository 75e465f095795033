import JSON
import Synchronization
import Testing

@testable import apitest

/// Tests of `apitest mcp`: with the protocol's own client in Python, and message by message.
struct AgentTests {
    private static let suite = """
        name: Shop
        serve: { mock: shop.mock.yaml }
        tests:
          - name: the title
            request: GET /books/1
            expect: { json: { $.title: Emma } }
          - name: the shelf
            request: GET /books/1
            expect: 200
        """
    private static let mock = """
        routes:
          - request: GET /books/1
            respond: { json: { title: Dune } }
        """
    private static let broken = """
        baseURL: http://127.0.0.1:1
        tests:
          - name: a
            request: GET /
            expct: 200
        """

    /// Creates a project with a suite that fails and one with an error.
    private static func project() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        TestFiles.write(suite.utf8, to: directory.path + "/suite.apitest.yaml")
        TestFiles.write(mock.utf8, to: directory.path + "/shop.mock.yaml")
        TestFiles.write(broken.utf8, to: directory.path + "/broken.apitest.yaml")
        return directory
    }

    @Test(
        "The protocol's client can use all tools",
        .enabled("APITEST_PYTHON must name a Python with mcp") { await ReportReaderTests.isInstalled("mcp") },
        arguments: ["auto", "legacy"])
    func client(_ mode: String) async throws {
        let directory = try Self.project()
        let script = try #require(TestFiles.text(TestFiles.package + "/Tests/EndToEndTests/Agents/session.py"))
        let json = try await ReportReaderTests.output(
            script, [Program.path, directory.path, mode], in: directory.path)
        let output = try JSONValue(parsing: Array(json.utf8))
        #expect(output["tools"] == ["list", "run", "failures", "lint", "explain", "schema"])
        let calls = try #require(output["calls"]?.arrayValue)
        try #require(calls.count == 9)
        func text(_ index: Int) -> String { calls[index]["text"]?.stringValue ?? "" }
        #expect(calls.map { $0["error"] } == [false, false, false, false, false, false, true, true, true])
        // A suite with an error cannot be listed; the result says why.
        #expect(text(0).contains("[unknown-key]"))
        #expect(text(1).contains("broken.apitest.yaml:5:5: error: unknown key \"expct\" [unknown-key]"))
        let verdict = try JSONValue(parsing: Array(text(2).utf8))
        #expect(verdict["verdict"] == "failed")
        #expect(verdict["failures"]?[0]?["findings"]?[0]?["got"] == "Dune")
        #expect(text(3) == text(2))
        #expect(text(4).hasPrefix("## unknown-key\n"))
        #expect(text(5).contains("\"properties\""))
        #expect(text(6).contains("[unknown-key]"))
        #expect(text(7) == "\"/etc\" is outside of the working directory")
        #expect(text(8).contains("nonsense"))
    }

    /// The messages that a session sends.
    private final class Messages: Sendable {
        let all = Mutex<[JSONValue]>([])
    }

    /// A client in a directory of its own.
    private final class Client {
        private let messages = Messages()
        let directory: TemporaryDirectory

        init() throws { directory = try AgentTests.project() }

        func session(allowsRun: Bool = false) -> AgentSession {
            let messages = messages
            return AgentSession(
                program: Program.path, directory: directory.path,
                environment: Program.environment(home: directory.path), allowsRun: allowsRun
            ) { message in messages.all.withLock { $0.append(message) } }
        }

        /// Sends a message, and returns the responses to it.
        func send(_ text: String, to session: AgentSession) async -> [JSONValue] {
            messages.all.withLock { $0 = [] }
            if let call = await session.receive(Array(text.utf8)) { await session.run(call) }
            return messages.all.withLock { $0 }
        }
    }

    private static func request(_ method: String, _ parameters: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#
    }

    @Test("Without --allow-run, nothing can be sent")
    func readOnly() async throws {
        let client = try Client()
        let session = client.session()
        let tools = await client.send(Self.request("tools/list"), to: session)
        let names = tools.first?["result"]?["tools"]?.arrayValue?.map { $0["name"] }
        #expect(names == ["list", "failures", "lint", "explain", "schema"])
        let responses = await client.send(Self.request("tools/call", #"{"name":"run"}"#), to: session)
        #expect(responses.first?["error"]?["code"] == -32_602)
        #expect(responses.first?["error"]?["message"]?.stringValue?.contains("--allow-run") == true)
    }

    @Test(
        "Messages that are not requests get the errors of JSON-RPC",
        arguments: [
            ("{", -32_700), ("[]", -32_600), (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32_601),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}"#, -32_602),
            (
                #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01"}}}"#,
                -32_022
            ),
        ] as [(String, Int)])
    func errors(_ message: String, _ code: Int) async throws {
        let client = try Client()
        let responses = await client.send(message, to: client.session())
        #expect(responses.count == 1)
        #expect(responses.first?["error"]?["code"] == .number(JSONNumber(code)))
    }

    @Test(
        "Notifications and responses get no response",
        arguments: [
            #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
            #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        ])
    func silence(_ message: String) async throws {
        let client = try Client()
        #expect(await client.send(message, to: client.session()).isEmpty)
    }

    @Test(
        "An unknown version is answered with the newest one, a known one with itself",
        arguments: [("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")])
    func versions(_ wanted: String, _ expected: String) async throws {
        let client = try Client()
        let responses = await client.send(
            Self.request("initialize", #"{"protocolVersion":"\#(wanted)"}"#), to: client.session())
        #expect(responses.first?["result"]?["protocolVersion"] == .string(expected))
    }

    @Test("A canceled call ends its run and gets no response")
    func cancellation() async throws {
        let client = try Client()
        let slow = """
            baseURL: http://127.0.0.1:1
            tests: [{ name: a, steps: [{ run: { command: [sh, -c, "touch started; sleep 100"] } }] }]
            """
        TestFiles.write(slow.utf8, to: client.directory.path + "/slow.apitest.yaml")
        let session = client.session(allowsRun: true)
        let call = try #require(
            await session.receive(
                Array(
                    Self.request("tools/call", #"{"name":"run","arguments":{"paths":["slow.apitest.yaml"]}}"#).utf8)))
        await withTaskGroup { group in
            group.addTask { await session.run(call) }
            let started = client.directory.path + "/started"
            while !TestFiles.exists(started), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(10)) }
            let cancellation = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#
            #expect(await client.send(cancellation, to: session).isEmpty)
            await group.waitForAll()
        }
        #expect(await client.send(Self.request("ping"), to: session).count == 1)
    }

    @Test("What an agent reads of each of 20 failures stays within 4,000 tokens")
    func tokens() async throws {
        let client = try Client()
        for (index, fault) in Self.faults.enumerated() {
            let suite = """
                name: Shop
                serve: { mock: shop.mock.yaml }
                tests:
                  - name: fault
                    request: \(fault.request)
                    \(fault.expectation)
                """
            let name = "fault\(index).apitest.yaml"
            TestFiles.write(suite.utf8, to: client.directory.path + "/" + name)
            let session = client.session(allowsRun: true)
            let responses = await client.send(
                Self.request("tools/call", #"{"name":"run","arguments":{"paths":["\#(name)"]}}"#), to: session)
            let text = responses.first?["result"]?["content"]?[0]?["text"]?.stringValue ?? ""
            var size = text.utf8.count
            // The verdict or the diagnostics name the fault, and its explanation completes it.
            #expect(text.contains(fault.id), "\(name): \(text)")
            let explanation = await client.send(
                Self.request("tools/call", #"{"name":"explain","arguments":{"id":"\#(fault.id)"}}"#), to: session)
            #expect(explanation.first?["result"]?["isError"] == false, "\(fault.id)")
            size += explanation.first?["result"]?["content"]?[0]?["text"]?.stringValue?.utf8.count ?? 0
            // A token has at least three bytes of such texts on average.
            #expect(size <= 12_000, "\(fault.id): \(size) bytes")
        }
    }

    /// A fault of a suite, and the id that names it.
    private struct Fault {
        var request = "GET /books/1"
        var expectation = "expect: 200"
        let id: String
    }

    private static let faults = [
        Fault(expectation: "expct: 200", id: "unknown-key"),
        Fault(request: "GET http:///books", id: "invalid-url"),
        Fault(request: "GET /books/${id}", id: "undefined-variable"),
        Fault(request: "GETT /books", expectation: "expect: 201", id: "status"),
        Fault(expectation: "expect: { json: { title: Dune } }", id: "invalid-jsonpath"),
        Fault(expectation: "expect: { json: { $.title: { eqals: Dune } } }", id: "unknown-operator"),
        Fault(expectation: "expect: { json: { $.title: { matches: '(' } } }", id: "invalid-pattern"),
        Fault(expectation: "expect: { duration: { lt: 5 } }", id: "invalid-duration"),
        Fault(expectation: "assert: body.title = 'Dune'", id: "invalid-expression"),
        Fault(expectation: "expect: { status: 2000 }", id: "invalid-status"),
        Fault(expectation: "needs: nobody", id: "unknown-test"),
        Fault(expectation: "retry: -1", id: "invalid-retry"),
        Fault(expectation: "expect: 404", id: "status"),
        Fault(expectation: "expect: { json: { $.title: Emma } }", id: "equals"),
        Fault(expectation: "expect: { json: { $.title: { type: integer } } }", id: "type"),
        Fault(expectation: "expect: { json: { $.price: { exists: true } } }", id: "exists"),
        Fault(expectation: "expect: { json: { $.title: { length: 99 } } }", id: "length"),
        Fault(expectation: "expect: { text: { contains: Emma } }", id: "contains"),
        Fault(expectation: "assert: body.title == 'Emma'", id: "assert"),
        Fault(expectation: "capture: { id: $.id }", id: "json"),
    ]
}
