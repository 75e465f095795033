import Glibc
import HTTPSession
import Testing

/// Tests of multipart forms.
@Suite("Multipart forms")
struct MultipartTests {
    /// Reads a body to its end.
    static func bytes(_ body: RequestBody) async throws -> [UInt8] {
        switch body {
        case .bytes(let bytes): return bytes
        case .stream(let source):
            let reader = try await source.open()
            var all: [UInt8] = []
            while let piece = try await reader() { all += piece }
            return all
        case .empty, .file: return []
        }
    }

    static func text(_ form: MultipartFormData) async throws -> String {
        String(decoding: try await bytes(form.encoded(boundary: "B")), as: UTF8.self)
    }

    @Test("In-memory fields and files are encoded according to RFC 7578")
    func memory() async throws {
        var form = MultipartFormData()
        form.append("A title", name: "title")
        form.append([1, 2], name: "file", fileName: "a.PNG")
        form.append(
            MultipartPart(
                name: "x", contentType: "text/csv; charset=utf-8", headers: ["X-Part": "1"], body: .text("a,b")))
        form.append(["k": ["v", nil], "b": ["c": .data([0x21])] as Parameters])
        let body = try form.encoded(boundary: "B")
        guard case .bytes = body else {
            Issue.record("expected a body in memory")
            return
        }
        #expect(
            try await Self.text(form)
                == "--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nA title"
                + "\r\n--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.PNG\"\r\n"
                + "Content-Type: image/png\r\n\r\n\u{1}\u{2}"
                + "\r\n--B\r\nContent-Disposition: form-data; name=\"x\"\r\nX-Part: 1\r\n"
                + "Content-Type: text/csv; charset=utf-8\r\n\r\na,b"
                + "\r\n--B\r\nContent-Disposition: form-data; name=\"b[c]\"\r\n\r\n!"
                + "\r\n--B\r\nContent-Disposition: form-data; name=\"k[]\"\r\n\r\nv"
                + "\r\n--B\r\nContent-Disposition: form-data; name=\"k[]\"\r\n\r\n"
                + "\r\n--B--\r\n")
        #expect(try await Self.text(MultipartFormData()) == "--B--\r\n")
    }

    /// Names and their encoded forms.
    static let names: [(String, String)] = [
        ("a\"b", "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("日本 é.txt", "日本 é.txt"), ("a\\b%22", "a\\b%22"), ("", ""),
    ]

    @Test("Names are escaped so that they cannot end the quoted string", arguments: names.indices)
    func escaping(index: Int) async throws {
        let (name, written) = Self.names[index]
        var form = MultipartFormData()
        form.append([], name: name, fileName: name, contentType: "a/b")
        #expect(
            try await Self.text(form)
                == "--B\r\nContent-Disposition: form-data; name=\"\(written)\"; filename=\"\(written)\"\r\n"
                + "Content-Type: a/b\r\n\r\n\r\n--B--\r\n")
    }

    /// File names and their media types.
    static let types: [(String, String)] = [
        ("a.json", "application/json"), ("b.tar.gz", "application/gzip"), ("c", "application/octet-stream"),
        ("d.unknown", "application/octet-stream"), ("e.JPG", "image/jpeg"), (".txt", "text/plain"),
    ]

    @Test("The media type is derived from the file name extension", arguments: types.indices)
    func mediaTypes(index: Int) async throws {
        let (name, type) = Self.types[index]
        var form = MultipartFormData()
        form.append([], name: "n", fileName: name)
        #expect(try await Self.text(form).contains("\r\nContent-Type: \(type)\r\n"))
    }

    @Test("Files and streams are read during sending, with an exact length, and can be sent repeatedly")
    func files() async throws {
        let contents = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try TemporaryFile(contents)
        let large = [UInt8](repeating: 7, count: 300_000)
        var form = MultipartFormData()
        form.append("t", name: "title")
        form.append(file: file.path, name: "file")
        form.append(large, name: "large")
        form.append(stream: Self.source([[1, 2], [], [3]], length: 3), name: "stream", fileName: "s.bin")
        let body = try form.encoded(boundary: "B")
        guard case .stream(let source) = body else {
            Issue.record("expected a stream")
            return
        }
        #expect(source.isReplayable)
        let all = try await Self.bytes(body)
        #expect(source.length == all.count)
        #expect(try await Self.bytes(body) == all)
        let itsName = file.path.split(separator: "/").last.map(String.init) ?? ""
        var expected = Array("--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nt".utf8)
        expected += Array("\r\n--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(itsName)\"\r\n".utf8)
        expected += Array("Content-Type: application/octet-stream\r\n\r\n".utf8) + contents
        expected += Array("\r\n--B\r\nContent-Disposition: form-data; name=\"large\"\r\n\r\n".utf8) + large
        expected += Array("\r\n--B\r\nContent-Disposition: form-data; name=\"stream\"; filename=\"s.bin\"\r\n".utf8)
        expected += Array("Content-Type: application/octet-stream\r\n\r\n".utf8) + [1, 2, 3]
        expected += Array("\r\n--B--\r\n".utf8)
        #expect(all == expected)
    }

    static func source(_ pieces: [[UInt8]], length: Int? = nil, isReplayable: Bool = true) -> BodySource {
        BodySource(length: length, isReplayable: isReplayable) {
            let reader = PieceReader(pieces)
            return { await reader.next() }
        }
    }

    actor PieceReader {
        private var pieces: ArraySlice<[UInt8]>
        init(_ pieces: [[UInt8]]) { self.pieces = pieces[...] }
        func next() -> [UInt8]? { pieces.popFirst() }
    }

    @Test("A stream of unknown length or one-time use makes the whole form so")
    func unknownLength() async throws {
        var form = MultipartFormData()
        form.append(stream: Self.source([[65]]), name: "a")
        form.append(stream: Self.source([[66]], length: 1, isReplayable: false), name: "b")
        guard case .stream(let source) = try form.encoded(boundary: "B") else {
            Issue.record("expected a stream")
            return
        }
        #expect(source.length == nil)
        #expect(!source.isReplayable)
        #expect(try await Self.text(form).hasSuffix("name=\"b\"\r\n\r\nB\r\n--B--\r\n"))
    }

    /// Chunks and the declared length.
    static let wrongLengths: [([[UInt8]], Int)] = [([[1]], 2), ([[1], [2, 3]], 2), ([], 1)]

    @Test("A stream whose length differs from the declared length is an error", arguments: wrongLengths.indices)
    func wrongLength(index: Int) async throws {
        let (pieces, length) = Self.wrongLengths[index]
        var form = MultipartFormData()
        form.append(stream: Self.source(pieces, length: length), name: "a")
        let body = try form.encoded(boundary: "B")
        await #expect(throws: MultipartError.self) { try await Self.bytes(body) }
    }

    @Test("Missing files, directories, and files that change are reported as errors")
    func unreadable() async throws {
        for (path, words) in [("/nonexistent/a", "No such file"), ("/tmp", "Is a directory")] {
            var form = MultipartFormData()
            form.append(file: path, name: "f")
            let error = #expect(throws: SessionError.self) { try form.encoded(boundary: "B") }
            #expect(error?.reason == .unreadableBody)
            #expect(error?.message.contains("the form file \"\(path)\" cannot be read: \(words)") == true)
        }
        for length in [200_000, 200_100, 0] as [off_t] {
            let file = try TemporaryFile([UInt8](repeating: 1, count: 200_050))
            var form = MultipartFormData()
            form.append(file: file.path, name: "f")
            let body = try form.encoded(boundary: "B")
            truncate(file.path, length)
            let error = await #expect(throws: MultipartError.self) { try await Self.bytes(body) }
            #expect(error?.message.contains("changed size") == true)
            // The file changes while it is read, not only before.
            truncate(file.path, 200_050)
            guard case .stream(let source) = body else { continue }
            let reader = try await source.open()
            _ = try await reader()
            _ = try await reader()
            truncate(file.path, length)
            await #expect(throws: MultipartError.self) { while try await reader() != nil {} }
        }
    }

    @Test("Invalid boundaries and part headers are rejected")
    func invalid() {
        for boundary in ["", "a\r\nb", String(repeating: "b", count: 71), "a ", "ä"] {
            #expect(throws: SessionError.self) { try MultipartFormData().encoded(boundary: boundary) }
        }
        for headers in [["a b": "c"], ["a": "b\r\nc: d"]] as [HTTPHeaders] {
            var form = MultipartFormData()
            form.append(MultipartPart(name: "n", headers: headers, body: .empty))
            let error = #expect(throws: SessionError.self) { try form.encoded(boundary: "B") }
            #expect(error?.reason == .invalidHeader)
        }
        #expect(MultipartFormData().contentType(boundary: "a b?") == "multipart/form-data; boundary=\"a b?\"")
    }

    @Test("A session generates a random boundary unless the form specifies one")
    func post() async throws {
        let transport = CannedTransport()
        var configuration = SessionConfiguration()
        configuration.random = SessionRandom { 0x0123_4567_89AB_CDEF }
        let session = Session(configuration: configuration, transport: transport)
        var form = MultipartFormData()
        form.append("v", name: "k")
        _ = try await session.post("http://example.test/", multipart: form).response()
        form.boundary = "own"
        _ = try await session.put("http://example.test/", multipart: form).response()
        let boundary = "HTTPSession-efcdab8967452301efcdab8967452301"
        let requests = transport.requests
        #expect(
            requests.map { $0.headers["Content-Type"] } == [
                "multipart/form-data; boundary=\(boundary)", "multipart/form-data; boundary=own",
            ])
        #expect(
            requests.first?.body
                == .text(
                    "--\(boundary)\r\nContent-Disposition: form-data; name=\"k\"\r\n\r\nv\r\n--\(boundary)--\r\n"))
        form.append(file: "/nonexistent", name: "f")
        let error = await ExchangeTests.failure {
            try await session.post("http://example.test/", multipart: form).response()
        }
        #expect(error?.reason == .unreadableBody)
        #expect(transport.requests.count == 2)
    }
}
