import TestSupport
import Testing

@testable import HTTPSession

/// Tests of streams over real connections that end in various ways.
@Suite("Streams over connections")
struct StreamingConnectionTests {
    static let events = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

    static func chunk(_ text: String) -> String {
        String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n"
    }

    @Test("Events arrive while the stream is open, and leaving the loop closes the connection")
    func leaving() async throws {
        let gate = Gate()
        let steps: [FaultyServer.Step] = [
            .receive, .send(Self.events + "Transfer-Encoding: chunked\r\n\r\n" + Self.chunk("data: 1\n\n")),
            .wait(gate),
            .send(Self.chunk("data: 2\n\ndata: 3\n\n")), .waitForClose,
        ]
        try await ExchangeTests.with(FaultyServer(steps)) { server, session in
            var seen: [String] = []
            for try await event in session.get(server.url).serverSentEvents() {
                seen.append(event.data)
                gate.open()
                if seen.count == 2 { break }
            }
            #expect(seen == ["1", "2"])
            await server.waitForClosedConnections(1)
        }
    }

    @Test("An interrupted event stream resumes with the last event ID")
    func reconnecting() async throws {
        let first = Self.events + "Content-Length: 1000\r\n\r\nid: a\nretry: 1\ndata: 1\n\ndata: cut"
        let second = Self.events + "Connection: close\r\n\r\ndata: 2\n\n"
        let server = FaultyServer(
            [.receive, .send(first), .close], [.receive, .send(second), .close],
            [.receive, .send("HTTP/1.1 204 No Content\r\n\r\n"), .waitForClose])
        try await ExchangeTests.with(server) { server, session in
            var seen: [ServerSentEvent] = []
            for try await event in session.get(server.url).serverSentEvents() { seen.append(event) }
            #expect(seen.map(\.data) == ["1", "2"])
            #expect(seen.map(\.id) == ["a", "a"])
            #expect(server.requestTexts.map { $0.contains("\r\nLast-Event-ID: a\r\n") } == [false, true, true])
        }
    }

    @Test("Canceling a task in the middle of a stream is an error and closes the connection")
    func cancelling() async throws {
        let steps: [FaultyServer.Step] = [
            .receive, .send(Self.events + "Transfer-Encoding: chunked\r\n\r\n" + Self.chunk("data: 1\n\n")),
            .waitForClose,
        ]
        try await ExchangeTests.with(FaultyServer(steps)) { server, session in
            let reader = Task { () async -> SessionError? in
                do throws(SessionError) {
                    for try await _ in session.get(server.url).serverSentEvents() {
                        withUnsafeCurrentTask { $0?.cancel() }
                    }
                    return nil
                } catch {
                    return error
                }
            }
            #expect(await reader.value?.reason == .cancelled)
            await server.waitForClosedConnections(1)
        }
    }

    @Test("An interrupted download resumes where it stopped")
    func download() async throws {
        let directory = try ScratchDirectory()
        let bytes = Array("0123456789".utf8)
        let server = FaultyServer(
            [.receive, .send("HTTP/1.1 200 OK\r\nETag: \"x\"\r\nContent-Length: 10\r\n\r\n0123"), .close],
            [
                .receive,
                .send(
                    "HTTP/1.1 206 X\r\nETag: \"x\"\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6\r\n\r\n456789"),
                .waitForClose,
            ])
        try await ExchangeTests.with(server) { server, session in
            let options = DownloadOptions(resumes: true, continuations: 1)
            let file = try await session.get(server.url).download(to: directory.file("file"), options: options).file()
            #expect(file.resumedBytes == 4)
            #expect(directory.contents("file") == bytes)
            #expect(server.requestTexts.last?.contains("\r\nRange: bytes=4-\r\nIf-Range: \"x\"\r\n") == true)
        }
    }
}
