import HTTPSession
import Testing

@Suite("Compression")
struct ContentEncoderTests {
    static let bodies: [[UInt8]] = [
        [], [0], Array("hello hello hello hello\n".utf8),
        (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) },
        [UInt8](repeating: 32, count: 300_000),
    ]

    @Test("Encoded data decodes to the original", arguments: ContentCoding.encodable, [-5, 0, 1, 6, 9, 100])
    func roundTrip(_ coding: ContentCoding, level: Int) throws {
        for body in Self.bodies {
            let whole = try coding.encode(body, level: level)
            let limits = Limits(decompressionRatio: 2000)
            #expect(try ContentDecoder.decode(whole, [coding], limits: limits) == body)
            let encoder = try ContentEncoder(coding, level: level)
            var pieces: [UInt8] = []
            var start = 0
            while start < body.count {
                let end = min(body.count, start + 7777)
                pieces += try encoder.encode(Array(body[start..<end]))
                start = end
            }
            pieces += try encoder.finish()
            #expect(try ContentDecoder.decode(pieces, [coding], limits: limits) == body)
        }
    }

    @Test("Each format has its signature, and gzip headers have no timestamp")
    func formats() throws {
        let gzip = try ContentCoding.gzip.encode(Array("text".utf8))
        #expect(gzip.starts(with: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]))
        let deflate = try ContentCoding.deflate.encode(Array("text".utf8))
        #expect(deflate.first == 0x78)
    }

    @Test("Higher levels produce smaller output, and level 0 stores data uncompressed")
    func levels() throws {
        let body = Array(repeatElement("some text that repeats itself, and more of it; ", count: 2000).joined().utf8)
        let lengths = try [0, 1, 9].map { try ContentCoding.gzip.encode(body, level: $0).count }
        #expect(lengths[0] > body.count)
        #expect(lengths[1] < body.count / 10)
        #expect(lengths[2] <= lengths[1])
    }

    @Test("All data encoded before a flush can be decoded")
    func flush() throws {
        let encoder = try ContentEncoder(.gzip)
        let decoder = try ContentDecoder([.gzip])
        for text in ["first", " second", ""] {
            #expect(try decoder.decode(encoder.encode(Array(text.utf8), flush: true)) == Array(text.utf8))
        }
        #expect(throws: ContentCodingError.self) { try decoder.finish() }
        #expect(try decoder.decode(encoder.finish()) == [])
        try decoder.finish()
        #expect(throws: ContentCodingError.self) { try encoder.finish() }
        #expect(throws: ContentCodingError.self) { try encoder.encode([1]) }
    }
}
