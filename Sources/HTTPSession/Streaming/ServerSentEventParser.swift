/// Makes events of the lines of a `text/event-stream` (WHATWG HTML section 9.2.6).
package struct ServerSentEventParser {
    /// The largest event: its data, type and ID together, in bytes.
    package let limit: Int
    /// The ID of the last event that was dispatched; a reconnection sends it.
    package private(set) var lastEventID: String
    /// The time to wait before a reconnection that the server has asked for.
    package private(set) var retry: Duration?
    /// Whether an event was larger than the limit.
    package private(set) var isOverLimit = false

    private var isAtStart = true
    private var idBuffer: String
    private var typeBuffer: [UInt8] = []
    private var dataBuffer: [UInt8] = []
    private var retryOfEvent: Duration?

    package init(limit: Int, lastEventID: String) {
        self.limit = limit
        self.lastEventID = lastEventID
        idBuffer = lastEventID
    }

    /// Forgets an event that the end of a stream has cut short, and expects the start of another stream.
    package mutating func restart() {
        isAtStart = true
        idBuffer = lastEventID
        clear()
    }

    private mutating func clear() {
        typeBuffer.removeAll(keepingCapacity: true)
        dataBuffer.removeAll(keepingCapacity: dataBuffer.count <= 64 << 10)
        retryOfEvent = nil
    }

    /// Takes a line without its end.
    /// - Returns: The event that the line completes.
    package mutating func take(_ line: UnsafeBufferPointer<UInt8>) -> ServerSentEvent? {
        var line = line[...]
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        }
        guard let first = line.first else { return dispatch() }
        // A comment.
        if first == UInt8(ascii: ":") { return nil }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            field(line, line.prefix(0))
            return nil
        }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        field(line[..<colon], value)
        return nil
    }

    private mutating func field(_ name: Slice<UnsafeBufferPointer<UInt8>>, _ value: Slice<UnsafeBufferPointer<UInt8>>) {
        switch name.count {
        case 4 where name.elementsEqual("data".utf8):
            dataBuffer.append(contentsOf: value)
            dataBuffer.append(10)
        case 5 where name.elementsEqual("event".utf8):
            typeBuffer = Array(value)
        case 2 where name.elementsEqual("id".utf8):
            if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
        case 5 where name.elementsEqual("retry".utf8):
            guard !value.isEmpty, value.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return }
            // A time of more than 15 digits is none that anybody waits for.
            let milliseconds = value.count > 15 ? Int64(1) << 50 : value.reduce(0) { $0 * 10 + Int64($1 - 48) }
            retry = .milliseconds(milliseconds)
            retryOfEvent = retry
        default:
            break
        }
        if dataBuffer.count + typeBuffer.count + idBuffer.utf8.count > limit { isOverLimit = true }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = idBuffer
        defer { clear() }
        guard dataBuffer.popLast() != nil else { return nil }
        return ServerSentEvent(
            type: typeBuffer.isEmpty ? "message" : String(decoding: typeBuffer, as: UTF8.self),
            data: String(decoding: dataBuffer, as: UTF8.self), id: lastEventID, retry: retryOfEvent)
    }
}
