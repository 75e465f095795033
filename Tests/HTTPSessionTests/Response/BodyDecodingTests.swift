import HTTPSession
import Testing

@Suite("Content codings of streamed bodies")
struct BodyDecodingTests {
    static func read(
        _ pieces: [[UInt8]], _ coding: String, limits: Limits = .init(), _ method: HTTPMethod = .get
    ) async throws(SessionError) -> [UInt8] {
        let transport = BodyTransport { _, _ throws(SessionError) in
            BodyTransport.response(200, ["Content-Encoding": coding], pieces: pieces)
        }
        var request = Request(method, url: "http://a/")
        request.limits = limits
        return try await Session(transport: transport).stream(request).body.collect()
    }

    static func cut(_ bytes: [UInt8], _ length: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0..<min($0 + length, bytes.count)]) }
    }

    static let text = Array(String(repeating: "the quick brown fox jumps over the lazy dog\n", count: 2000).utf8)

    @Test(
        "Bodies are decoded regardless of how they are split into pieces",
        arguments: ["gzip", "deflate", "identity", "deflate, gzip"], [1, 7, 4096, 1 << 20])
    func decoded(coding: String, length: Int) async throws {
        var encoded = Self.text
        for name in coding.split(separator: ", ") {
            if let coding = ContentCoding(token: name) { encoded = try coding.encode(encoded) }
        }
        let body = try await Self.read(Self.cut(encoded, length), coding)
        #expect(body == Self.text)
    }

    @Test("A body with an unknown coding is left unchanged, and an empty body stays empty")
    func untouched() async throws {
        #expect(try await Self.read([[1, 2, 3]], "compress") == [1, 2, 3])
        #expect(try await Self.read([], "gzip", .head) == [])
    }

    @Test("The end of a stream is known only after the whole body has been decoded")
    func end() async throws {
        let encoded = try ContentCoding.gzip.encode(Self.text)
        let transport = BodyTransport { _, _ throws(SessionError) in
            BodyTransport.response(200, ["Content-Encoding": "gzip"], pieces: [encoded])
        }
        let stream = try await Session(transport: transport).get("http://a/").stream().body
        _ = try await stream.next()
        #expect(stream.end == nil)
        _ = try await stream.collect()
        #expect(stream.end != nil)
    }

    @Test("A corrupt or incomplete body is an error")
    func broken() async throws {
        let encoded = try ContentCoding.gzip.encode(Self.text)
        for pieces in [[Array(encoded.dropLast(5))], [Array("nonsense".utf8)], [encoded, Array("more".utf8)]] {
            do throws(SessionError) {
                _ = try await Self.read(pieces, "gzip")
                Issue.record("expected an error")
            } catch {
                #expect(error.reason == .invalidContentCoding)
                #expect(error.phase == .decode)
                #expect(error.url == "http://a/")
            }
        }
    }

    @Test("The request's limits and the default ratio limit are enforced")
    func bounds() async throws {
        let zeros = [UInt8](repeating: 0, count: 8 << 20)
        let encoded = try ContentCoding.gzip.encode(zeros)
        let cases: [(Limits, SessionError.Reason)] = [
            (Limits(), .limitExceeded(.decompressionRatio, 200)),
            (Limits(decodedBodyBytes: 5000, decompressionRatio: 2000), .limitExceeded(.decodedBodyBytes, 5000)),
        ]
        for (limits, reason) in cases {
            do throws(SessionError) {
                _ = try await Self.read(Self.cut(encoded, 1000), "gzip", limits: limits)
                Issue.record("expected an error")
            } catch {
                #expect(error.reason == reason)
            }
        }
        let whole = try await Self.read([encoded], "gzip", limits: Limits(decompressionRatio: 2000))
        #expect(whole.count == zeros.count)
    }
}
