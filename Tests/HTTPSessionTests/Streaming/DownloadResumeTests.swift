import HTTPSession
import Testing

@testable import struct HTTPSession.ContentRange

@Suite("Resumed downloads")
struct DownloadResumeTests {
    let directory: ScratchDirectory

    init() throws {
        directory = try ScratchDirectory()
    }

    static let bytes = DownloadTests.bytes
    static let half = 42_000

    /// Returns a server with one file that supports ranges and truncates each response after a number of bytes.
    static func server(
        _ validators: HTTPHeaders, breaksAfter: [Int] = [], bytes: [UInt8] = bytes,
        ignoresIfRange: Bool = false
    ) -> (Session, BodyTransport) {
        let transport = BodyTransport { request, number throws(SessionError) in
            var first = 0
            if let range = request.headers["Range"],
                ignoresIfRange || validators.contains(where: { $0.value == request.headers["If-Range"] })
            {
                first = Int(range.dropFirst(6).dropLast()) ?? 0
            }
            guard first < bytes.count else {
                return BodyTransport.response(416, ["Content-Range": "bytes */\(bytes.count)"])
            }
            var headers = validators
            headers.append(name: "Content-Length", value: "\(bytes.count - first)")
            if first > 0 {
                headers.append(name: "Content-Range", value: "bytes \(first)-\(bytes.count - 1)/\(bytes.count)")
            }
            let isBroken = number <= breaksAfter.count
            let sent = isBroken ? bytes[first..<(first + breaksAfter[number - 1])] : bytes[first...]
            return BodyTransport.response(
                first > 0 ? 206 : 200, headers, pieces: DownloadTests.pieces(sent),
                error: isBroken ? BodyTransport.lost : nil)
        }
        return (Session(transport: transport), transport)
    }

    static let options = DownloadOptions(resumes: true)
    static let tag: HTTPHeaders = ["ETag": "\"v1\""]

    func download(_ session: Session, _ url: String = "http://a/file", options: DownloadOptions = options) -> Download {
        session.get(url).download(to: directory.file("file"), options: options)
    }

    /// Leaves a partially downloaded file.
    func breakOff(_ validators: HTTPHeaders = tag) async {
        let (session, _) = Self.server(validators, breaksAfter: [Self.half])
        #expect(await DownloadTests.failure(download(session))?.reason == .connectionReset)
    }

    static let validators: [(HTTPHeaders, String?)] = [
        (["ETag": "\"v1\""], "\"v1\""), (["ETag": "v1"], "v1"),
        (
            ["Last-Modified": "Fri, 20 Nov 2026 10:00:00 GMT", "Date": "Fri, 20 Nov 2026 10:00:01 GMT"],
            "Fri, 20 Nov 2026 10:00:00 GMT"
        ),
        (
            [
                "ETag": "\"v1\"", "Last-Modified": "Fri, 20 Nov 2026 10:00:00 GMT",
                "Date": "Fri, 20 Nov 2026 11:00:00 GMT",
            ], "\"v1\""
        ),
        (
            [
                "ETag": "W/\"v1\"", "Last-Modified": "Fri, 20 Nov 2026 10:00:00 GMT",
                "Date": "Fri, 20 Nov 2026 11:00:00 GMT",
            ], "Fri, 20 Nov 2026 10:00:00 GMT"
        ),
        (["ETag": "W/\"v1\""], nil), (["ETag": "W/v1"], nil), (["ETag": "\"v1"], nil), (["ETag": "v 1"], nil),
        (["Last-Modified": "Fri, 20 Nov 2026 10:00:00 GMT", "Date": "Fri, 20 Nov 2026 10:00:00 GMT"], nil),
        (["Last-Modified": "Fri, 20 Nov 2026 10:00:00 GMT"], nil),
        ([:], nil),
        (["ETag": "\"v1\"", "Accept-Ranges": "none"], nil),
    ]

    @Test("An interrupted download with a strong validator is kept and resumed", arguments: validators)
    func resumption(validators: HTTPHeaders, expected: String?) async throws {
        await breakOff(validators)
        #expect(directory.names == (expected == nil ? [] : [".file.partial", ".file.partial.info"]))
        if expected != nil { #expect(directory.contents(".file.partial") == Array(Self.bytes[..<Self.half])) }
        let (session, transport) = Self.server(validators)
        let download = download(session)
        var seen: [Int] = []
        for await progress in download.progress { seen.append(progress.completed) }
        let file = try await download.file()
        let request = try #require(transport.requests.first)
        #expect(request.headers["Range"] == (expected == nil ? nil : "bytes=\(Self.half)-"))
        #expect(request.headers["If-Range"] == expected)
        #expect(request.headers["Accept-Encoding"] == "identity")
        #expect(file.length == Self.bytes.count)
        #expect(file.resumedBytes == (expected == nil ? 0 : Self.half))
        #expect(file.response.status == (expected == nil ? 200 : 206))
        #expect(seen.last == Self.bytes.count)
        #expect(seen.first ?? 0 >= (expected == nil ? 0 : Self.half))
        #expect(directory.contents("file") == Self.bytes)
        #expect(directory.names == ["file"])
    }

    @Test("A changed file is downloaded from the beginning", arguments: [false, true])
    func otherVersion(ignoresIfRange: Bool) async throws {
        await breakOff()
        let newer = Array(Self.bytes.reversed())
        let (session, transport) = Self.server(["ETag": "\"v2\""], bytes: newer, ignoresIfRange: ignoresIfRange)
        let file = try await download(session).file()
        #expect(file.resumedBytes == 0)
        #expect(transport.requests.count == (ignoresIfRange ? 2 : 1))
        #expect(transport.requests.last?.headers.contains("Range") == ignoresIfRange ? false : true)
        #expect(directory.contents("file") == newer)
        #expect(directory.names == ["file"])
    }

    @Test("A partial download of another URL is not used")
    func otherURL() async throws {
        await breakOff()
        let (session, transport) = Self.server(Self.tag)
        _ = try await download(session, "http://a/other").file()
        #expect(transport.requests.first?.headers["Range"] == nil)
        #expect(directory.contents("file") == Self.bytes)
    }

    @Test(
        "A partial response with the wrong range is not used",
        arguments: ["bytes 41999-99999/100000", "bytes */100000", "items 42000-99999/100000", ""])
    func wrongPart(range: String) async throws {
        await breakOff()
        let transport = BodyTransport { request, _ throws(SessionError) in
            request.headers.contains("Range")
                ? BodyTransport.response(206, ["ETag": "\"v1\"", "Content-Range": range], pieces: [[9]])
                : BodyTransport.response(200, Self.tag, pieces: [Self.bytes])
        }
        let file = try await download(Session(transport: transport)).file()
        #expect(transport.requests.count == 2)
        #expect(file.resumedBytes == 0)
        #expect(directory.contents("file") == Self.bytes)
    }

    @Test("A complete partial file is renamed without another transfer of its contents")
    func complete() async throws {
        await breakOff()
        directory.make(".file.partial", Self.bytes)
        let (session, transport) = Self.server(Self.tag)
        let file = try await download(session).file()
        #expect(file.resumedBytes == Self.bytes.count)
        #expect(transport.requests.count == 1)
        #expect(directory.contents("file") == Self.bytes)
        #expect(directory.names == ["file"])
    }

    @Test("A partial file that is longer than the complete file is downloaded again")
    func tooLong() async throws {
        await breakOff()
        directory.make(".file.partial", Self.bytes + [1])
        let (session, transport) = Self.server(Self.tag)
        let file = try await download(session).file()
        #expect(file.resumedBytes == 0)
        #expect(transport.requests.count == 2)
        #expect(directory.contents("file") == Self.bytes)
    }

    @Test(
        "Partial files with a missing or invalid record are not used",
        arguments: ["", "HTTPSession partial download 1\nhttp://a/file\n\n", "x\nhttp://a/file\n\"v1\"\n"])
    func brokenRecord(record: String) async throws {
        directory.make(".file.partial", [1, 2, 3])
        directory.make(".file.partial.info", Array(record.utf8))
        let (session, transport) = Self.server(Self.tag)
        _ = try await download(session).file()
        #expect(transport.requests.first?.headers["Range"] == nil)
        #expect(directory.contents("file") == Self.bytes)
        #expect(directory.names == ["file"])
    }

    @Test("A rejected response keeps the partial file")
    func refusal() async throws {
        await breakOff()
        let transport = BodyTransport { _, _ throws(SessionError) in BodyTransport.response(503) }
        #expect(await DownloadTests.failure(download(Session(transport: transport)))?.reason == .unacceptableResponse)
        #expect(directory.contents(".file.partial")?.count == Self.half)
    }

    @Test("A canceled download keeps its partial file")
    func cancelled() async throws {
        let transport = BodyTransport { _, _ throws(SessionError) in
            let stream = ResponseBodyStream(onDemand: {}, onAbandon: {})
            _ = stream.yield([1, 2, 3])
            return TransportResponse(head: ResponseHead(status: 200, headers: Self.tag), stream: stream)
        }
        let download = download(Session(transport: transport))
        for await progress in download.progress where progress.completed == 3 { download.cancel() }
        #expect(await DownloadTests.failure(download)?.reason == .cancelled)
        #expect(directory.contents(".file.partial") == [1, 2, 3])
    }

    @Test("A download continues after lost connections up to the configured number of times")
    func continuations() async throws {
        var options = Self.options
        options.continuations = 2
        let (session, transport) = Self.server(Self.tag, breaksAfter: [10_000, 20_000])
        let file = try await download(session, options: options).file()
        #expect(transport.requests.map { $0.headers["Range"] } == [nil, "bytes=10000-", "bytes=30000-"])
        #expect(file.resumedBytes == 30_000)
        #expect(directory.contents("file") == Self.bytes)
        let (other, _) = Self.server(Self.tag, breaksAfter: [10_000, 20_000, 1])
        #expect(await DownloadTests.failure(download(other, options: options))?.reason == .connectionReset)
    }

    @Test("Concurrent downloads to the same path are rejected")
    func twoAtATime() async throws {
        let inner = Self.server(Self.tag).0
        let directory = directory
        let transport = BodyTransport { _, _ throws(SessionError) in
            let second = inner.get("http://a/file").download(to: directory.file("file"), options: Self.options)
            do throws(SessionError) {
                _ = try await second.file()
                Issue.record("expected an error")
            } catch {
                #expect(error.reason == .fileNotWritable)
                #expect(error.message.hasSuffix("another download to the same path is in progress"))
            }
            return BodyTransport.response(200, Self.tag, pieces: [Self.bytes])
        }
        _ = try await download(Session(transport: transport)).file()
        #expect(directory.contents("file") == Self.bytes)
    }

    @Test("A range requested by the caller is saved as the complete file")
    func ownRange() async throws {
        let (session, transport) = Self.server(Self.tag, ignoresIfRange: true)
        let exchange = session.get("http://a/file", headers: ["Range": "bytes=99000-"])
        let file = try await exchange.download(to: directory.file("file"), options: Self.options).file()
        #expect(transport.requests.first?.headers.contains("If-Range") == false)
        #expect(file.length == 1000)
        #expect(directory.names == ["file"])
    }

    static let ranges: [(String, Int?, Int?)] = [
        ("bytes 0-9/20", 0, 20), ("bytes 5-5/*", 5, nil), ("bytes */20", nil, 20), ("BYTES  0-0/1", 0, 1),
    ]

    @Test("Content-Range fields are parsed", arguments: ranges)
    func contentRange(text: String, first: Int?, total: Int?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.first == first)
        #expect(range.total == total)
    }

    @Test(
        "Invalid Content-Range fields are rejected",
        arguments: [
            "", "bytes", "bytes 1-0/5", "bytes 0-5/5", "bytes 0-/5", "bytes -5/5", "bytes 0-1", "bytes +0-1/5",
            "bytes 0-1/99999999999999999999", "items 0-1/5", "bytes 0-1/5 x",
        ])
    func notRange(text: String) {
        #expect(ContentRange(text) == nil)
    }
}
