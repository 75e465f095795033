import JSON

/// The items of a stream: server-sent events, JSON lines and JSON sequences (3.2, section "Sequential Media Types").
enum StreamItems {
    /// An item, or why it is none.
    enum Item {
        case value(JSONValue)
        case malformed(String)
    }

    /// The items of a response: those that were read from it as a stream, otherwise those that its body holds.
    static func items(of exchange: ContractExchange, _ type: MediaRange) -> [Item] {
        guard let items = exchange.items else { return Self.items(in: exchange.responseBody, type) }
        if type.essence == "text/event-stream" { return items.map { .value($0) } }
        return items.map { item in item.stringValue.map { parsed(Array($0.utf8)[...]) } ?? .value(item) }
    }

    /// The items that a body holds.
    static func items(in body: [UInt8], _ type: MediaRange) -> [Item] {
        if type.essence == "text/event-stream" { return events(body) }
        let separator: UInt8 = type.subtype == "json-seq" || type.subtype.hasSuffix("+json-seq") ? 0x1E : 0x0A
        let space: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return body.split(separator: separator).filter { !$0.allSatisfy(space) }.map(parsed)
    }

    private static func parsed(_ bytes: ArraySlice<UInt8>) -> Item {
        do throws(JSONParseError) {
            return .value(try JSONParser().parse(Array(bytes)))
        } catch {
            return .malformed(error.message)
        }
    }

    /// The events of a stream as objects of their fields (HTML Standard, section 9.2.6).
    private static func events(_ body: [UInt8]) -> [Item] {
        var items: [Item] = []
        var event = JSONObject()
        for line in body.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let line = line.last == 0x0D ? line.dropLast() : line
            if line.isEmpty {
                // Without data it is no event, whatever else was said.
                if event["data"] != nil { items.append(.value(.object(event))) }
                event = JSONObject()
                continue
            }
            let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            let name = String(decoding: line[..<colon], as: UTF8.self)
            var value = line[colon...].dropFirst()
            if value.first == 0x20 { value = value.dropFirst() }
            let text = String(decoding: value, as: UTF8.self)
            switch name {
            case "data": event[name] = .string(event[name]?.stringValue.map { "\($0)\n\(text)" } ?? text)
            case "event", "id": event[name] = .string(text)
            case "retry": event[name] = JSONNumber(literal: text).map { .number($0) } ?? .string(text)
            default: break
            }
        }
        return items
    }
}
