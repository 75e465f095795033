import JSON

/// What a ``ScriptedServer`` does, as a scenario's `server.json` says it.
///
/// ```json
/// {
///   "answers": {
///     "GET /half": [{ "send": ["HTTP/1.1 200 OK", "Content-Length: 10", "", "12345"] }, "close"],
///     "*": ["hang"]
///   }
/// }
/// ```
///
/// The lines of `send` are joined by CR LF. After the last action the next request of the connection is read.
struct ServerScript: Sendable {
    /// One thing that the server does.
    enum Action: Sendable {
        /// Sends bytes, so many times.
        case send([UInt8], times: Int)
        /// Waits until so many requests have come, on whatever connections.
        case barrier(Int)
        /// Waits until the client or the test ends.
        case hang
        /// Closes the connection.
        case close
        /// Closes the connection by a reset.
        case reset
    }

    /// What becomes of connections.
    enum Listening: String, Sendable {
        /// They are accepted and their requests are read.
        case open
        /// They are accepted, and then nothing happens.
        case silent
        /// They are accepted, and at the first byte they get an answer of HTTP without TLS.
        case plain
        /// The queue of connections is full: the handshake of TCP does not end.
        case full
    }

    /// A script that means nothing.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// What becomes of connections.
    var listening = Listening.open
    /// Actions by request line, `METHOD /path`; `*` is for all others.
    var answers: [String: [Action]] = [:]

    /// Reads a script.
    ///
    /// - Throws: when the text is not JSON, or has something else than a script.
    init(_ text: [UInt8]) throws {
        guard case .object(let root) = try JSONValue(parsing: text) else { throw Failure(description: "no object") }
        for (key, value) in root {
            switch (key, value) {
            case ("listen", .string(let name)):
                guard let listening = Listening(rawValue: name) else {
                    throw Failure(description: "unknown listen: \(name)")
                }
                self.listening = listening
            case ("answers", .object(let answers)):
                for (line, actions) in answers {
                    guard case .array(let actions) = actions else { throw Failure(description: "no list: \(line)") }
                    self.answers[line] = try actions.map(Self.action)
                }
            default:
                throw Failure(description: "unknown key of the script: \(key)")
            }
        }
    }

    /// What is done for a request.
    func actions(for line: String) -> [Action] {
        answers[line] ?? answers["*"] ?? [.close]
    }

    private static func action(_ value: JSONValue) throws -> Action {
        switch value {
        case "hang": return .hang
        case "close": return .close
        case "reset": return .reset
        case .object(let action):
            if case .number(let count) = action["barrier"] { return .barrier(Int(count.int64 ?? 0)) }
            guard case .array(let lines) = action["send"] else { break }
            let texts = lines.map { if case .string(let text) = $0 { text } else { "" } }
            var times = 1
            if case .number(let number) = action["times"] { times = Int(number.int64 ?? 1) }
            return .send(Array(texts.joined(separator: "\r\n").utf8), times: times)
        default: break
        }
        throw Failure(description: "unknown action: \(value.serialized())")
    }
}
