import Testing

@testable import HTTPSession

/// What is remembered of one response's header changes nothing of how the next is read.
@Suite("Header memory")
struct HeaderMemoryTests {
    /// What a parser makes of a header, with the number of bytes taken.
    private static func read(
        _ bytes: [UInt8], memory: HeaderMemory?, inPieces: Bool = false, headerLimit: Int = 1 << 16
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

    @Test("Each header is read after each other as it is read alone", arguments: [false, true])
    func pairs(inPieces: Bool) {
        for first in Self.headers {
            for second in Self.headers {
                let memory = HeaderMemory()
                let expected = Self.read(Array(second.utf8), memory: nil, inPieces: inPieces)
                _ = Self.read(Array(first.utf8), memory: memory)
                #expect(Self.read(Array(second.utf8), memory: memory, inPieces: inPieces) == expected, "\(first)")
                #expect(Self.read(Array(second.utf8), memory: memory, inPieces: inPieces) == expected, "\(first)")
            }
        }
    }

    @Test("The bound on the header holds for one that is known too")
    func limit() {
        let memory = HeaderMemory()
        let bytes = Array(Self.headers[0].utf8)
        #expect(Self.read(bytes, memory: memory, headerLimit: bytes.count).hasPrefix("HTTP/1.1 200"))
        #expect(Self.read(bytes, memory: memory, headerLimit: bytes.count - 1).contains("larger than the limit"))
    }
}
