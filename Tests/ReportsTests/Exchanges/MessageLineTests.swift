import RunModel
import Testing

@testable import Reports

@Suite("WebSocket messages in reports")
struct MessageLineTests {
    @Test("Each message takes one line")
    func lines() {
        let cases: [(WebSocketTranscript.Message, String)] = [
            (.init(.client, .text, Array("hello".utf8)), "→ hello"),
            (.init(.server, .text, Array("a\nb\u{1B}[1m".utf8)), #"← a\nb\x1b[1m"#),
            (.init(.server, .text), "← "),
            (.init(.client, .binary, [0, 255]), "→ 2 B of binary data: 00 ff"),
            (.init(.client, .binary), "→ 0 B of binary data"),
            (.init(.client, .ping), "→ ping"), (.init(.server, .pong), "← pong"),
            (.init(.server, .close(code: 1_005)), "← close"),
            (.init(.server, .close(code: 4_001), Array("asked".utf8)), "← close 4001 asked"),
        ]
        for (message, expected) in cases {
            #expect(MessageLine.text(message, width: 60).lowercased() == expected.lowercased())
        }
    }

    @Test("A long message is truncated and its size is stated")
    func cut() {
        let long = WebSocketTranscript.Message(.server, .text, [UInt8](repeating: UInt8(ascii: "x"), count: 100_000))
        #expect(MessageLine.text(long, width: 40) == "← " + String(repeating: "x", count: 24) + "… 100 KB total")
        let bytes = WebSocketTranscript.Message(.server, .binary, [UInt8](repeating: 7, count: 17))
        #expect(MessageLine.text(bytes, width: 80).hasSuffix("07 …"))
    }

    @Test("Only the last of many messages are kept")
    func many() {
        var transcript = WebSocketTranscript()
        for number in 0..<1_000 { transcript.append(.init(.server, .text, Array(String(number).utf8))) }
        #expect(transcript.messages.count >= 100 && transcript.messages.count <= 200)
        #expect(transcript.omitted + transcript.messages.count == 1_000)
        #expect(transcript.messages.last?.bytes == Array("999".utf8))
        #expect(
            transcript.messages.first.map { String(decoding: $0.bytes, as: UTF8.self) } == String(transcript.omitted))
    }
}
