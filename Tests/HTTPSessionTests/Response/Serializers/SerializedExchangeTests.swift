import Glibc
import HTTPSession
import TestSupport
import Testing

/// Tests of serialized requests and responses over real sockets.
@Suite("Serialized exchanges")
struct SerializedExchangeTests {
    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    static let contents = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    static func form(_ file: TemporaryFile) -> MultipartFormData {
        var form = MultipartFormData(boundary: "B")
        form.append("Grüße", name: "title")
        form.append(file: file.path, name: "file", fileName: "a \"b\".bin")
        return form
    }

    static let head =
        "--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nGrüße"
        + "\r\n--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a %22b%22.bin\"\r\n"
        + "Content-Type: application/octet-stream\r\n\r\n"

    static func expectSent(_ request: [UInt8]) {
        let body = Array(head.utf8) + contents + Array("\r\n--B--\r\n".utf8)
        let header = String(decoding: request.prefix(request.count - body.count), as: UTF8.self)
        #expect(header.hasSuffix("\r\n\r\n"))
        #expect(header.contains("\r\nContent-Length: \(body.count)\r\n"))
        #expect(header.contains("\r\nContent-Type: multipart/form-data; boundary=B\r\n"))
        let isSame = request.suffix(body.count).elementsEqual(body)
        #expect(isSame)
    }

    @Test("A form with a file is sent with its length, and again after a 307 redirect")
    func multipart() async throws {
        let file = try TemporaryFile(Self.contents)
        let redirect = "HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"
        try await ExchangeTests.with(
            FaultyServer([.receive, .send(redirect), .receive, .send(Self.ok)])
        ) { server, session in
            let text = try await session.post(server.url + "a", multipart: Self.form(file)).string()
            #expect(text == "ok")
            let requests = server.requests
            #expect(requests.count == 2)
            for request in requests { Self.expectSent(request) }
            #expect(requests.last?.starts(with: Array("POST /b HTTP/1.1\r\n".utf8)) == true)
        }
    }

    @Test("A form with a part of unknown length is sent with chunked transfer encoding")
    func chunked() async throws {
        try await ExchangeTests.with(FaultyServer([.receive, .send(Self.ok)])) { server, session in
            var form = MultipartFormData(boundary: "B")
            form.append(stream: MultipartTests.source([[65], [66]]), name: "s")
            _ = try await session.post(server.url, multipart: form).data()
            let text = try #require(server.requestTexts.first)
            #expect(text.contains("\r\nTransfer-Encoding: chunked\r\n"))
            #expect(!text.contains("Content-Length"))
            #expect(text.hasSuffix("\r\n--B--\r\n\r\n0\r\n\r\n"))
        }
    }

    @Test("A file that changes before it is sent fails the request with the reason")
    func changedFile() async throws {
        let file = try TemporaryFile(Self.contents)
        try await ExchangeTests.with(FaultyServer([.receiveHeader, .waitForClose])) { server, session in
            let pending = session.post(server.url, multipart: Self.form(file))
            truncate(file.path, 10)
            let error = await ExchangeTests.failure { try await pending.response() }
            #expect(error?.reason == .unreadableBody)
            #expect(error?.phase == .send)
            #expect(error?.underlying is MultipartError)
            #expect(error?.message.contains("\(file.path)\" changed size while it was sent") == true)
        }
    }

    @Test("Responses to HEAD and responses with status 204 are decoded as empty values")
    func empty() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        try await ExchangeTests.with(
            FaultyServer([.receive, .send(head), .receive, .send("HTTP/1.1 204 No Content\r\n\r\n")])
        ) { server, session in
            let empty = try await session.head(server.url, query: ["a": 1]).decode(Empty.self)
            #expect(empty == Empty())
            let nothing = try await session.delete(server.url, query: ["b": [2]]).decode(Int?.self)
            #expect(nothing == nil)
            let lines = server.requestTexts.map { $0.prefix { $0 != "\r\n" } }
            #expect(lines == ["HEAD /?a=1 HTTP/1.1", "DELETE /?b%5B%5D=2 HTTP/1.1"])
        }
    }
}
