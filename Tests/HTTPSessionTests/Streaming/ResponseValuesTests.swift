import HTTPSession
import Testing

/// Tests of values that are decoded as they arrive.
@Suite("Streams of values")
struct ResponseValuesTests {
    struct Row: Codable, Sendable, Equatable { var id: Int }

    private static func session(_ body: String, type: String = "application/x-ndjson") -> Session {
        let transport = ScriptedTransport()
        transport.answer(with: .response(200, ["Content-Type": type], body))
        return Session(configuration: .init(baseURL: "http://a.test/"), transport: transport)
    }

    @Test(
        "Each line is decoded as a value",
        arguments: [
            "{\"id\":1}\n{\"id\":2}\n", "{\"id\":1}\r\n\r\n {\"id\":2}", "\u{1E}{\"id\":1}\n\u{1E}{\"id\":2}\n",
        ])
    func lines(body: String) async throws {
        var rows: [Row] = []
        for try await row in Self.session(body).get("rows").values(of: Row.self) { rows.append(row) }
        #expect(rows == [Row(id: 1), Row(id: 2)])
        let streamed = try await Self.session(body).get("rows").stream()
        rows = []
        for try await row in streamed.body.values(of: Row.self) { rows.append(row) }
        #expect(rows == [Row(id: 1), Row(id: 2)])
    }

    @Test("An invalid line ends the stream with an error that includes the line number")
    func broken() async throws {
        var count = 0
        let error = await ExchangeTests.failure {
            for try await _ in Self.session("{\"id\":1}\n\n{\"id\":\n").get("rows").values(of: Row.self) { count += 1 }
        }
        #expect(count == 1)
        #expect(error?.reason == .undecodable)
        #expect(error?.message.hasPrefix("line 3 of the response cannot be decoded as Row: ") == true)
    }

    @Test("The data of an event can be decoded")
    func events() async throws {
        let session = Self.session("data: {\"id\":1}\n\ndata: no\n\n", type: "text/event-stream")
        var rows: [Row?] = []
        for try await event in session.get("feed").serverSentEvents(reconnection: .never) {
            rows.append(try? event.decode(Row.self))
        }
        #expect(rows == [Row(id: 1), nil])
    }
}
