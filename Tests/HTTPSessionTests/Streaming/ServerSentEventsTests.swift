import Basics
import HTTPSession
import Testing

@Suite("Server-sent events")
struct ServerSentEventsTests {
    typealias Event = ServerSentEvent

    static let eventStream: HTTPHeaders = ["Content-Type": "text/event-stream"]

    /// Returns the events of a session with a scripted server, where reconnection delays take no time.
    static func events(
        _ reconnection: EventReconnection = .never, lastEventID: String = "", maximum: Int = 1 << 20,
        clock: RecordingClock = RecordingClock(), _ answer: @escaping BodyTransport.Answer
    ) async -> (events: [Event], error: SessionError?, transport: BodyTransport) {
        let transport = BodyTransport(answer)
        var configuration = SessionConfiguration()
        configuration.clock = clock.clock
        let session = Session(configuration: configuration, transport: transport)
        var events: [Event] = []
        do throws(SessionError) {
            let stream = session.get("http://a/").serverSentEvents(
                reconnection: reconnection, lastEventID: lastEventID, maximumEventBytes: maximum)
            for try await event in stream { events.append(event) }
        } catch {
            return (events, error, transport)
        }
        return (events, nil, transport)
    }

    static func events(_ pieces: [[UInt8]]) async -> [Event] {
        await events { _, _ throws(SessionError) in BodyTransport.response(200, eventStream, pieces: pieces) }.events
    }

    static let streams: [(String, [Event])] = [
        // The examples in the standard.
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [Event(data: "YHOO\n+2\n10")]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [Event(data: "first event", id: "1"), Event(data: "second event"), Event(data: " third event")]
        ),
        ("data\n\ndata\ndata\n\ndata:", [Event(data: ""), Event(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [Event(data: "test"), Event(data: "test")]),
        (
            "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n",
            [Event(type: "add", data: "73857293"), Event(type: "remove", data: "2153")]
        ),
        // Line endings, and a byte order mark, which is removed only at the start.
        ("data: a\r\rdata: b\r\n\r\ndata: c\n\r", [Event(data: "a"), Event(data: "b"), Event(data: "c")]),
        ("\u{FEFF}data: a\n\n", [Event(data: "a")]),
        ("\u{FEFF}\u{FEFF}data: a\n\n", []),
        ("data: a\n\n\u{FEFF}data: b\n\n", [Event(data: "a")]),
        // Unknown fields, and similar names.
        ("Data: a\ndatab: c\n data: d\nfoo\n:data: x\n\ndata: e\n\n", [Event(data: "e")]),
        ("event: x\n\ndata: a\n\n", [Event(data: "a")]),
        ("event: x\nevent\ndata: a\n\n", [Event(data: "a")]),
        ("event:  x \ndata: a\n\n", [Event(type: " x ", data: "a")]),
        // IDs persist. One with NUL is ignored; one without data counts.
        (
            "id: 1\ndata: a\n\ndata: b\n\nid: 2\n\ndata: c\n\nid: 3\u{0}\ndata: d\n\nid:\ndata: e\n\n",
            [
                Event(data: "a", id: "1"), Event(data: "b", id: "1"), Event(data: "c", id: "2"),
                Event(data: "d", id: "2"), Event(data: "e"),
            ]
        ),
        // Only digits are a valid time.
        (
            "retry: 10\ndata: a\n\nretry: 1a\nretry: -1\nretry:\ndata: b\n\nretry:7\ndata: c\n\n",
            [Event(data: "a", retry: .milliseconds(10)), Event(data: "b"), Event(data: "c", retry: .milliseconds(7))]
        ),
        // An event without a final empty line is discarded.
        ("data: a\n\ndata: b\n", [Event(data: "a")]), ("data: a\n\ndata: b", [Event(data: "a")]),
        ("data: 😀é\nevent: ü\n\n", [Event(type: "ü", data: "😀é")]),
    ]

    @Test("Streams are parsed according to the standard, however they are split into pieces", arguments: streams)
    func reading(text: String, expected: [Event]) async {
        let bytes = Array(text.utf8)
        #expect(await Self.events([bytes]) == expected)
        #expect(await Self.events(bytes.map { [$0] }) == expected)
        let middle = bytes.count / 2
        #expect(await Self.events([Array(bytes[..<middle]), Array(bytes[middle...])]) == expected)
    }

    @Test("The request accepts event streams, has no idle timeout, and includes the last event ID")
    func request() async throws {
        let (_, _, transport) = await Self.events(lastEventID: "7") { _, _ throws(SessionError) in
            BodyTransport.response(200, Self.eventStream)
        }
        let request = try #require(transport.requests.first)
        #expect(request.headers["Accept"] == "text/event-stream")
        #expect(request.headers["Cache-Control"] == "no-store")
        #expect(request.headers["Last-Event-ID"] == "7")
        #expect(request.timeouts.idle == nil)
        #expect(request.timeouts.total == nil)
        #expect(request.timeouts.firstByte == Timeouts().firstByte)
    }

    @Test("After an end or a lost connection, the stream resumes from the last event after the retry delay")
    func reconnection() async {
        let clock = RecordingClock()
        let (events, error, transport) = await Self.events(.standard, clock: clock) { _, number throws(SessionError) in
            switch number {
            case 1:
                BodyTransport.response(200, Self.eventStream, pieces: [Array("id: 1\ndata: a\n\ndata: lost".utf8)])
            case 2:
                BodyTransport.response(
                    200, Self.eventStream, pieces: [Array("retry: 20\nid: 2\ndata: b\n\n".utf8)],
                    error: BodyTransport.lost)
            case 3: BodyTransport.response(200, Self.eventStream, pieces: [Array("data: c\n\n".utf8)])
            default: BodyTransport.response(204)
            }
        }
        #expect(error == nil)
        #expect(
            events == [
                Event(data: "a", id: "1"), Event(data: "b", id: "2", retry: .milliseconds(20)),
                Event(data: "c", id: "2"),
            ])
        #expect(transport.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", "2", "2"])
        #expect(clock.sleeps == [.seconds(3), .milliseconds(20), .milliseconds(20)])
    }

    @Test("The delay doubles up to the maximum while connections fail and resets after a success")
    func backoff() async {
        let clock = RecordingClock()
        let rule = EventReconnection(delay: .seconds(1), maximumDelay: .seconds(5))
        let (events, error, _) = await Self.events(rule, clock: clock) { _, number throws(SessionError) in
            switch number {
            case 1, 7: return BodyTransport.response(200, Self.eventStream, pieces: [Array("data: a\n\n".utf8)])
            case 8: return BodyTransport.response(204)
            default: throw SessionError(phase: .connect, reason: .connectionRefused, message: "refused")
            }
        }
        #expect(error == nil)
        #expect(events.count == 2)
        #expect(clock.sleeps == [1, 2, 4, 5, 5, 5, 1].map { .seconds($0) })
    }

    @Test("The maximum applies to all reconnections, and then an end ends the stream and a loss is an error")
    func maximum() async {
        for isLost in [false, true] {
            let (events, error, transport) = await Self.events(.init(maximum: 2)) { _, _ throws(SessionError) in
                BodyTransport.response(
                    200, Self.eventStream, pieces: [Array("data: a\n\n".utf8)], error: isLost ? BodyTransport.lost : nil
                )
            }
            #expect(events.count == 3)
            #expect(transport.requests.count == 3)
            #expect(error?.reason == (isLost ? .connectionReset : nil))
        }
        let (_, error, transport) = await Self.events(.init(followsEnd: false)) { _, _ throws(SessionError) in
            BodyTransport.response(200, Self.eventStream)
        }
        #expect(error == nil)
        #expect(transport.requests.count == 1)
    }

    static let refused: [(Int, String?, String)] = [
        (404, "text/event-stream", "the server responded with status 404 to a request for events"),
        (500, "text/event-stream", "the server responded with status 500 to a request for events"),
        (201, "text/event-stream", "the server responded with status 201 to a request for events"),
        (200, "text/plain", "expected the Content-Type text/event-stream, got text/plain"),
        (200, nil, "expected the Content-Type text/event-stream, got none"),
    ]

    @Test("An unexpected status or content type is an error with the response and is not retried", arguments: refused)
    func refusal(status: Int, type: String?, message: String) async {
        let (events, error, transport) = await Self.events(.standard) { _, _ throws(SessionError) in
            BodyTransport.response(
                status, type.map { ["Content-Type": $0] } ?? [:], pieces: [Array("data: a\n\n".utf8)])
        }
        #expect(events.isEmpty)
        #expect(error?.reason == .unacceptableResponse)
        #expect(error?.message == message)
        #expect(error?.response?.status == status)
        #expect(transport.requests.count == 1)
    }

    @Test(
        "Parameters and letter case in the content type are ignored",
        arguments: ["text/event-stream;charset=utf-8", "Text/Event-Stream"])
    func contentType(type: String) async {
        let (events, _, _) = await Self.events { _, _ throws(SessionError) in
            BodyTransport.response(200, ["content-type": type], pieces: [Array("data: a\n\n".utf8)])
        }
        #expect(events == [Event(data: "a")])
    }

    @Test("A failed first connection is reported immediately")
    func firstFailure() async {
        let clock = RecordingClock()
        let (_, error, transport) = await Self.events(.standard, clock: clock) { _, _ throws(SessionError) in
            throw SessionError(phase: .connect, reason: .connectionRefused, message: "refused")
        }
        #expect(error?.reason == .connectionRefused)
        #expect(transport.requests.count == 1)
        #expect(clock.sleeps.isEmpty)
    }

    @Test(
        "An event larger than the limit is an error",
        arguments: ["data: 0123456789\n\n", "data: 0123\ndata: 4567\n\n", "id: 0123456\ndata: 789\n\n", ": 0123456789"])
    func tooLarge(text: String) async {
        for pieces in [[Array(text.utf8)], Array(text.utf8).map { [$0] }] {
            let (events, error, transport) = await Self.events(.standard, maximum: 8) { _, _ throws(SessionError) in
                BodyTransport.response(200, Self.eventStream, pieces: pieces)
            }
            #expect(events.isEmpty)
            #expect(error?.reason == .limitExceeded(.eventBytes, 8))
            #expect(transport.requests.count == 1)
        }
    }

    @Test("Canceling a task that waits to reconnect is reported as a cancellation")
    func cancelled() async {
        let task = Task {
            await Self.events(.standard) { _, _ throws(SessionError) in
                withUnsafeCurrentTask { $0?.cancel() }
                return BodyTransport.response(200, Self.eventStream)
            }
        }
        let (_, error, transport) = await task.value
        #expect(error?.reason == .cancelled)
        #expect(transport.requests.count == 1)
    }
}
