import Glibc
import HTTPSession
import Synchronization
import Testing

@Suite("File downloads")
struct DownloadTests {
    let directory: ScratchDirectory

    init() throws {
        directory = try ScratchDirectory()
    }

    static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

    static func pieces(_ bytes: some Collection<UInt8>) -> [[UInt8]] {
        let bytes = Array(bytes)
        return stride(from: 0, to: bytes.count, by: 7000).map { Array(bytes[$0..<min($0 + 7000, bytes.count)]) }
    }

    static func exchange(_ answer: @escaping BodyTransport.Answer) -> (PendingExchange, BodyTransport) {
        let transport = BodyTransport(answer)
        return (Session(transport: transport).get("http://a/file#part"), transport)
    }

    static func whole() -> PendingExchange {
        exchange { _, _ throws(SessionError) in
            BodyTransport.response(200, ["Content-Length": "\(bytes.count)"], pieces: pieces(bytes))
        }.0
    }

    static func failure(_ download: Download) async -> SessionError? {
        do throws(SessionError) {
            _ = try await download.file()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Complete files

    @Test("A complete download leaves only the file with all its bytes")
    func wholeFile() async throws {
        let download = Self.whole().download(to: directory.file("file"))
        let file = try await download.file()
        #expect(directory.contents("file") == Self.bytes)
        #expect(directory.names == ["file"])
        #expect(file.path == directory.file("file"))
        #expect(file.length == Self.bytes.count)
        #expect(file.resumedBytes == 0)
        #expect(file.response.status == 200)
        #expect(try await download.file().length == Self.bytes.count)
    }

    @Test("An empty body creates an empty file")
    func empty() async throws {
        let (exchange, _) = Self.exchange { _, _ throws(SessionError) in BodyTransport.response(204) }
        #expect(try await exchange.download(to: directory.file("file")).file().length == 0)
        #expect(directory.contents("file") == [])
    }

    @Test("A download starts when its file is first requested, and later requests reuse the result")
    func lazy() async throws {
        let (exchange, transport) = Self.exchange { _, _ throws(SessionError) in BodyTransport.response(200) }
        let download = exchange.download(to: directory.file("file"))
        #expect(transport.requests.isEmpty)
        #expect(directory.names.isEmpty)
        _ = try await download.file()
        _ = try await download.file()
        #expect(transport.requests.count == 1)
        #expect(transport.requests.first?.delivery == .streamed)
    }

    @Test("Progress increases to the total and then ends")
    func progress() async throws {
        let download = Self.whole().download(to: directory.file("file"))
        var seen: [TransferProgress] = []
        for await progress in download.progress { seen.append(progress) }
        #expect(seen.last == TransferProgress(completed: Self.bytes.count, total: Self.bytes.count))
        #expect(seen.map(\.completed) == seen.map(\.completed).sorted())
        #expect(try await download.file().length == Self.bytes.count)
        // Late subscribers get the latest value.
        var iterator = download.progress.makeAsyncIterator()
        #expect(await iterator.next()?.fraction == 1)
        #expect(await iterator.next() == nil)
    }

    @Test("A compressed body is decoded, and its total size is unknown")
    func compressed() async throws {
        let encoded = try ContentCoding.gzip.encode(Self.bytes)
        let (exchange, _) = Self.exchange { _, _ throws(SessionError) in
            BodyTransport.response(
                200, ["Content-Encoding": "gzip", "Content-Length": "\(encoded.count)"], pieces: Self.pieces(encoded))
        }
        let download = exchange.download(to: directory.file("file"))
        var last: TransferProgress?
        for await progress in download.progress { last = progress }
        #expect(last == TransferProgress(completed: Self.bytes.count, total: nil))
        #expect(directory.contents("file") == Self.bytes)
    }

    // MARK: Options

    @Test("Missing directories are created unless the option is disabled")
    func directories() async throws {
        let path = directory.file("a/b/file")
        let refused = await Self.failure(Self.whole().download(to: path, options: .init(createsDirectories: false)))
        #expect(refused?.reason == .fileNotWritable)
        #expect(refused?.message.hasSuffix(": No such file or directory") == true)
        #expect(directory.names.isEmpty)
        _ = try await Self.whole().download(to: path).file()
        #expect(directory.contents("a/b/file") == Self.bytes)
    }

    @Test("An existing file is replaced unless the option is disabled, in which case nothing is sent")
    func replacing() async throws {
        directory.make("file", [1, 2, 3])
        let (exchange, transport) = Self.exchange { _, _ throws(SessionError) in BodyTransport.response(200) }
        let error = await Self.failure(
            exchange.download(to: directory.file("file"), options: .init(replacesFile: false)))
        #expect(error?.reason == .fileNotWritable)
        #expect(error?.message == "the file \"\(directory.file("file"))\" cannot be written: the file already exists")
        #expect(transport.requests.isEmpty)
        #expect(directory.contents("file") == [1, 2, 3])
        _ = try await Self.whole().download(to: directory.file("file")).file()
        #expect(directory.contents("file") == Self.bytes)
        _ = try await Self.whole().download(to: directory.file("other"), options: .init(replacesFile: false)).file()
        #expect(directory.contents("other") == Self.bytes)
        #expect(directory.names == ["file", "other"])
    }

    @Test("A file created during the download is not replaced if the option is disabled")
    func racing() async throws {
        let directory = directory
        let (exchange, _) = Self.exchange { _, _ throws(SessionError) in
            directory.make("file", [1])
            return BodyTransport.response(200, pieces: [[2]])
        }
        let error = await Self.failure(
            exchange.download(to: directory.file("file"), options: .init(replacesFile: false)))
        #expect(error?.reason == .fileNotWritable)
        #expect(directory.contents("file") == [1])
        #expect(directory.names == ["file"])
    }

    @Test("The file has the requested permissions")
    func permissions() async throws {
        _ = try await Self.whole().download(to: directory.file("file"), options: .init(permissions: 0o640)).file()
        #expect(directory.permissions("file") == 0o640)
    }

    static let unusable = [
        ("", "the path does not name a file"), ("/", "the path does not name a file"), ("/tmp", "it is a directory"),
    ]

    @Test("An invalid file path is rejected before anything is sent", arguments: unusable)
    func refusedPath(path: String, message: String) async throws {
        let (exchange, transport) = Self.exchange { _, _ throws(SessionError) in BodyTransport.response(200) }
        let error = await Self.failure(exchange.download(to: path))
        #expect(error?.reason == .fileNotWritable)
        #expect(error?.message == "the file \"\(path)\" cannot be written: \(message)")
        #expect(transport.requests.isEmpty)
    }

    @Test("A file system error includes the path and the reason and leaves no files")
    func refused() async throws {
        let error = await Self.failure(Self.whole().download(to: "/proc/none/file"))
        #expect(error?.reason == .fileNotWritable)
        #expect(error?.message == "the file \"/proc/none\" cannot be written: No such file or directory")
        directory.make("file", [])
        let below = await Self.failure(Self.whole().download(to: directory.file("file/x")))
        #expect(below?.reason == .fileNotWritable)
        #expect(directory.names == ["file"])
    }

    @Test(
        "A file that exceeds the limit is rejected as soon as possible and leaves no files",
        arguments: [true, false])
    func limit(isAnnounced: Bool) async throws {
        let (exchange, _) = Self.exchange { _, _ throws(SessionError) in
            BodyTransport.response(
                200, isAnnounced ? ["Content-Length": "\(Self.bytes.count)", "ETag": "\"1\""] : ["ETag": "\"1\""],
                pieces: Self.pieces(Self.bytes))
        }
        for resumes in [true, false] {
            let options = DownloadOptions(resumes: resumes, maximumBytes: Self.bytes.count - 1)
            let error = await Self.failure(exchange.download(to: directory.file("file"), options: options))
            #expect(error?.reason == .limitExceeded(.bodyBytes, Self.bytes.count - 1))
            #expect(directory.names.isEmpty)
        }
        let exact = DownloadOptions(maximumBytes: Self.bytes.count)
        #expect(
            try await exchange.download(to: directory.file("file"), options: exact).file().length == Self.bytes.count)
    }

    // MARK: Failures

    @Test(
        "A status other than 2xx is an error that includes the start of the body", arguments: [404, 500, 304, 416, 206])
    func refusal(status: Int) async throws {
        directory.make("file", [1])
        let (exchange, _) = Self.exchange { _, _ throws(SessionError) in
            BodyTransport.response(status, pieces: [Array("not here".utf8)])
        }
        let error = await Self.failure(exchange.download(to: directory.file("file")))
        if status == 206 {
            // A caller that sets Range itself gets a part that the library did not request.
            #expect(error == nil)
            return
        }
        #expect(error?.reason == .unacceptableResponse)
        #expect(error?.response?.text == "not here")
        #expect(directory.contents("file") == [1])
        #expect(directory.names == ["file"])
    }

    @Test("A lost connection leaves no partial file and keeps an existing file")
    func lost() async throws {
        directory.make("file", [1])
        let (exchange, _) = Self.exchange { _, _ throws(SessionError) in
            BodyTransport.response(200, pieces: [[2, 3]], error: BodyTransport.lost)
        }
        let error = await Self.failure(exchange.download(to: directory.file("file")))
        #expect(error?.reason == .connectionReset)
        #expect(directory.contents("file") == [1])
        #expect(directory.names == ["file"])
    }

    @Test("A body shorter than its Content-Length leaves no file")
    func short() async throws {
        let (exchange, _) = Self.exchange { _, _ throws(SessionError) in
            BodyTransport.response(200, ["Content-Length": "5"], pieces: [[2, 3]])
        }
        let error = await Self.failure(exchange.download(to: directory.file("file")))
        #expect(error?.reason == .connectionClosed)
        #expect(error?.message == "the server sent only 2 of 5 bytes")
        #expect(directory.names.isEmpty)
    }

    @Test(
        "A download that is canceled before, during, or after the response head leaves no files", arguments: 0...2
    )
    func cancelled(moment: Int) async throws {
        let abandoned = Mutex(0)
        let handle = Mutex<Download?>(nil)
        let (exchange, _) = Self.exchange { _, _ throws(SessionError) in
            let stream = ResponseBodyStream(onDemand: {}, onAbandon: { abandoned.withLock { $0 += 1 } })
            if moment == 1 { handle.withLock { $0 }?.cancel() }
            _ = stream.yield([1, 2, 3])
            return TransportResponse(head: ResponseHead(status: 200, headers: ["ETag": "\"1\""]), stream: stream)
        }
        let download = exchange.download(to: directory.file("file"))
        handle.withLock { $0 = download }
        if moment == 0 { download.cancel() }
        if moment == 2 {
            for await progress in download.progress where progress.completed == 3 { download.cancel() }
        }
        #expect(await Self.failure(download)?.reason == .cancelled)
        #expect(directory.names.isEmpty)
        handle.withLock { $0 = nil }
    }

    @Test("A download is canceled when its last reference is released")
    func lettingGo() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let (exchange, _) = Self.exchange { _, _ throws(SessionError) in
            let stream = ResponseBodyStream(onDemand: {}, onAbandon: { end.finish() })
            _ = stream.yield([1])
            return TransportResponse(head: ResponseHead(status: 200), stream: stream)
        }
        for await progress in exchange.download(to: directory.file("file")).progress where progress.completed == 1 {
            break
        }
        for await _ in ended {}
        #expect(directory.contents("file") == nil)
    }

    @Test("Canceling the task that waits for the file cancels the download")
    func cancelledWaiter() async throws {
        let (exchange, _) = Self.exchange { _, _ throws(SessionError) in
            let stream = ResponseBodyStream(onDemand: {}, onAbandon: {})
            _ = stream.yield([1])
            return TransportResponse(head: ResponseHead(status: 200), stream: stream)
        }
        let download = exchange.download(to: directory.file("file"))
        let waiting = Task { await Self.failure(download) }
        for await progress in download.progress where progress.completed == 1 { waiting.cancel() }
        #expect(await waiting.value?.reason == .cancelled)
        #expect(directory.names.isEmpty)
    }
}
