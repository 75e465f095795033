import JSON

/// The script of a ``ScriptedServer``, from a scenario's `server.json`.
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
/// | action | |
/// | --- | --- |
/// | `{ "send": [lines], "times": n }` | sends the lines, joined by CR LF |
/// | `{ "hex": "00 ff", "times": n }` | sends bytes |
/// | `{ "drip": [lines], "every": ms, "times": n }` | sends the lines byte by byte, with a pause after each |
/// | `{ "frame": type, "flags": f, "stream": n, "hex": "…", "times": n }` | sends an HTTP/2 frame (default stream: the request's) |
/// | `{ "barrier": n }` | waits until n requests have been received, on any connections |
/// | `"halfClose"` | closes the sending direction of the connection |
/// | `"hang"`, `"close"`, `"reset"` | ends the connection |
///
/// After the last action, the next request of the connection is read. With `listen` set to `raw`, no requests are read,
/// and the actions for `*` follow the first bytes of each connection. With `http2`, the server uses HTTP/2 without TLS,
/// and `start` contains the actions at the start of a connection; by default, it sends empty SETTINGS.
struct ServerScript: Sendable {
    /// An action of the server.
    enum Action: Sendable {
        /// Sends bytes repeatedly.
        case send([UInt8], times: Int)
        /// Sends bytes one by one, with a pause in milliseconds after each.
        case drip([UInt8], milliseconds: Int, times: Int)
        /// Sends an HTTP/2 frame, on the request's stream if none is given.
        case frame(type: UInt8, flags: UInt8, stream: UInt32?, payload: [UInt8], times: Int)
        /// Waits until the given number of requests has been received, on any connections.
        case barrier(Int)
        /// Waits until the client or the test ends the connection.
        case hang
        /// Closes the sending direction and continues.
        case halfClose
        /// Closes the connection.
        case close
        /// Resets the connection.
        case reset
    }

    /// The handling of connections.
    enum Listening: String, Sendable {
        /// Connections are accepted and their requests are read.
        case open
        /// Connections are accepted, and then nothing happens.
        case silent
        /// Connections are accepted, and get an HTTP response without TLS after the first byte.
        case plain
        /// The connection queue is full, so the TCP handshake does not finish.
        case full
        /// Connections are accepted, and the actions for `*` follow the first bytes.
        case raw
        /// Connections use HTTP/2 without TLS.
        case http2
    }

    /// An invalid script.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The handling of connections.
    var listening = Listening.open
    /// The actions by request line, `METHOD /path`; `*` is the default.
    var answers: [String: [Action]] = [:]
    /// The actions at the start of each HTTP/2 connection.
    var start: [Action] = [.frame(type: 4, flags: 0, stream: 0, payload: [], times: 1)]

    /// Parses a script.
    ///
    /// - Throws: An error if the text is not JSON or not a valid script.
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
            case ("start", .array(let actions)): start = try actions.map(Self.action)
            default:
                throw Failure(description: "unknown key of the script: \(key)")
            }
        }
    }

    /// Returns the actions for a request.
    func actions(for line: String) -> [Action] {
        answers[line] ?? answers["*"] ?? [.close]
    }

    private static func action(_ value: JSONValue) throws -> Action {
        switch value {
        case "hang": return .hang
        case "close": return .close
        case "reset": return .reset
        case "halfClose": return .halfClose
        case .object(let action):
            if let count = integer(action["barrier"]) { return .barrier(count) }
            let times = integer(action["times"]) ?? 1
            if let type = integer(action["frame"]) {
                return .frame(
                    type: UInt8(clamping: type), flags: UInt8(clamping: integer(action["flags"]) ?? 0),
                    stream: integer(action["stream"]).map { UInt32(clamping: $0) }, payload: try hex(action["hex"]),
                    times: times)
            }
            if case .array(let lines) = action["send"] { return .send(text(lines), times: times) }
            if case .array(let lines) = action["drip"] {
                return .drip(text(lines), milliseconds: integer(action["every"]) ?? 1, times: times)
            }
            if case .string = action["hex"] { return .send(try hex(action["hex"]), times: times) }
        default: break
        }
        throw Failure(description: "unknown action: \(value.serialized())")
    }

    private static func integer(_ value: JSONValue?) -> Int? {
        guard case .number(let number) = value else { return nil }
        return number.int64.map { Int($0) }
    }

    private static func text(_ lines: [JSONValue]) -> [UInt8] {
        let texts = lines.map { if case .string(let text) = $0 { text } else { "" } }
        return Array(texts.joined(separator: "\r\n").utf8)
    }

    /// Parses hexadecimal digits, optionally separated by spaces.
    private static func hex(_ value: JSONValue?) throws -> [UInt8] {
        guard case .string(let text) = value else { return [] }
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
        return try stride(from: 0, to: digits.count - 1, by: 2).map { index in
            let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else {
                throw Failure(description: "no hexadecimal digits: \(pair)")
            }
            return byte
        }
    }
}
