import Basics
import FileSystem
import HTTPSession
import Output
import Synchronization
import Testing

@testable import Runner

@Testing.Suite("Records in object stores")
struct StorageClientTests {
    private let transport = ScriptedTransport()

    private static let environment = [
        "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s3cr3t", "AWS_ENDPOINT_URL": "http://s3.test",
    ]

    /// A clock that does not wait.
    private static let clock = SessionClock(now: { .zero }, date: { 1_700_000_000 }, sleep: { _ in })

    private func client(_ locations: [String], clock: SessionClock = clock) throws -> StorageClient {
        try StorageClient(
            for: locations.map { try StorageLocation($0) }, environment: Self.environment, version: "1",
            transport: transport, clock: clock)
    }

    private static func file(_ text: String) throws -> SharedFile {
        let file = try SharedFile.temporary()
        try file.handle.write(Array(text.utf8))
        return file
    }

    private static func listing(_ keys: [String], next: String? = nil) -> String {
        let contents = keys.map { "<Contents><Key>\($0)</Key><Size>1</Size></Contents>" }.joined()
        let end = next.map { "<IsTruncated>true</IsTruncated><NextContinuationToken>\($0)</NextContinuationToken>" }
        return """
            <?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\
            <EncodingType>url</EncodingType>\(contents)\(end ?? "<IsTruncated>false</IsTruncated>")</ListBucketResult>
            """
    }

    @Test("A listing has all pages, and only keys of records")
    func listing() async throws {
        transport.answer(
            with: .response(200, [:], Self.listing(["run/a+b.jsonl", "run/report.xml"], next: "t/1=")),
            .response(503), .response(200, [:], Self.listing(["run/%C3%BC.jsonl"])))
        let client = try client(["s3://bucket/run/"])
        let records = try await client.records(in: [StorageLocation("s3://bucket/run/")])
        #expect(records.map(\.description) == ["s3://bucket/run/a b.jsonl", "s3://bucket/run/ü.jsonl"])
        #expect(transport.requests.map(\.url.target).last?.contains("&continuation-token=t%2F1%3D") == true)
        for request in transport.requests {
            #expect(
                request.headers["Authorization"]?.contains("Credential=AKID/20231114/us-east-1/s3/aws4_request") == true
            )
        }
    }

    @Test("A response that is not a listing is an error", arguments: ["", "<a/>", "{}"])
    func notAListing(_ body: String) async throws {
        transport.answer(with: .response(200, [:], body))
        let client = try client(["s3://bucket/run/"])
        await #expect(throws: StorageError.self) { try await client.records(in: [StorageLocation("s3://bucket/")]) }
    }

    @Test("An error of the store is shown with its code")
    func problem() async throws {
        transport.answer(
            with: .response(404, [:], "<Error><Code>NoSuchBucket</Code><Message>No such bucket</Message></Error>"))
        let client = try client(["s3://bucket/run/"])
        let error = await #expect(throws: StorageError.self) {
            try await client.records(in: [StorageLocation("s3://bucket/run/")])
        }
        #expect(error?.message.text.contains("cannot list \"s3://bucket/run/\"") == true)
        #expect(error?.message.text.contains("(NoSuchBucket: No such bucket)") == true)
    }

    @Test("A record is written up to its last whole line, with the hash of its bytes")
    func put() async throws {
        transport.answer(with: .failure(.connectionRefused, phase: .connect), .response(429), .response(200))
        let location = try StorageLocation("s3://bucket/a.jsonl")
        let upload = RecordUpload(
            try Self.file("{\"a\":1}\n{\"b\":2}\n{\"c"), to: location, client: try client(["\(location)"]),
            clock: Self.clock)
        try await upload.finish()
        #expect(transport.requests.count == 3)
        let request = try #require(transport.requests.last)
        #expect(request.method == .put && request.url.description == "http://s3.test/bucket/a.jsonl")
        // The SHA-256 of the two lines.
        #expect(
            request.headers["X-Amz-Content-Sha256"]
                == "3881dc2ee848fe04d776737c86afbc783e482e7c5be6431d3aab36fa8fa2c928")
        #expect(request.headers["Authorization"]?.contains("x-amz-content-sha256") == true)
    }

    @Test("A request that the server rejects is not retried")
    func rejected() async throws {
        transport.answer(with: .response(403, [:], "<Error><Code>AccessDenied</Code></Error>"))
        let location = try StorageLocation("s3://bucket/a.jsonl")
        let upload = RecordUpload(try Self.file("{}\n"), to: location, client: try client(["\(location)"]))
        let error = await #expect(throws: StorageError.self) { try await upload.finish() }
        #expect(error?.message.text.hasSuffix("status 403 (AccessDenied)") == true, "\(error?.message.text ?? "")")
        #expect(transport.requests.count == 1)
    }

    @Test("The retries of the last upload are bounded")
    func bound() async throws {
        transport.answer(with: .response(503))
        let location = try StorageLocation("https://host.test/a.jsonl")
        let upload = RecordUpload(try Self.file("{}\n"), to: location, client: try client(["\(location)"]))
        await #expect(throws: StorageError.self) { try await upload.finish() }
        #expect(transport.requests.count == 8)
        #expect(transport.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test("A growing record is written every 30 seconds, and not if it is unchanged")
    func intervals() async throws {
        transport.answer(with: .response(500), .response(500), .response(500), .response(200))
        let location = try StorageLocation("https://host.test/a.jsonl")
        let file = try Self.file("1\n")
        let ticks = AsyncStream<Void>.makeStream()
        let intervals = Mutex<[Duration]>([])
        let clock = SessionClock(now: { .zero }, date: { 0 }) { duration in
            intervals.withLock { $0.append(duration) }
            for await _ in ticks.stream { return }
        }
        let warnings = Mutex<[String]>([])
        let warn: @Sendable (String) -> Void = { warning in warnings.withLock { $0.append(warning) } }
        let upload = RecordUpload(file, to: location, client: try client(["\(location)"]), clock: clock)
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { await upload.run(warn: warn) }
            ticks.continuation.yield()
            while transport.requests.count < 3 { await Task.yield() }
            ticks.continuation.yield()
            while transport.requests.count < 4 { await Task.yield() }
            // Nothing was added, so nothing is sent.
            ticks.continuation.yield()
            while intervals.withLock(\.count) < 4 { await Task.yield() }
            #expect(transport.requests.count == 4)
            upload.stop()
            try await tasks.waitForAll()
        }
        #expect(intervals.withLock { $0.allSatisfy { $0 == .seconds(30) } })
        #expect(warnings.withLock(\.count) == 1)
        #expect(
            warnings.withLock(\.first)?.hasPrefix("cannot write the record to \"https://host.test/a.jsonl\" yet: ")
                == true)
    }

    @Test("Records are downloaded in order, again if the connection was lost")
    func download() async throws {
        transport.answer(.get, "/1.jsonl", with: .response(503), .response(200, [:], "one\n"))
        transport.answer(.get, "/2.jsonl", with: .response(200, [:], "two\n"))
        let locations = ["https://host.test/1.jsonl", "https://host.test/2.jsonl"]
        let files = try await client(locations).download(locations.map { try StorageLocation($0) })
        let texts = try files.map { String(decoding: try $0.handle.read(0..<$0.handle.size()), as: UTF8.self) }
        #expect(texts == ["one\n", "two\n"])
    }

    @Test("A record that cannot be read is named")
    func missing() async throws {
        transport.answer(with: .response(404))
        let location = try StorageLocation("https://host.test/1.jsonl?sig=s3cr3t")
        let error = await #expect(throws: StorageError.self) {
            _ = try await client(["https://host.test/1.jsonl"]).download([location])
        }
        #expect(error?.message == "cannot read \"https://host.test/1.jsonl\": the server responded with status 404")
    }
}
