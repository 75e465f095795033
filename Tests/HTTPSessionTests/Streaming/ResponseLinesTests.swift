import HTTPSession
import Synchronization
import Testing

@Suite("Response lines")
struct ResponseLinesTests {
    static func session(_ pieces: [[UInt8]], error: SessionError? = nil) -> Session {
        Session(
            transport: BodyTransport { _, _ throws(SessionError) in
                BodyTransport.response(pieces: pieces, error: error)
            })
    }

    static func lines(_ pieces: [[UInt8]], maximum: Int = 100) async throws -> [String] {
        var lines: [String] = []
        for try await line in session(pieces).get("http://a/").lines(maximumLength: maximum) { lines.append(line) }
        return lines
    }

    static let cases: [(String, [String])] = [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("\n", [""]), ("\n\n", ["", ""]), ("\r\n\r\n", ["", ""]),
        ("\r\r", ["", ""]), ("\n\r", ["", ""]), ("a\nb\r\nc\rd", ["a", "b", "c", "d"]), ("a\r\n\r\nb", ["a", "", "b"]),
        ("a\r\rb\n", ["a", "", "b"]), ("grün\n日本\r\n😀", ["grün", "日本", "😀"]),
        ("a\u{0}b\u{85}c\u{2028}d", ["a\u{0}b\u{85}c\u{2028}d"]),
        ("\u{FEFF}a\n", ["\u{FEFF}a"]),
    ]

    @Test("Lines do not depend on how the body is split into pieces", arguments: cases)
    func borders(text: String, lines: [String]) async throws {
        let bytes = Array(text.utf8)
        #expect(try await Self.lines([bytes]) == lines)
        #expect(try await Self.lines(bytes.map { [$0] }) == lines)
        for cut in 0...bytes.count {
            #expect(try await Self.lines([Array(bytes[..<cut]), Array(bytes[cut...])]) == lines)
        }
    }

    @Test("Invalid UTF-8 is replaced with U+FFFD, including across pieces")
    func repair() async throws {
        #expect(
            try await Self.lines([[0x61, 0xE2, 0x82], [0x0A, 0xFF, 0x62, 0x0A, 0xF0, 0x9F]]) == [
                "a\u{FFFD}", "\u{FFFD}b", "\u{FFFD}",
            ])
    }

    @Test("A line may be as long as the limit", arguments: [[4], [2, 2], [1, 1, 1, 1]])
    func atLimit(pieces: [Int]) async throws {
        let pieces = pieces.map { [UInt8](repeating: 97, count: $0) }
        #expect(try await Self.lines(pieces + [[10, 98]], maximum: 4) == ["aaaa", "b"])
        #expect(try await Self.lines(pieces, maximum: 4) == ["aaaa"])
    }

    @Test(
        "A line longer than the limit is an error after the preceding lines",
        arguments: ["ab\nlong!\nx", "ab\nlong!"])
    func overLimit(text: String) async throws {
        for pieces in [[Array(text.utf8)], Array(text.utf8).map { [$0] }] {
            var iterator = Self.session(pieces).get("http://a/").lines(maximumLength: 4).makeAsyncIterator()
            #expect(try await iterator.next() == "ab")
            do throws(SessionError) {
                _ = try await iterator.next()
                Issue.record("expected an error")
            } catch {
                #expect(error.reason == .limitExceeded(.lineBytes, 4))
                #expect(error.message == "a line of the response is longer than the limit of 4 bytes")
            }
            #expect(try await iterator.next() == nil)
        }
    }

    @Test("A lost connection is an error after the received lines")
    func lost() async throws {
        var iterator = Self.session([Array("a\nb".utf8)], error: BodyTransport.lost).get("http://a/").lines()
            .makeAsyncIterator()
        #expect(try await iterator.next() == "a")
        await #expect(throws: SessionError.self) { try await iterator.next() }
    }

    @Test("Each iteration sends a request, and leaving the loop ends the exchange")
    func lazy() async throws {
        let abandoned = Mutex(0)
        let transport = BodyTransport { _, _ throws(SessionError) in
            let stream = ResponseBodyStream(onDemand: {}, onAbandon: { abandoned.withLock { $0 += 1 } })
            _ = stream.yield(Array("a\nb\n".utf8))
            return TransportResponse(head: ResponseHead(status: 200), stream: stream)
        }
        let lines = Session(transport: transport).get("http://a/").lines()
        #expect(transport.requests.isEmpty)
        for count in 1...2 {
            for try await line in lines {
                #expect(line == "a")
                break
            }
            #expect(transport.requests.count == count)
            #expect(abandoned.withLock { $0 } == count)
        }
        #expect(transport.requests.first?.delivery == .streamed)
    }

    @Test("A streamed body is limited only by the request's own settings")
    func bounds() async throws {
        let transport = BodyTransport { _, _ throws(SessionError) in BodyTransport.response() }
        let session = Session(transport: transport)
        for try await _ in session.get("http://a/").bytes() {}
        for try await _ in session.get("http://a/").with({
            $0.limits = Limits(bodyBytes: 5); $0.timeouts = .total(.seconds(7))
        }).bytes() {}
        let free = try #require(transport.requests.first)
        #expect(free.limits.bodyBytes == .max)
        #expect(free.limits.headerBytes == Limits().headerBytes)
        #expect(free.timeouts.total == nil)
        #expect(free.timeouts.idle == Timeouts().idle)
        let bound = try #require(transport.requests.last)
        #expect(bound.limits.bodyBytes == 5)
        #expect(bound.timeouts.total == .seconds(7))
    }

    @Test("A canceled reader gets an error instead of a regular end")
    func cancelled() async throws {
        let stream = ResponseBodyStream(onDemand: {}, onAbandon: {})
        let read = Task { () async -> SessionError? in
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(SessionError) {
                _ = try await stream.next()
                return nil
            } catch {
                return error
            }
        }
        #expect(await read.value?.reason == .cancelled)
    }
}
