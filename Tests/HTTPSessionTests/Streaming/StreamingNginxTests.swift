import TestSupport
import Testing

@testable import HTTPSession

/// Tests of streams to and from nginx over HTTP/1.1 and HTTP/2.
@Suite("Streaming with nginx", .enabled(if: NginxServer.isAvailable, "requires nginx and openssl"))
struct StreamingNginxTests {
    static let big = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }

    @Test(
        "A compressed body is decoded as it is streamed, and a body is read as lines",
        arguments: NginxTests.Route.allCases)
    func reading(_ route: NginxTests.Route) async throws {
        try await NginxTests.serve(route) { session, _ in
            let response = try await session.get("long.txt").stream()
            #expect(response.headers["Content-Encoding"] == "gzip")
            let body = try await response.body.collect()
            #expect(body.count == 52_000)
            #expect(body.starts(with: Array("compress me, ".utf8)))
            var lines: [String] = []
            for try await line in session.get("hello.txt").lines() { lines.append(line) }
            #expect(lines == ["hello from nginx"])
        }
    }

    @Test(
        "A file is uploaded with and without compression, and its download is resumed",
        arguments: NginxTests.Route.allCases)
    func files(_ route: NginxTests.Route) async throws {
        let directory = try ScratchDirectory()
        directory.make("source", Self.big)
        try await NginxTests.serve(route) { session, _ in
            let upload = session.put("upload/big.bin", body: .file(path: directory.file("source"))).validate().upload()
            var last: TransferProgress?
            for await progress in upload.progress { last = progress }
            #expect(try await upload.response().status == 201)
            #expect(last?.completed == Self.big.count)
            #expect(last?.total == Self.big.count)

            let options = DownloadOptions(resumes: true)
            let download = session.get("upload/big.bin").download(to: directory.file("copy"), options: options)
            for await progress in download.progress where progress.completed > 100_000 { download.cancel() }
            let kept = directory.contents(".copy.partial")?.count ?? 0
            let file = try await session.get("upload/big.bin").download(to: directory.file("copy"), options: options)
                .file()
            #expect(directory.contents("copy") == Self.big)
            // The first download may have finished before it was cancelled.
            #expect(file.resumedBytes == kept)
            #expect(directory.names == ["copy", "source"])

            let compressed = session.put("upload/big.gz", body: .file(path: directory.file("source")))
                .with { $0.compression = .gzip }.validate()
            _ = try await compressed.response()
            let stored = try await session.get("upload/big.gz").response().body
            #expect(try ContentDecoder.decode(stored, [.gzip]) == Self.big)
        }
    }
}
