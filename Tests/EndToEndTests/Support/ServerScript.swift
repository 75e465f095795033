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
/// | action | |
/// | --- | --- |
/// | `{ "send": [lines], "times": n }` | the lines, joined by CR LF |
/// | `{ "hex": "00 ff", "times": n }` | bytes |
/// | `{ "drip": [lines], "every": ms, "times": n }` | the same byte by byte, with a pause after each |
/// | `{ "frame": type, "flags": f, "stream": n, "hex": "…", "times": n }` | a frame of HTTP/2, without `stream` on the request's |
/// | `{ "barrier": n }` | waits until so many requests have come, on whatever connections |
/// | `"halfClose"` | ends the server's direction of the connection |
/// | `"hang"`, `"close"`, `"reset"` | how the connection ends |
///
/// After the last action the next request of the connection is read. With `listen` set to `raw` there are no requests: the
/// actions for `*` follow the first bytes of each connection. With `http2` the server speaks HTTP/2 without TLS, and `start`
/// has the actions at the beginning of a connection; without it the server sends empty SETTINGS.
struct ServerScript: Sendable {
    /// One thing that the server does.
    enum Action: Sendable {
        /// Sends bytes, so many times.
        case send([UInt8], times: Int)
        /// Sends bytes one by one, with a pause of so many milliseconds after each.
        case drip([UInt8], milliseconds: Int, times: Int)
        /// Sends a frame of HTTP/2; without a stream on that of the request.
        case frame(type: UInt8, flags: UInt8, stream: UInt32?, payload: [UInt8], times: Int)
        /// Waits until so many requests have come, on whatever connections.
        case barrier(Int)
        /// Waits until the client or the test ends.
        case hang
        /// Sends nothing more, and goes on.
        case halfClose
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
        /// They are accepted, and at the first bytes the actions for `*` are done.
        case raw
        /// They are spoken to in HTTP/2 without TLS.
        case http2
    }

    /// A script that means nothing.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// What becomes of connections.
    var listening = Listening.open
    /// Actions by request line, `METHOD /path`; `*` is for all others.
    var answers: [String: [Action]] = [:]
    /// What is done at the beginning of each connection of HTTP/2.
    var start: [Action] = [.frame(type: 4, flags: 0, stream: 0, payload: [], times: 1)]

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
            case ("start", .array(let actions)): start = try actions.map(Self.action)
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

    /// The bytes of hexadecimal digits, with spaces between them or not.
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
