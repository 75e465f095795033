import JSON
import Testing

@testable import Runner

@Suite("Stream events")
struct EventAssemblerTests {
    /// Returns the events of a text, which must not depend on its division into chunks.
    private func events(_ text: String, isEventStream: Bool) -> [JSONValue] {
        let bytes = Array(text.utf8)
        var results: [[JSONValue]] = []
        for size in [1, 3, max(1, bytes.count)] {
            var assembler = EventAssembler(isEventStream: isEventStream)
            var events: [JSONValue] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                events += assembler.take(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            if let last = assembler.finish() { events.append(last) }
            results.append(events)
        }
        #expect(Set(results).count == 1, "the result depends on the pieces: \(results)")
        return results[0]
    }

    @Test(
        "Lines end with LF, CR LF, or CR, and the last line needs no terminator",
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\nb\rc\n\nd", ["a", "b", "c", "", "d"]), ("\n", [""]),
            ("\u{FEFF}é\n", ["é"]),
        ] as [(String, [JSONValue])])
    func lines(_ text: String, _ expected: [JSONValue]) {
        #expect(events(text, isEventStream: false) == expected)
    }

    @Test(
        "Server-sent events are parsed",
        arguments: [
            ("data: x\n\n", [["event": "message", "data": "x"]]),
            ("event: a\r\ndata: {\"n\": 1}\r\nid: 7\r\n\r\n", [["event": "a", "data": ["n": 1], "id": "7"]]),
            ("data:one\ndata\ndata:  three\n\n", [["event": "message", "data": "one\n\n three"]]),
            (
                "id: 1\ndata: 1\n\ndata: 2\n\n",
                [
                    ["event": "message", "data": 1, "id": "1"], ["event": "message", "data": 2, "id": "1"],
                ]
            ),
            (": comment\nretry: 10\nother: x\n\nevent: none\n\ndata: cut off\n", []),
        ] as [(String, [JSONValue])])
    func serverSentEvents(_ text: String, _ expected: [JSONValue]) {
        #expect(events(text, isEventStream: true) == expected)
    }
}
