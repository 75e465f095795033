import Basics
import Testing

@testable import HTTPSession

@Suite("Response parser")
struct ResponseParserTests {
    struct Outcome: Equatable {
        var status: Int?
        var body: String
        var trailers: [String]
        var isComplete: Bool
        var left: String
        var allowsReuse: Bool
        var failure: String?
    }

    /// Parses parts like those of a connection. Unconsumed bytes are passed again with the next part.
    static func parse(
        _ parts: [[UInt8]], method: HTTPMethod = .get, limits: Limits = .init(), closed: Bool = false
    ) -> Outcome {
        var parser = HTTP1ResponseParser(
            method: method, headerLimit: limits.headerBytes, bodyLimit: limits.bodyBytes)
        var body: [UInt8] = []
        var pending: [UInt8] = []
        var failure: String?
        for part in parts {
            pending += part
            do throws(HTTP1ParseFailure) {
                var consumed = 0
                var caught: HTTP1ParseFailure?
                pending.withUnsafeBufferPointer { bytes in
                    do throws(HTTP1ParseFailure) {
                        while let part = try parser.next(bytes, &consumed) {
                            if case .complete = part { break }
                            if case .body(let range) = part { body += bytes[range] }
                        }
                    } catch {
                        caught = error
                    }
                }
                if let caught { throw caught }
                pending.removeFirst(consumed)
            } catch {
                failure = error.message.text
                break
            }
        }
        if closed, failure == nil { failure = parser.end()?.text }
        return Outcome(
            status: parser.head?.status, body: String(decoding: body, as: UTF8.self),
            trailers: parser.trailers.map { $0.name + "=" + $0.value }, isComplete: parser.isComplete,
            left: String(decoding: pending, as: UTF8.self), allowsReuse: parser.framingAllowsReuse, failure: failure)
    }

    static func parse(
        _ text: String, method: HTTPMethod = .get, limits: Limits = .init(), closed: Bool = false
    ) -> Outcome {
        parse([Array(text.utf8)], method: method, limits: limits, closed: closed)
    }

    static let framings: [(String, HTTPMethod, Outcome)] = [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", .get,
            Outcome(status: 200, body: "hello", trailers: [], isComplete: true, left: "", allowsReuse: true)
        ),
        (
            "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", .get,
            Outcome(status: 200, body: "hi", trailers: [], isComplete: true, left: "", allowsReuse: true)
        ),
        (
            "HTTP/1.1 200\r\nContent-Length: 2, 2\r\nContent-Length: 2\r\n\r\nhi!", .get,
            Outcome(status: 200, body: "hi", trailers: [], isComplete: true, left: "!", allowsReuse: true)
        ),
        (
            "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n5;a=\"b\"\r\nhello\r\n1 \r\n!\r\n0\r\nX: y\r\nZ:1\r\n\r\n",
            .get,
            Outcome(
                status: 200, body: "hello!", trailers: ["X=y", "Z=1"], isComplete: true, left: "", allowsReuse: true)
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", .get,
            Outcome(status: 200, body: "", trailers: [], isComplete: true, left: "", allowsReuse: false)
        ),
        (
            "HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc", .get,
            Outcome(status: 204, body: "", trailers: [], isComplete: true, left: "abc", allowsReuse: true)
        ),
        (
            "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", .get,
            Outcome(status: 304, body: "", trailers: [], isComplete: true, left: "", allowsReuse: true)
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", .head,
            Outcome(status: 200, body: "", trailers: [], isComplete: true, left: "", allowsReuse: true)
        ),
        (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 201 C\r\nContent-Length: 0\r\n\r\n",
            .post,
            Outcome(status: 201, body: "", trailers: [], isComplete: true, left: "", allowsReuse: true)
        ),
        (
            "HTTP/1.0 200 OK\r\n\r\nuntil the end", .get,
            Outcome(status: 200, body: "until the end", trailers: [], isComplete: true, left: "", allowsReuse: false)
        ),
        (
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nraw", .get,
            Outcome(status: 101, body: "", trailers: [], isComplete: true, left: "raw", allowsReuse: false)
        ),
    ]

    @Test("Responses are parsed the same way however their bytes are split", arguments: framings)
    func framing(text: String, method: HTTPMethod, expected: Outcome) {
        let bytes = Array(text.utf8)
        #expect(Self.parse([bytes], method: method, closed: true) == expected)
        for split in 1..<bytes.count {
            let parts = [Array(bytes[..<split]), Array(bytes[split...])]
            #expect(Self.parse(parts, method: method, closed: true) == expected, "split at \(split)")
        }
        #expect(Self.parse(bytes.map { [$0] }, method: method, closed: true) == expected)
    }

    @Test(
        "Malformed responses are rejected",
        arguments: [
            ("SSH-2.0-OpenSSH\r\n", "did not respond with HTTP"), ("HTTP/2 200\r\n\r\n", "status line"),
            ("HTTP/2.0 200 OK\r\n\r\n", "HTTP/2.0"), ("HTTP/1.1 20 OK\r\n\r\n", "status line"),
            ("HTTP/1.1 2000 OK\r\n\r\n", "status line"), ("HTTP/1.1 099 X\r\n\r\n", "status line"),
            ("HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "header line"), ("HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "header line"),
            ("HTTP/1.1 200 OK\r\n: b\r\n\r\n", "header line"), ("HTTP/1.1 200 OK\r\n a: b\r\n\r\n", "whitespace"),
            ("HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n", "control character"),
            ("HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", "control character"),
            ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "invalid Content-Length"),
            ("HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n", "invalid Content-Length"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n", "invalid Content-Length"),
            ("HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", "invalid Content-Length"),
            ("HTTP/1.1 200 OK\r\nContent-Length: ,\r\n\r\n", "invalid Content-Length"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", "invalid Content-Length"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "different values"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "transfer coding"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "chunk size"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", "chunk size"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n", "longer than its size"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n", "limit"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nbad\r\n\r\n", "header line"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "larger than the limit"),
        ])
    func refuses(text: String, reason: String) {
        let bytes = Array(text.utf8)
        let whole = Self.parse([bytes]).failure
        #expect(whole?.contains(reason) == true, "\(whole ?? "accepted")")
        let single = Self.parse(bytes.map { [$0] }).failure
        #expect(single?.contains(reason) == true, "byte by byte: \(single ?? "accepted")")
    }

    @Test(
        "An error states what is missing when the connection closes too early",
        arguments: [
            ("", "before it sent a response"), ("HTTP/1.1 200", "in the middle of the header section"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", "after 2 of 5 bytes"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe", "chunked body"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n", "trailers"),
        ])
    func closesEarly(text: String, missing: String) {
        let outcome = Self.parse(text, closed: true)
        #expect(outcome.failure?.contains(missing) == true, "\(outcome.failure ?? "complete")")
    }

    @Test("The limits on the header, the trailers, and the body are enforced")
    func limits() {
        let limits = Limits(headerBytes: 64, bodyBytes: 10)
        let long = String(repeating: "x", count: 64)
        #expect(Self.parse("HTTP/1.1 200 OK\r\nA: \(long)", limits: limits).failure?.contains("64 bytes") == true)
        #expect(
            Self.parse("HTTP/1.1 200 OK\r\n\r\n12345678901", limits: limits).failure?.contains("limit of 10") == true)
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(Self.parse(chunked + "6\r\n123456\r\n5\r\n", limits: limits).failure?.contains("limit of 10") == true)
        #expect(
            Self.parse(chunked + "0\r\nA: \(long)\r\n\r\n", limits: limits).failure?.contains("trailer section") == true
        )
        let hints = String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 9)
        #expect(Self.parse(hints, limits: limits).failure?.contains("64 bytes") == true)
    }

    @Test("Folded lines are joined, surrounding whitespace is removed, and non-ASCII bytes are kept")
    func values() {
        var parser = HTTP1ResponseParser(method: .get, headerLimit: 1 << 10, bodyLimit: 1 << 10)
        var bytes = Array("HTTP/1.1 200 Fine day\r\nA:\t one \r\n  two\r\nEmpty:\r\nU: é\r\nL: ".utf8)
        bytes += [0xE9, 13, 10, 13, 10]
        var consumed = 0
        _ = bytes.withUnsafeBufferPointer { try? parser.next($0, &consumed) }
        #expect(consumed == bytes.count)
        #expect(parser.head?.reason == "Fine day")
        #expect(parser.head?.headers == ["A": "one two", "Empty": "", "U": "é", "L": "é"])
    }
}
