import Testing

@testable import HTTPSession

private typealias Samples = CompressedSamples

@Suite(
    "Brotli and Zstandard",
    .enabled(
        if: ContentCoding.brotli.isAvailable && ContentCoding.zstd.isAvailable,
        "libbrotlidec or libzstd is not installed"))
struct LibraryCodingTests {
    static let brotli: [UInt8] = [
        0x1B, 0x17, 0x00, 0xF8, 0x8D, 0x94, 0x6E, 0xDE, 0x44, 0x55, 0x86, 0xD6, 0x0A, 0x20, 0x6C, 0x6F, 0x4A, 0x11,
        0x79, 0xE2, 0x80, 0xAE, 0x16,
    ]
    /// With a checksum at the end.
    static let zstd: [UInt8] = [
        0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x68, 0x6D, 0x00, 0x00, 0x38, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x20, 0x0A, 0x01,
        0x00, 0x99, 0x4B, 0x11, 0xA8, 0x7C, 0x2E, 0xA8,
    ]
    /// 8 MiB of zeros.
    static let brotliZeros: [UInt8] = [
        0x9B, 0xFF, 0xFF, 0x7F, 0xF8, 0x27, 0x00, 0xE2, 0xB1, 0x40, 0x20, 0xF7, 0xFE, 0x0F,
    ]
    /// 1 MiB of zeros.
    static let zstdZeros: [UInt8] = [
        0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x68, 0x4C, 0x00, 0x00, 0x08, 0x00, 0x01, 0x00, 0xFC, 0xFF, 0x39, 0x10, 0x02,
        0x02, 0x00, 0x10, 0x00, 0x02, 0x00, 0x10, 0x00, 0x02, 0x00, 0x10, 0x00, 0x02, 0x00, 0x10, 0x00, 0x02, 0x00,
        0x10, 0x00, 0x02, 0x00, 0x10, 0x00, 0x03, 0x00, 0x10, 0x00, 0xF1, 0x3E, 0x16, 0xE1,
    ]
    static let samples: [(ContentCoding, [UInt8])] = [(.brotli, brotli), (.zstd, zstd)]

    private static func failure(_ bytes: [UInt8], _ coding: ContentCoding, limits: Limits = .init())
        -> ContentCodingError?
    {
        if case .failure(let error) = ContentDecoderTests.decode(bytes, coding, limits: limits) { error } else { nil }
    }

    @Test("Data is decoded, also in small pieces and below another coding", arguments: samples)
    func decoded(_ coding: ContentCoding, _ bytes: [UInt8]) throws {
        #expect(try ContentDecoderTests.decode(bytes, coding).get() == Samples.text)
        #expect(try ContentDecoderTests.decode(ContentCoding.gzip.encode(bytes), coding, .gzip).get() == Samples.text)
        #expect(ContentCoding(token: coding.rawValue.uppercased()) == coding)
    }

    @Test("zstd data may have several frames, and some of them may be skippable")
    func frames() throws {
        let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 1, 2]
        let text = try ContentDecoderTests.decode(Self.zstd + skippable + Self.zstd, .zstd).get()
        #expect(text == Samples.text + Samples.text)
    }

    @Test("Truncated data is incomplete at every length", arguments: samples)
    func truncated(_ coding: ContentCoding, _ bytes: [UInt8]) {
        for length in 0..<bytes.count {
            #expect(Self.failure(Array(bytes[..<length]), coding)?.message == "is incomplete")
        }
    }

    @Test("Changed data is never decoded to a longer text, and never crashes", arguments: samples)
    func damaged(_ coding: ContentCoding, _ bytes: [UInt8]) {
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                // Brotli has no checksum, so some changes result in another text.
                if case .success(let text) = ContentDecoderTests.decode(changed, coding) {
                    #expect(coding == .brotli || text == Samples.text)
                }
            }
        }
    }

    @Test("Errors state their reasons")
    func reasons() {
        #expect(Self.failure(Array("no brotli data".utf8), .brotli)?.message == "is damaged: it cannot be read")
        #expect(Self.failure(Array("no zstd data".utf8), .zstd)?.message == "is not zstd data")
        for (coding, bytes) in Self.samples {
            #expect(Self.failure(bytes + Array("more".utf8), coding)?.message == "is followed by other data")
        }
        var checksum = Self.zstd
        checksum[checksum.count - 1] ^= 1
        #expect(Self.failure(checksum, .zstd)?.message == "is damaged: its checksum does not match")
        var window = Self.zstd
        window[5] = 0x70
        #expect(Self.failure(window, .zstd)?.message == "requires a window of more than 8 MiB")
        // A frame with the dictionary 7, and a stored block of five bytes.
        let dictionary: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x21, 7, 5, 0x29, 0, 0, 0x68, 0x65, 0x6C, 0x6C, 0x6F]
        #expect(Self.failure(dictionary, .zstd)?.message == "requires a dictionary")
        #expect(Self.failure(dictionary, .zstd)?.reason == .invalidContentCoding)
    }

    @Test(
        "The output is limited by length and by ratio",
        arguments: [(.brotli, brotliZeros, 8 << 20), (.zstd, zstdZeros, 1 << 20)] as [(ContentCoding, [UInt8], Int)])
    func bounds(_ coding: ContentCoding, _ bytes: [UInt8], _ count: Int) throws {
        let length = Self.failure(bytes, coding, limits: Limits(decodedBodyBytes: 100_000))
        #expect(length?.reason == .limitExceeded(.decodedBodyBytes, 100_000))
        let free = Limits(decodedBodyBytes: count, decompressionRatio: .max)
        #expect(try ContentDecoder.decode(bytes, [coding], limits: free) == [UInt8](repeating: 0, count: count))
        let tight = Limits(decodedBodyBytes: count - 1, decompressionRatio: .max)
        #expect(Self.failure(bytes, coding, limits: tight)?.reason == .limitExceeded(.decodedBodyBytes, count - 1))
        guard count > 1 << 20 else { return }
        #expect(Self.failure(bytes, coding)?.reason == .limitExceeded(.decompressionRatio, 200))
    }

    @Test("Streamed bodies are decoded", arguments: samples, [1, 100])
    func streamed(_ sample: (ContentCoding, [UInt8]), length: Int) async throws {
        let (coding, bytes) = sample
        let body = try await BodyDecodingTests.read(BodyDecodingTests.cut(bytes, length), coding.rawValue)
        #expect(body == Array(Samples.text.utf8))
        await #expect(throws: SessionError.self) {
            try await BodyDecodingTests.read(BodyDecodingTests.cut(Array(bytes.dropLast()), length), coding.rawValue)
        }
    }
}

@Suite("Content codings that need a library")
struct MissingLibraryTests {
    @Test(
        "The error for a missing library names the coding, the library and its package",
        arguments: [
            (.brotli, "the body is encoded with br, which needs libbrotli (apt-get install libbrotli1)"),
            (.zstd, "the body is encoded with zstd, which needs libzstd (apt-get install libzstd1)"),
        ] as [(ContentCoding, String)])
    func missing(_ coding: ContentCoding, _ message: String) {
        #expect(coding.missingLibrary.description == message)
        #expect(coding.missingLibrary.reason == .unavailableContentCoding)
    }

    @Test("Bodies cannot be encoded with a coding that is only decoded", arguments: [ContentCoding.brotli, .zstd])
    func encoding(_ coding: ContentCoding) async {
        #expect(throws: ContentCodingError.self) { try coding.encode([1]) }
        #expect(throws: ContentCodingError.self) { try ContentEncoder(coding) }
        var request = Request(.post, url: "http://a.test/", body: .text("text"))
        request.compression = coding
        let session = Session(transport: ScriptedTransport())
        let error = await ExchangeTests.failure { try await session.send(request) }
        #expect(error?.reason == .unreadableBody)
        #expect(error?.message == "the \(coding.rawValue) body cannot be encoded; only gzip and deflate can")
    }
}
