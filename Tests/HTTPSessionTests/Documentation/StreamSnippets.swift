import HTTPSession
import JSON
import Logging
import NIOPosix
import Testing

/// The code of the articles about streams, WebSockets, observation, tests and speed.
enum StreamSnippets {
    static func streams(_ session: Session) async throws {
        // snippet pieces
        for try await piece in session.get("export").bytes() { print(piece.count) }
        for try await line in session.get("log").lines() { print(line) }
        for try await event in session.get("feed").serverSentEvents() { print(event.type, event.data) }
        // end
        // snippet head
        let streamed = try await session.get("export").validate().stream()
        print(streamed.status, streamed.expectedLength ?? -1)
        for try await piece in streamed.body { print(piece.count) }
        print(streamed.body.end?.trailers["Digest"] ?? "")
        // end
    }

    static func download(_ session: Session) async throws {
        // snippet download
        let download = session.get("images/disk.iso")
            .download(to: "/srv/disk.iso", options: DownloadOptions(resumes: true, continuations: 3))
        for await progress in download.progress { print(progress.completed, progress.fraction ?? 0) }
        let file = try await download.file()
        print(file.length, file.resumedBytes)
        // end
    }

    static func upload(_ session: Session) async throws {
        // snippet upload
        let upload = session.put("backups/1", body: .file(path: "/srv/backup")).upload()
        for await progress in upload.progress { print(progress.completed) }
        let response = try await upload.response()
        // end
        print(response)
    }

    static func source(_ session: Session, rows: AsyncStream<[UInt8]>) async throws {
        // snippet source
        let response = try await session.post("rows", body: .stream(BodySource(rows))).response()
        // end
        print(response)
    }

    static func socket(_ session: Session) async throws {
        // snippet socket
        let socket = try await session.webSocket("wss://example.org/chat", protocols: ["chat.v2"])
        try await socket.send("hello")
        for try await message in socket.messages {
            switch message {
            case .text(let text): print(text)
            case .binary(let bytes): print(bytes.count)
            }
        }
        await socket.close()
        // end
        // snippet ping
        print(try await socket.ping())
        if let closure = socket.closure { print(closure.code, closure.reason) }
        // end
    }

    // MARK: Seeing what happens

    // snippet monitor
    struct Printer: EventMonitor {
        func receive(_ event: SessionEvent, of request: RequestID) {
            switch event {
            case .sent(let sent, let bytes): print(request, sent.method, sent.url, bytes)
            case .finished(.success(let response)): print(request, response.status, response.metrics.total)
            case .finished(.failure(let error)): print(request, error.message)
            default: break
            }
        }
    }
    // end

    static func monitors() {
        // snippet monitors
        let recorder = HARRecorder(maximumEntries: 500)
        let numbers = MetricsMonitor { summary in
            print(summary.method, summary.status ?? 0, summary.duration, summary.attempts.count)
        }
        var configuration = SessionConfiguration()
        configuration.monitors = [Printer(), LoggingMonitor(Logger(label: "api")), numbers, recorder]
        // end
    }

    static func events() async {
        // snippet events
        let events = EventStream()
        var configuration = SessionConfiguration()
        configuration.monitors = [events]
        let reader = Task {
            for await entry in events { print(entry.request, entry.event.name) }
        }
        // end
        events.finish()
        await reader.value
    }

    static func exports(_ session: Session, _ recorder: HARRecorder) async throws {
        // snippet exports
        let response = try await session.get("books").response()
        print(response.curlCommand())
        print(try session.get("books").curlCommand(redaction: nil).multilineText)
        let har = HARLog(response).serialized(.pretty)
        let all = recorder.log().serialized()
        // end
        print(har.count, all.count)
    }

    static func tracing(_ session: Session, _ incoming: HTTPHeaders) async throws {
        // snippet tracing
        var configuration = SessionConfiguration()
        configuration.adapters.append(TraceContextAdapter())
        let context = incoming["traceparent"].flatMap { TraceContext(traceparent: $0) }
        try await TraceContext.$current.withValue(context) {
            _ = try await session.get("books").response()
        }
        // end
    }

    // MARK: Tests

    // snippet testing
    @Test("A client tries again when the server is busy")
    static func busy() async throws {
        let transport = ScriptedTransport()
        transport.answer(
            .get, "/v1/books/7", with: .response(503),
            .response(200, ["Content-Type": "application/json"], #"{"id": 7, "title": "Dune"}"#))
        var configuration = SessionConfiguration(baseURL: "https://api.example.org/v1/")
        configuration.retriers = [RetryPolicy(scale: .zero)]
        let session = Session(configuration: configuration, transport: transport)

        let book = try await session.get("books/7").validate().decode(GuideSnippets.Book.self)

        #expect(book.title == "Dune")
        #expect(transport.requests.count == 2)
        #expect(transport.requests.first?.headers["Accept"] == "*/*")
    }
    // end

    static func script(_ transport: ScriptedTransport) {
        // snippet script
        transport.answer(.post, "/slow", with: .after(.milliseconds(50), .response(201)))
        transport.answer(.get, "/broken", with: .failure(.connectionReset, phase: .receive))
        transport.answer(.get, "/never", with: .never)
        transport.answer(.get, "/files/*", with: .pieces(200, [:], [[1, 2], [3]]))
        transport.answer(
            where: { $0.headers.contains("X-Test") }, with: .make { .response(200, [:], $0.url.path) })
        // end
    }

    static func clock() {
        // snippet clock
        var configuration = SessionConfiguration()
        configuration.clock = SessionClock(
            now: { .zero }, date: { 1_700_000_000 }, sleep: { _ in try Task.checkCancellation() })
        configuration.random = SessionRandom { 4 }
        // end
    }

    // MARK: Speed

    // snippet executors
    static func statuses(of urls: [String]) async -> [Int] {
        let transport = NIOTransport(group: MultiThreadedEventLoopGroup.singleton)
        return await withSession(transport: transport) { session in
            let loops = transport.executors
            return await withTaskGroup(of: Int.self) { tasks in
                for (index, url) in urls.enumerated() {
                    tasks.addTask(executorPreference: loops[index % loops.count]) {
                        (try? await session.send(Request(.get, url)).status) ?? 0
                    }
                }
                return await tasks.reduce(into: []) { $0.append($1) }
            }
        }
    }
    // end

    static func settings() {
        // snippet settings
        let settings = NIOTransport.Settings(connectionsPerOrigin: 16, idleConnectionTimeout: .seconds(10))
        let session = Session(transport: NIOTransport(settings: settings))
        // end
        print(session)
    }
}
