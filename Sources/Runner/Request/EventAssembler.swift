import HTTPSession
import JSON

/// An assembler of a stream's chunks into events: lines, or server-sent events (WHATWG HTML, section 9.2.6).
struct EventAssembler {
    private var lines = LineScanner(limit: .max)
    private var parser: ServerSentEventParser?
    private var isAtStart = true

    /// Creates an assembler.
    ///
    /// - Parameter isEventStream: Whether the stream consists of server-sent events rather than lines.
    init(isEventStream: Bool) {
        // The limit of the body also limits its lines and events.
        if isEventStream { parser = ServerSentEventParser(limit: .max, lastEventID: "") }
    }

    /// Processes a chunk and returns the events that it completes.
    mutating func take(_ piece: [UInt8]) -> [JSONValue] {
        lines.append(piece)
        var events: [JSONValue] = []
        while let event = nextLine() {
            if let event { events.append(event) }
        }
        return events
    }

    /// Returns the event that the end of the stream completes: a last line without a line break.
    ///
    /// An unterminated server-sent event is discarded.
    mutating func finish() -> JSONValue? {
        guard parser == nil else { return nil }
        let isFirst = isAtStart
        isAtStart = false
        return lines.last { Self.text($0, isFirst: isFirst) }
    }

    /// Returns the event that the next line completes, if any; nil at the end of the input.
    private mutating func nextLine() -> JSONValue?? {
        if parser != nil {
            return lines.next(&parser) { parser, line in parser?.take(line).map(Self.value) }
        }
        let isFirst = isAtStart
        let line: JSONValue?? = lines.next { Self.text($0, isFirst: isFirst) }
        if line != nil { isAtStart = false }
        return line
    }

    private static func text(_ line: UnsafeBufferPointer<UInt8>, isFirst: Bool) -> JSONValue {
        let hasMark = isFirst && line.starts(with: [0xEF, 0xBB, 0xBF])
        return .string(String(decoding: hasMark ? line.dropFirst(3) : line[...], as: UTF8.self))
    }

    private static func value(_ event: ServerSentEvent) -> JSONValue {
        var object = JSONObject()
        object["event"] = .string(event.type)
        object["data"] = (try? JSONValue(parsing: Array(event.data.utf8))) ?? .string(event.data)
        if !event.id.isEmpty { object["id"] = .string(event.id) }
        return .object(object)
    }
}
