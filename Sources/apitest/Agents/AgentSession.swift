import Basics
import FileSystem
import JSON
import RunModel
import Runner

/// A session of the Model Context Protocol: requests in, responses out.
///
/// Up to version 2025-11-25, a session starts with `initialize`. Since 2026-07-28, each request states its version, and
/// `server/discover` describes the server. Both work in one session.
///
/// Calls run concurrently as separate processes of the program, so that nothing they print can disturb the protocol.
actor AgentSession {
    /// The versions of the protocol that begin with `initialize`, the newest first.
    private static let initializedVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    /// The versions of the protocol in which each request states its version.
    private static let statelessVersions = ["2026-07-28"]
    /// The member of `_meta` with the version of a request.
    private static let versionKey = "io.modelcontextprotocol/protocolVersion"

    /// The maximum size of the text of a result in bytes, about 4,000 tokens.
    private static let maximumText = 12_000
    /// The time limit of a call in nanoseconds.
    private static let timeout: Int64 = 600_000_000_000

    private let program: String
    private let directory: String
    private let environment: [String]
    private let tools: [AgentTool]
    private let send: @Sendable (JSONValue) -> Void
    /// The stop signals of the calls that run, by the JSON text of their ids.
    private var calls: [String: AsyncStream<Void>.Continuation] = [:]
    private var lastVerdict: String?

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - program: The path of the program.
    ///   - directory: The working directory.
    ///   - allowsRun: Whether tools that send requests are available.
    ///   - send: Sends a message to the client.
    init(
        program: String, directory: String, environment: [String: String], allowsRun: Bool,
        send: @escaping @Sendable (JSONValue) -> Void
    ) {
        self.program = program
        self.directory = directory
        // Colors and CI annotations would only cost tokens.
        var variables = environment.filter { !["FORCE_COLOR", "CLICOLOR_FORCE", "GITHUB_ACTIONS"].contains($0.key) }
        variables["NO_COLOR"] = "1"
        self.environment = variables.map { "\($0.key)=\($0.value)" }
        tools = AgentTool.all.filter { allowsRun || $0.isReadOnly }
        self.send = send
    }

    /// A call of a tool that takes time.
    struct Call: Sendable {
        let id: JSONValue
        let work: AgentTool.Work
        /// Whether the request states its version.
        let isStateless: Bool
        /// Ends when the client cancels the call.
        let stops: AsyncStream<Void>
    }

    /// Processes a message, and sends its response if it is known at once.
    ///
    /// - Returns: The call to run, if the message is one.
    func receive(_ message: [UInt8]) -> Call? {
        guard let value = try? JSONValue(parsing: message) else {
            send(AgentMessage.error(nil, AgentMessage.parseError, "the message is not JSON"))
            return nil
        }
        guard let method = value["method"]?.stringValue, value["jsonrpc"] == "2.0" else {
            // Responses need no response; this server sends no requests.
            if value["result"] == nil, value["error"] == nil {
                send(AgentMessage.error(value["id"], AgentMessage.invalidRequest, "not a JSON-RPC 2.0 request"))
            }
            return nil
        }
        let parameters = value["params"]?.objectValue ?? [:]
        guard let id = value["id"] else {
            if method == "notifications/cancelled", let id = parameters["requestId"] {
                calls[id.serialized()]?.finish()
            }
            return nil
        }
        let version = parameters["_meta"]?[Self.versionKey]?.stringValue
        if let version, !Self.statelessVersions.contains(version) {
            let data: JSONValue = [
                "supported": .array(Self.statelessVersions.map { .string($0) }), "requested": .string(version),
            ]
            send(AgentMessage.error(id, AgentMessage.unsupportedVersion, "unsupported protocol version", data: data))
            return nil
        }
        let isStateless = version != nil
        /// Sends a result that clients may keep while the program runs.
        func reply(_ result: JSONObject) {
            var result = result
            if isStateless {
                result["resultType"] = "complete"
                result["ttlMs"] = 3_600_000
                result["cacheScope"] = "private"
            }
            send(AgentMessage.result(id, .object(result)))
        }
        switch method {
        case "initialize": send(AgentMessage.result(id, initialize(parameters)))
        case "server/discover":
            reply([
                "supportedVersions": .array(Self.statelessVersions.map { .string($0) }),
                "capabilities": Self.capabilities, "instructions": Self.instructions,
                "_meta": ["io.modelcontextprotocol/serverInfo": Self.info],
            ])
        case "ping": send(AgentMessage.result(id, isStateless ? ["resultType": "complete"] : [:]))
        case "tools/list": reply(["tools": .array(tools.map(\.definition))])
        case "tools/call": return call(id, parameters, isStateless: isStateless)
        default: send(AgentMessage.error(id, AgentMessage.methodNotFound, "unknown method \"\(method)\""))
        }
        return nil
    }

    private static let capabilities: JSONValue = ["tools": [:]]
    private static let info: JSONValue = ["name": "apitest", "title": "apitest", "version": .string(Apitest.version)]
    private static let instructions: JSONValue = .string(
        """
        Declarative API tests in YAML. After editing a suite, call lint; call explain with an id in brackets to learn \
        what it means. The verdict of a run has the location, the expected and the actual value of each failure.
        """)

    private func initialize(_ parameters: JSONObject) -> JSONValue {
        let wanted = parameters["protocolVersion"]?.stringValue ?? ""
        let version = Self.initializedVersions.contains(wanted) ? wanted : Self.initializedVersions[0]
        return [
            "protocolVersion": .string(version), "capabilities": Self.capabilities, "serverInfo": Self.info,
            "instructions": Self.instructions,
        ]
    }

    // MARK: Calls

    private func call(_ id: JSONValue, _ parameters: JSONObject, isStateless: Bool) -> Call? {
        let name = parameters["name"]?.stringValue ?? ""
        guard let tool = tools.first(where: { $0.name == name }) else {
            let isHidden = AgentTool.all.contains { $0.name == name }
            let message =
                isHidden ? "\"\(name)\" requires `apitest mcp --allow-run`" : "unknown tool \"\(name)\""
            send(AgentMessage.error(id, AgentMessage.invalidParameters, message))
            return nil
        }
        do throws(AgentTool.ArgumentError) {
            let work = try tool.work(parameters["arguments"]?.objectValue ?? [:], directory: directory)
            let (stops, stop) = AsyncStream<Void>.makeStream()
            calls[id.serialized()] = stop
            return Call(id: id, work: work, isStateless: isStateless, stops: stops)
        } catch {
            send(AgentMessage.result(id, AgentMessage.content(error.message, isError: true, isStateless: isStateless)))
            return nil
        }
    }

    /// Runs a call and sends its result, unless the client cancels it.
    func run(_ call: Call) async {
        let result = await withTaskGroup(of: JSONValue?.self) { group in
            group.addTask { await self.result(of: call.work) }
            group.addTask {
                for await _ in call.stops {}
                return nil
            }
            // The first one decides: the result, or the signal that the client has canceled the call.
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        calls.removeValue(forKey: call.id.serialized())?.finish()
        guard case .object(var members)? = result else { return }
        if call.isStateless { members["resultType"] = "complete" }
        send(AgentMessage.result(call.id, .object(members)))
    }

    private func result(of work: AgentTool.Work) async -> JSONValue {
        switch work {
        case .text(let text): return AgentMessage.content(Self.bounded(text))
        case .command(let arguments):
            let result = await runProgram(arguments)
            let text = Self.text(result.errors) + Self.text(result.output)
            return AgentMessage.content(Self.bounded(text), isError: result.problem != nil)
        case .failures([]):
            return lastVerdict.map { AgentMessage.content($0) }
                ?? AgentMessage.content("nothing has run in this session; state a record", isError: true)
        case .run(let arguments), .failures(let arguments):
            let result = await runProgram(arguments)
            // Without a verdict, nothing has run, and the messages say why.
            guard let verdict = try? JSONValue(parsing: result.output.bytes), result.problem == nil else {
                let text = (result.problem.map { $0 + "\n" } ?? "") + Self.text(result.errors)
                return AgentMessage.content(Self.bounded(text), isError: true)
            }
            let text = verdict.serialized()
            if case .run = work { lastVerdict = text }
            return AgentMessage.content(text)
        }
    }

    /// Runs a command of the program, and returns its output, and the reason if it did not end by itself.
    private func runProgram(
        _ arguments: [String]
    ) async -> (output: CommandOutput, errors: CommandOutput, problem: String?) {
        let result = await CommandProcess(
            arguments: [program] + arguments, environment: environment, directory: directory, timeout: Self.timeout,
            clock: .system
        ).run()
        let problem: String? =
            switch result.ending {
            case .ended(.exit(let status)): status == Int(ExitStatus.internalError.rawValue) ? "internal error" : nil
            case .ended(.signal(let signal)): "ended by signal \(signal)"
            case .notStarted(let message): message.text
            case .timedOut: "the time limit of 10 minutes expired"
            case .cancelled: "canceled"
            }
        return (result.output, result.errors, problem)
    }

    private static func text(_ output: CommandOutput) -> String { String(decoding: output.bytes, as: UTF8.self) }

    /// Returns a text with at most the maximum size, cut after a line.
    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > maximumText else { return text }
        let start = String(decoding: text.utf8.prefix(maximumText), as: UTF8.self)
        let kept = start.lastIndex(of: "\n").map { start[...$0] } ?? start[...]
        return kept + "… \(text.utf8.count - kept.utf8.count) more bytes; narrow the call\n"
    }
}

/// The messages of JSON-RPC 2.0.
enum AgentMessage {
    static let parseError = -32_700
    static let invalidRequest = -32_600
    static let methodNotFound = -32_601
    static let invalidParameters = -32_602
    /// The version of a request is not supported (Model Context Protocol 2026-07-28).
    static let unsupportedVersion = -32_022

    /// Returns a response with a result.
    static func result(_ id: JSONValue, _ result: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": id, "result": result]
    }

    /// Returns a response with an error.
    static func error(_ id: JSONValue?, _ code: Int, _ message: String, data: JSONValue? = nil) -> JSONValue {
        var error: JSONObject = ["code": .number(JSONNumber(code)), "message": .string(message)]
        error["data"] = data
        return ["jsonrpc": "2.0", "id": id ?? .null, "error": .object(error)]
    }

    /// Returns the result of a tool.
    ///
    /// - Parameter isError: Whether the tool could not do its work, so that the agent may correct the call.
    static func content(_ text: String, isError: Bool = false, isStateless: Bool = false) -> JSONValue {
        var result: JSONObject = [
            "content": [["type": "text", "text": .string(text)]], "isError": .bool(isError),
        ]
        if isStateless { result["resultType"] = "complete" }
        return .object(result)
    }
}
