import JSON

/// Makes events of the pieces of a stream: lines, or server-sent events (WHATWG HTML, section 9.2.6).
struct EventAssembler {
    private let isEventStream: Bool
    private var line: [UInt8] = []
    private var isAfterReturn = false
    private var isAtStart = true
    private var type = ""
    private var data: String?
    private var id = ""

    /// Creates an assembler.
    ///
    /// - Parameter isEventStream: true for server-sent events, false for lines.
    init(isEventStream: Bool) {
        self.isEventStream = isEventStream
    }

    /// Takes a piece; gives the events that it completes.
    mutating func take(_ piece: [UInt8]) -> [JSONValue] {
        var events: [JSONValue] = []
        for byte in piece {
            if isAfterReturn {
                isAfterReturn = false
                if byte == 0x0A { continue }
            }
            guard byte == 0x0A || byte == 0x0D else {
                line.append(byte)
                continue
            }
            isAfterReturn = byte == 0x0D
            if let event = endLine() { events.append(event) }
        }
        return events
    }

    /// The event that the end of the stream completes: a last line without an end; an event that is not ended is none.
    mutating func finish() -> JSONValue? {
        isEventStream || line.isEmpty ? nil : endLine()
    }

    private mutating func endLine() -> JSONValue? {
        var text = line[...]
        if isAtStart {
            isAtStart = false
            if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        }
        defer { line.removeAll(keepingCapacity: true) }
        if !isEventStream { return .string(String(decoding: text, as: UTF8.self)) }
        guard let first = text.first else { return dispatch() }
        if first == UInt8(ascii: ":") { return nil }
        let name = text.prefix { $0 != UInt8(ascii: ":") }
        var value = text[name.endIndex...].dropFirst()
        if value.first == 0x20 { value = value.dropFirst() }
        field(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
        return nil
    }

    private mutating func field(_ name: String, _ value: String) {
        switch name {
        case "event": type = value
        case "data": data = data.map { $0 + "\n" + value } ?? value
        case "id": if !value.utf8.contains(0) { id = value }
        default: break
        }
    }

    private mutating func dispatch() -> JSONValue? {
        defer {
            type = ""
            data = nil
        }
        guard let data else { return nil }
        var event = JSONObject()
        event["event"] = .string(type.isEmpty ? "message" : type)
        event["data"] = (try? JSONValue(parsing: Array(data.utf8))) ?? .string(data)
        if !id.isEmpty { event["id"] = .string(id) }
        return .object(event)
    }
}
