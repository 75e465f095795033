import Basics
import TestSupport
import Testing

@testable import HTTPSession

/// Tests that the cache of a previous response's header does not affect the parsing of the next one.
@Suite("Response header cache")
struct HeaderMemoryTests {
    /// Returns the parsed header and the number of consumed bytes.
    private static func read(
        _ bytes: [UInt8], memory: HeaderCache?, inPieces: Bool = false, headerLimit: Int = 1 << 16
    ) -> String {
        var parser = HTTP1ResponseParser(
            method: .get, headerLimit: headerLimit, bodyLimit: 1 << 10, memory: memory)
        var consumed = 0
        let ends = inPieces ? Array(1...bytes.count) : [bytes.count]
        for end in ends {
            let failure = bytes[..<end].withUnsafeBufferPointer { bytes -> HTTP1ParseFailure? in
                do throws(HTTP1ParseFailure) {
                    while parser.head == nil, try parser.next(bytes, &consumed) != nil {}
                    return nil
                } catch {
                    return error
                }
            }
            if let failure { return "failure: \(failure.message)" }
        }
        guard let head = parser.head else { return "incomplete after \(consumed)" }
        let fields = head.headers.fields.map { "\($0.name)=\($0.value)" }
        return "\(head.version) \(head.status) \(head.reason) \(fields) \(consumed) \(parser.framingAllowsReuse)"
    }

    private static let headers = [
        "HTTP/1.1 200 OK\r\nServer: s\r\nDate: Sat, 21 Nov 2026 10:00:00 GMT\r\nContent-Length: 12\r\n\r\n",
        "HTTP/1.1 200 OK\r\nServer: s\r\nDate: Sat, 21 Nov 2026 10:00:01 GMT\r\nContent-Length: 12\r\n\r\n",
        "HTTP/1.1 200 OK\r\nServer: s\r\nDate: Sat, 21 Nov 2026 10:00:01 GMT\r\nContent-Length: 13\r\n\r\n",
        "HTTP/1.1 404 Not Found\r\nServer: s\r\nContent-Length: 12\r\n\r\n",
        "HTTP/1.1 200 OK\r\nServer: s\r\n folded\r\nDate: d\r\nContent-Length: 12\r\n\r\n",
        "HTTP/1.1 200 OK\r\nServer: s\r\nDate: d\r\nContent-Length: 12\r\n more\r\n\r\n",
        "HTTP/1.1 200 OK\r\nServer: s\r\nDate: d\r\nContent-Length: 12\r\nExtra: 1\r\nMore: é\r\n\r\n",
        "HTTP/1.1 200 OK\r\nServer: s\r\nDate: d\r\n\r\n",
        "HTTP/1.1 200 OK\nServer: s\nDate: d\nContent-Length: 12\n\n",
        "HTTP/1.1 103 Early Hints\r\nServer: s\r\n\r\nHTTP/1.1 200 OK\r\nServer: s\r\nDate: d\r\n\r\n",
        "HTTP/1.0 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nServer: s\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nServer : s\r\n\r\n",
        "HTTP/1.1 200 OK\r\nServer: s\r\nContent-Length: 5000\r\n\r\n",
        "HTTP/1.1 200 OK\r\nServer: s\r\nLong: " + String(repeating: "x", count: 5000) + "\r\n\r\n",
        "HTTP/1.1 200 OK\r\nServer: s",
        "SSH-2.0\r\n\r\n",
    ]

    @Test("Parsing a header does not depend on the previous header", arguments: [false, true])
    func pairs(inPieces: Bool) {
        for first in Self.headers {
            for second in Self.headers {
                let memory = HeaderCache()
                let expected = Self.read(Array(second.utf8), memory: nil, inPieces: inPieces)
                _ = Self.read(Array(first.utf8), memory: memory)
                #expect(Self.read(Array(second.utf8), memory: memory, inPieces: inPieces) == expected, "\(first)")
                #expect(Self.read(Array(second.utf8), memory: memory, inPieces: inPieces) == expected, "\(first)")
            }
        }
    }

    @Test("Parsing random and modified headers gives the same result with and without the cache", arguments: 0..<8)
    func sequences(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let memory = HeaderCache()
        for _ in 0..<500 {
            var bytes = Array(Self.headers[Int.random(in: Self.headers.indices, using: &random)].utf8)
            if Int.random(in: 0..<3, using: &random) == 0 {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(Self.read(bytes, memory: memory) == Self.read(bytes, memory: nil), "\(text)")
        }
    }

    @Test("The header limit also applies to a cached header")
    func limit() {
        let memory = HeaderCache()
        let bytes = Array(Self.headers[0].utf8)
        #expect(Self.read(bytes, memory: memory, headerLimit: bytes.count).hasPrefix("HTTP/1.1 200"))
        #expect(Self.read(bytes, memory: memory, headerLimit: bytes.count - 1).contains("larger than the limit"))
    }
}

@Suite("Request headers on a shared connection")
struct RequestHeaderTests {
    /// Checks the sent lines of several requests over one connection.
    @Test("Requests with and without their own fields are sent correctly over one connection")
    func onTheWire() async throws {
        let server = FaultyServer(
            Array(repeating: [.receive, .send(ExchangeTests.ok)], count: 6).flatMap { $0 } + [.waitForClose])
        try await ExchangeTests.with(server, transport: ConnectionTests.oneLoop()) { server, session in
            for own: HTTPHeaders in [[:], [:], [:], ["X-Own": "1"], [:], ["X-Own": "2"]] {
                _ = try await session.send(Request(.get, url: server.url, headers: own))
            }
            let heads = server.requestTexts.map { $0.split(separator: "\r\n").map(String.init) }
            #expect(heads.count == 6)
            for head in heads {
                #expect(head.first == "GET / HTTP/1.1")
                #expect(head.filter { $0.hasPrefix("Host: 127.0.0.1:") }.count == 1)
                #expect(head.contains("Accept: */*"))
            }
            #expect(heads.map { $0.filter { $0.hasPrefix("X-Own") } } == [[], [], [], ["X-Own: 1"], [], ["X-Own: 2"]])
            #expect(server.connections == 1)
        }
    }
}
