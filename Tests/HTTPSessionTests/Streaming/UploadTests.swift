import HTTPSession
import Testing

@Suite("Uploads")
struct UploadTests {
    static let bytes = DownloadTests.bytes

    /// Returns the bytes sent for a body, with all chunks combined.
    static func read(_ body: RequestBody) async throws -> [UInt8] {
        switch body {
        case .empty: return []
        case .bytes(let bytes): return bytes
        case .file: return []
        case .stream(let source):
            let next = try await source.open()
            var all: [UInt8] = []
            while let piece = try await next() { all += piece }
            return all
        }
    }

    @Test("Progress follows the transport to the end, and the response is available afterwards")
    func progress() async throws {
        let transport = BodyTransport { request, _ throws(SessionError) in
            for part in 1...4 { request.uploadProgress?(TransferProgress(completed: part * 25, total: 100)) }
            return TransportResponse(head: ResponseHead(status: 201))
        }
        let upload = Session(transport: transport).put("http://a/", body: .bytes(Self.bytes)).upload()
        #expect(transport.requests.isEmpty)
        var last: TransferProgress?
        for await progress in upload.progress { last = progress }
        #expect(last == TransferProgress(completed: 100, total: 100))
        #expect(try await upload.response().status == 201)
        #expect(transport.requests.count == 1)
    }

    @Test("Validators and the caller's own progress handler are called")
    func validation() async throws {
        let transport = BodyTransport { request, _ throws(SessionError) in
            request.uploadProgress?(TransferProgress(completed: 1, total: 1))
            return TransportResponse(head: ResponseHead(status: 500))
        }
        await confirmation { confirm in
            let upload = Session(transport: transport).put("http://a/", body: .bytes([1])).validate()
                .onUploadProgress { _ in confirm() }.upload()
            do throws(SessionError) {
                _ = try await upload.response()
                Issue.record("expected an error")
            } catch {
                #expect(error.reason == .unacceptableResponse)
            }
        }
    }

    static let codings: [ContentCoding] = [.gzip, .deflate]

    @Test("In-memory, file, and stream bodies are compressed and sent without Content-Length", arguments: codings)
    func compression(coding: ContentCoding) async throws {
        let file = try TemporaryFile(Self.bytes)
        let source = BodySource(length: Self.bytes.count, isReplayable: true) {
            let pieces = DownloadTests.pieces(Self.bytes)
            let pump = PieceList(pieces)
            return { pump.next() }
        }
        for body in [RequestBody.bytes(Self.bytes), .file(path: file.path), .stream(source)] {
            let transport = BodyTransport { _, _ throws(SessionError) in
                TransportResponse(head: ResponseHead(status: 200))
            }
            let session = Session(transport: transport)
            _ = try await session.put("http://a/", headers: ["Content-Length": "5"], body: body)
                .with { $0.compression = coding }.response()
            let request = try #require(transport.requests.first)
            #expect(request.headers.values("Content-Encoding") == [coding.rawValue])
            #expect(!request.headers.contains("Content-Length"))
            #expect(request.body.isReplayable)
            for _ in 1...2 {
                let sent = try await Self.read(request.body)
                #expect(try ContentDecoder.decode(sent, [coding]) == Self.bytes)
                #expect(sent != Self.bytes)
            }
            if case .stream(let source) = request.body { #expect(source.length == nil) }
        }
    }

    @Test("The caller's Content-Encoding field is kept, and an empty body is not compressed")
    func edges() async throws {
        let transport = BodyTransport { _, _ throws(SessionError) in TransportResponse(head: ResponseHead(status: 200))
        }
        let session = Session(transport: transport)
        _ = try await session.put("http://a/", headers: ["content-encoding": "x-gzip"], body: .bytes([1]))
            .with { $0.compression = .gzip }.response()
        _ = try await session.get("http://a/").with { $0.compression = .gzip }.response()
        #expect(transport.requests.map { $0.headers.values("Content-Encoding") } == [["x-gzip"], []])
        #expect(transport.requests.last?.body == RequestBody.empty)
    }

    /// An adapter that retains the body that it receives.
    private struct Signer: RequestAdapter {
        func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
            var request = request
            if case .bytes(let bytes) = request.body { request.headers.set(name: "X-Length", value: "\(bytes.count)") }
            return request
        }
    }

    @Test("Adapters receive the compressed body, and a redirect does not compress it again")
    func adapters() async throws {
        let transport = BodyTransport { _, number throws(SessionError) in
            TransportResponse(
                head: ResponseHead(status: number == 1 ? 307 : 200, headers: number == 1 ? ["Location": "/b"] : [:]))
        }
        _ = try await Session(transport: transport).post("http://a/", body: .bytes(Self.bytes))
            .with { $0.compression = .gzip }.adapt(with: Signer()).response()
        #expect(transport.requests.count == 2)
        for request in transport.requests {
            guard case .bytes(let sent) = request.body else {
                Issue.record("expected a body in memory")
                continue
            }
            #expect(request.headers["X-Length"] == "\(sent.count)")
            #expect(request.headers.values("Content-Encoding") == ["gzip"])
            #expect(try ContentDecoder.decode(sent, [.gzip]) == Self.bytes)
        }
    }

    @Test("An unreadable file is an error when the compressed body is opened")
    func unreadable() async throws {
        let transport = BodyTransport { _, _ throws(SessionError) in TransportResponse(head: ResponseHead(status: 200))
        }
        _ = try await Session(transport: transport).put("http://a/", body: .file(path: "/nonexistent"))
            .with { $0.compression = .gzip }.response()
        let body = try #require(transport.requests.first?.body)
        await #expect(throws: (any Error).self) { try await Self.read(body) }
    }
}
