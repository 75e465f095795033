import Basics
import Testing

@testable import HTTPSession

private typealias Samples = CompressedSamples

@Suite("Decompression")
struct ContentDecoderTests {
    /// Decodes bytes at once, and checks that decoding in chunks of several sizes yields the same result.
    static func decode(
        _ bytes: [UInt8], _ codings: ContentCoding..., limits: Limits = .init()
    ) -> Result<String, ContentCodingError> {
        let whole = result { () throws(ContentCodingError) in
            try ContentDecoder.decode(bytes, codings, limits: limits)
        }
        for length in [1, 2, 3, 7, 1000] where bytes.count / length < 10_000 {
            let pieces = result { () throws(ContentCodingError) in
                let decoder = try ContentDecoder(codings, limits: limits, encodedLength: bytes.count)
                var output: [UInt8] = []
                var start = 0
                while start < bytes.count {
                    let end = min(bytes.count, start + length)
                    output += try decoder.decode(Array(bytes[start..<end]))
                    start = end
                }
                try decoder.finish()
                return output
            }
            #expect(whole == pieces, "in pieces of \(length) bytes")
        }
        return whole.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func result(
        _ body: () throws(ContentCodingError) -> [UInt8]
    ) -> Result<[UInt8], ContentCodingError> {
        do throws(ContentCodingError) { return .success(try body()) } catch { return .failure(error) }
    }

    @Test("All formats and block types are decoded")
    func formats() throws {
        #expect(try Self.decode(Samples.gzip, .gzip).get() == Samples.text)
        #expect(try Self.decode(Samples.gzipWithAllFields, .gzip).get() == Samples.text)
        #expect(try Self.decode(Samples.gzip + Samples.gzip, .gzip).get() == Samples.text + Samples.text)
        #expect(try Self.decode(Samples.stored, .deflate).get() == Samples.text)
        #expect(try Self.decode(Samples.raw, .deflate).get() == Samples.text)
        let dynamic = try Self.decode(Samples.zlib, .deflate).get()
        #expect(dynamic.utf8.count == 600)
        #expect(dynamic.hasPrefix(Samples.zlibText))
    }

    @Test("Truncated and corrupted data is rejected without a crash")
    func damage() {
        for length in 0..<Samples.gzip.count {
            #expect(throws: ContentCodingError.self) { try Self.decode(Array(Samples.gzip[..<length]), .gzip).get() }
        }
        for length in 0..<Samples.zlib.count {
            #expect(throws: ContentCodingError.self) { try Self.decode(Array(Samples.zlib[..<length]), .deflate).get() }
        }
        // Bytes 4 to 9 of gzip are the time, flags and operating system, which do not affect the data.
        for index in Samples.gzip.indices where !(4...9).contains(index) {
            for bit in 0..<8 {
                var changed = Samples.gzip
                changed[index] ^= 1 << UInt8(bit)
                if case .success(let text) = Self.decode(changed, .gzip) { #expect(text == Samples.text) }
            }
        }
        for index in Samples.zlib.indices.dropFirst(2) {
            var changed = Samples.zlib
            changed[index] ^= 0x55
            #expect(throws: ContentCodingError.self) { try Self.decode(changed, .deflate).get() }
        }
        #expect(throws: ContentCodingError.self) { try Self.decode(Samples.gzip + [1, 2, 3], .gzip).get() }
    }

    @Test(
        "Data in another format is reported as such, however short it is",
        arguments: [
            ("not gzip", "is not gzip data"), ("a longer text that is no gzip data", "is not gzip data"),
            ("\u{1F}x", "is not gzip data"), ("\u{1F}", "is incomplete"), ("", "is incomplete"),
        ])
    func otherData(_ text: String, _ message: String) {
        guard case .failure(let failure) = Self.decode(Array(text.utf8), .gzip) else {
            Issue.record("the text was decoded")
            return
        }
        #expect(failure.message == message)
        #expect(failure.reason == .invalidContentCoding)
    }

    @Test("Trailing data is reported as such, however short it is")
    func followingData() {
        guard case .failure(let failure) = Self.decode(Samples.gzip + [1, 2, 3], .gzip) else {
            Issue.record("the data was decoded")
            return
        }
        #expect(failure.message == "is followed by other data")
    }

    @Test("The output is limited by length and by ratio")
    func bounds() {
        let bomb = Samples.bomb(20_000)
        guard case .failure(let ratio) = Self.decode(bomb, .deflate, limits: Limits(decompressionRatio: 100)) else {
            Issue.record("a ratio of 158 was accepted")
            return
        }
        #expect(ratio.reason == .limitExceeded(.decompressionRatio, 100))
        #expect((try? Self.decode(bomb, .deflate).get())?.utf8.count == 20_000 * 258 + 1)
        guard case .failure(let length) = Self.decode(bomb, .deflate, limits: Limits(decodedBodyBytes: 1000)) else {
            Issue.record("more than 1000 bytes were accepted")
            return
        }
        #expect(length.reason == .limitExceeded(.decodedBodyBytes, 1000))
    }

    @Test(
        "Corrupt data is reported with the reason",
        arguments: [
            ("gzip", [0x1F, 0x8B, 8, 0xE0, 0, 0, 0, 0, 0, 3, 3, 0], "its header has unknown flags"),
            ("gzip", Array(Samples.gzip.dropLast(8)) + [1, 2, 3, 4, 24, 0, 0, 0], "its checksum does not match"),
            ("gzip", Array(Samples.gzip.dropLast(4)) + [1, 0, 0, 0], "its checksum does not match"),
            ("gzip", Array(Samples.gzipWithAllFields[..<20]) + [0, 3, 0], "its header's checksum does not match"),
            ("deflate", [0x78, 0x9C, 0x07], "it has a block of unknown type"),
            ("deflate", [0x07, 0x00], "it has a block of unknown type"),
            ("deflate", [0x78, 0x9C, 0x01, 1, 0, 1, 0], "a block's length does not match"),
            ("deflate", [0x78, 0x9C, 0x05, 0xFF, 0xFF, 0xFF], "it has too many code lengths"),
            (
                "deflate", [0x78, 0x9C, 0x05, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
                "its code table is not valid"
            ),
            ("deflate", [0x78, 0x9C, 0x03, 0x01], "it refers to data before its start"),
        ] as [(String, [UInt8], String)])
    func damaged(_ coding: String, _ bytes: [UInt8], _ message: String) throws {
        let coding = try #require(ContentCoding(token: coding))
        #expect(
            Self.decode(bytes, coding)
                == .failure(ContentCodingError(coding: coding, message: "is damaged: \(message)")))
    }

    @Test("Data that requires a preset dictionary is rejected")
    func dictionary() {
        #expect(
            Self.decode([0x78, 0xBB, 0, 0, 0, 1, 3, 0], .deflate)
                == .failure(ContentCodingError(coding: .deflate, message: "requires a preset dictionary")))
    }

    @Test("Up to four trailing bytes are accepted after raw deflate data, and none after zlib data")
    func trailers() {
        let other = ContentCodingError(coding: .deflate, message: "is followed by other data")
        #expect(Self.decode(Samples.raw + [1, 2, 3, 4], .deflate) == .success(Samples.text))
        #expect(Self.decode(Samples.raw + [1, 2, 3, 4, 5], .deflate) == .failure(other))
        #expect(Self.decode(Samples.stored + [1], .deflate) == .failure(other))
        #expect(Self.decode([3, 0], .deflate) == .success(""))
        #expect(Self.decode([3, 0, 1, 2, 3, 4, 5], .deflate) == .failure(other))
    }

    @Test("Multiple codings are decoded in reverse order")
    func chains() throws {
        let text = String(repeating: "several codings, ", count: 5000)
        let once = try ContentCoding.gzip.encode(Array(text.utf8))
        let twice = try ContentCoding.deflate.encode(once)
        #expect(Self.decode(twice, .gzip, .deflate) == .success(text))
        #expect(Self.decode(try ContentCoding.gzip.encode(twice), .gzip, .deflate, .gzip) == .success(text))
        #expect(
            Self.decode(twice, .deflate, .gzip)
                == .failure(ContentCodingError(coding: .gzip, message: "is not gzip data")))
        let incomplete = try ContentCoding.deflate.encode(Array(once.dropLast(9)))
        #expect(
            Self.decode(incomplete, .gzip, .deflate)
                == .failure(ContentCodingError(coding: .gzip, message: "is incomplete")))
        #expect(throws: ContentCodingError.self) {
            try ContentDecoder(Array(repeating: .gzip, count: ContentDecoder.maximumCodings + 1))
        }
        #expect(throws: ContentCodingError.self) { try ContentDecoder.decode(once, Array(repeating: .gzip, count: 6)) }
    }

    @Test("Nested decompression bombs are limited by the received length")
    func nestedBomb() throws {
        let once = try ContentCoding.gzip.encode([UInt8](repeating: 0, count: 40 << 20))
        let twice = try ContentCoding.gzip.encode(once)
        #expect(twice.count < 1000)
        #expect(
            Self.decode(twice, .gzip, .gzip)
                == .failure(
                    ContentCodingError(
                        coding: .gzip, reason: .limitExceeded(.decompressionRatio, 200),
                        message: "expands to more than 200 times its size when decoded")))
    }

    @Test("If the length is unknown, the ratio applies to the received bytes, and errors persist")
    func unknownLength() throws {
        let bomb = Samples.bomb(20_000)
        let decoder = try ContentDecoder([.deflate], limits: Limits(decompressionRatio: 100))
        var handedOut = 0
        var failures = 0
        for byte in bomb {
            do throws(ContentCodingError) { handedOut += try decoder.decode([byte]).count } catch {
                #expect(error.reason == .limitExceeded(.decompressionRatio, 100))
                failures += 1
            }
        }
        #expect(failures > 1)
        #expect(handedOut <= 1 << 20)
        #expect(throws: ContentCodingError.self) { try decoder.finish() }
    }

    @Test("Output is delivered in small pieces, however much an input piece expands")
    func shortPieces() throws {
        let encoded = try ContentCoding.gzip.encode([UInt8](repeating: 7, count: 1 << 20))
        let decoder = try ContentDecoder([.gzip], limits: Limits(decompressionRatio: 2000))
        var maximumLength = 0
        var total = 0
        try encoded.withUnsafeBytes { bytes in
            try decoder.decode(bytes) {
                maximumLength = max(maximumLength, $0.count)
                total += $0.count
            }
        }
        try decoder.finish()
        #expect(total == 1 << 20)
        #expect(maximumLength <= 64 << 10)
    }

    @Test(
        "The Content-Encoding field is parsed into codings only if all of them are known",
        arguments: [
            (["gzip"], [.gzip]), (["X-GZIP, identity", "Deflate"], [.gzip, .deflate]), (["identity"], []), ([], []),
            (["gzip, compress"], nil), (["BR, zstd"], [.brotli, .zstd]), (["gzipped"], nil),
        ] as [([String], [ContentCoding]?)])
    func applied(_ fields: [String], _ codings: [ContentCoding]?) {
        var headers = HTTPHeaders()
        for field in fields { headers.append(name: "Content-Encoding", value: field) }
        #expect(ContentCoding.applied(in: headers) == codings)
    }

    @Test("Without codings, bytes are passed through unchanged")
    func identity() throws {
        let decoder = try ContentDecoder([])
        #expect(try decoder.decode([1, 2, 3]) == [1, 2, 3])
        try decoder.finish()
        #expect(try ContentDecoder.decode([1, 2, 3], []) == [1, 2, 3])
    }
}
