import Basics
import HTTPSession
import JSON
import RunModel
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("What reports get of an exchange")
struct ReportedExchangeTests {
    private static let text = Array(String(repeating: #"{"key":"value"}"#, count: 100).utf8)

    private static func exchange(
        request: [UInt8] = [], _ requestFields: [HeaderField] = [], response: [UInt8] = [],
        _ responseFields: [HeaderField] = [], status: Int = 200
    ) -> Exchange {
        Exchange(
            request: Exchange.Request(method: "POST", url: "http://h/", headers: requestFields, body: request),
            response: Exchange.Response(status: status, headers: responseFields, body: response))
    }

    @Test("A compressed body is reported decoded", arguments: ContentCoding.encodable)
    func codings(_ coding: ContentCoding) throws {
        let encoded = try coding.encode(Self.text)
        let field = HeaderField(name: "content-encoding", value: coding.rawValue)
        let recording = ReportedExchange(
            Self.exchange(request: encoded, [field], response: encoded, [field]), isDecoded: false)
        #expect(!recording.isWhole)
        let exchange = recording.exchange
        #expect(exchange.request.body == Self.text)
        #expect(exchange.request.encodedSize == encoded.count)
        #expect(exchange.request.wholeSize == nil)
        #expect(exchange.response?.body == Self.text)
        #expect(exchange.response?.encodedSize == encoded.count)
    }

    @Test("A compressed file is reported decoded, even without a Content-Encoding header")
    func gzipWithoutAHeader() throws {
        let encoded = try ContentCoding.gzip.encode(Self.text)
        let recording = ReportedExchange(Self.exchange(request: encoded, response: encoded), isDecoded: true)
        #expect(!recording.isWhole)
        #expect(!ReportedExchange(Self.exchange(request: encoded), isDecoded: true).isWhole)
        #expect(recording.exchange.request.body == Self.text)
        #expect(recording.exchange.response?.body == Self.text)
    }

    @Test(
        "A response is marked as decoded only if the session has removed all of its codings",
        arguments: [
            ("br", true, 200, true), ("gzip, zstd", true, 200, true), ("compress", true, 200, false),
            ("br, compress", true, 200, false), ("br", false, 200, false), ("br", true, 206, false),
        ])
    func mark(_ coding: String, isDecoded: Bool, status: Int, isMarked: Bool) {
        let field = HeaderField(name: "Content-Encoding", value: coding)
        let exchange = Self.exchange(response: [0x80, 0x81], [field], status: status)
        #expect(ReportedExchange(exchange, isDecoded: isDecoded).exchange.response?.isDecoded == isMarked)
        var failed = exchange
        failed.failure = Exchange.Failure(phase: .receive, kind: .init("closed"), message: "closed")
        #expect(ReportedExchange(failed, isDecoded: isDecoded).exchange.response?.isDecoded == false)
    }

    @Test("Bodies that the session has decoded and bodies that are not compressed stay unchanged")
    func decoded() throws {
        let field = HeaderField(name: "Content-Encoding", value: "gzip")
        for body in [Self.text, [0x1F, 0x8B, 0x08, 0, 1, 2]] {
            let exchange = ReportedExchange(
                Self.exchange(request: body, [field], response: body, [field]), isDecoded: true
            ).exchange
            #expect(exchange.request.body == body)
            #expect(exchange.request.encodedSize == nil)
            #expect(exchange.response?.body == body)
        }
        #expect(ReportedExchange(Self.exchange(request: Self.text, response: Self.text), isDecoded: true).isWhole)
    }

    @Test("Truncated, partial, and doubly encoded compressed bodies are decoded as far as possible")
    func broken() throws {
        let encoded = try ContentCoding.gzip.encode(Self.text)
        let field = HeaderField(name: "Content-Encoding", value: "gzip")
        let part = ReportedExchange(
            Self.exchange(response: encoded.dropLast(8), [field], status: 206), isDecoded: true
        ).exchange
        #expect(part.response?.body == Self.text)
        let twice = try ContentCoding.deflate.encode(encoded)
        let both = HeaderField(name: "Content-Encoding", value: "gzip, deflate")
        #expect(
            ReportedExchange(Self.exchange(request: twice, [both]), isDecoded: true).exchange.request.body == Self.text)
    }

    @Test("Long bodies and streams are kept only as far as a report shows them")
    func longBodies() {
        let long = [UInt8](repeating: 0x61, count: 3 << 20)
        var exchange = Self.exchange(request: long, response: long)
        var details = ExchangeDetails()
        details.events = (0..<1_000_000).map { .object(["data": .number(JSONNumber($0))]) }
        exchange.details = details
        let kept = ReportedExchange(exchange, isDecoded: true).exchange
        #expect(kept.request.body.count == ReportedExchange.keptBytes)
        #expect(kept.request.wholeSize == 3 << 20)
        #expect(kept.response?.body.count == ReportedExchange.keptBytes)
        #expect(kept.response?.wholeSize == 3 << 20)
        let events = kept.details?.events ?? []
        #expect(events.count + (kept.details?.omittedEvents ?? 0) == 1_000_000)
        #expect(events.count < ReportedExchange.keptEventBytes / 8)
        #expect(JSONValue.array(events).serializedBytes().count >= ReportedExchange.keptEventBytes)
    }

    /// The decoded body is a thousand times as long.
    @Test("A compressed body is decoded only as far as its beginning requires")
    func bombs() throws {
        let encoded = try ContentCoding.gzip.encode([UInt8](repeating: 0x61, count: 64 << 20))
        let field = HeaderField(name: "Content-Encoding", value: "gzip")
        let kept = ReportedExchange(Self.exchange(request: encoded, [field]), isDecoded: true).exchange
        #expect(kept.request.body.count == ReportedExchange.keptBytes)
        #expect((kept.request.wholeSize ?? 0) < 32 << 20)
        #expect(kept.request.encodedSize == encoded.count)
    }
}
