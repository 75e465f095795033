import TestSupport
import Testing

@testable import HTTPSession

@Suite("The memory of a request's field lines")
struct FieldLineMemoryTests {
    @Test("Only the very same header has known lines, from its second request on")
    func identity() {
        var memory = FieldLineMemory()
        var written = 0
        func lines(_ headers: HTTPHeaders) -> [UInt8]? {
            memory.lines(of: headers) {
                written += 1
                return Array("\(headers.count)".utf8)
            }
        }
        let (one, two): (HTTPHeaders, HTTPHeaders) = (["A": "1"], ["A": "1", "B": "2"])
        #expect(lines(one) == nil)
        #expect(lines(one) == Array("1".utf8))
        #expect(lines(one) == Array("1".utf8))
        #expect(written == 1)
        #expect(lines(two) == nil)
        #expect(lines(two) == Array("2".utf8))
        #expect(lines(one) == nil)
        var changed = one
        changed.append(name: "C", value: "3")
        #expect(lines(changed) == nil)
        #expect(lines(changed) == Array("2".utf8))
    }

    /// What is sent, line by line, for a few requests over one connection.
    @Test("Requests with the session's header and with their own over one connection")
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
