import HTTPSession
import Testing

/// Tests of the information in image headers.
@Suite("Image headers")
struct ImageInfoTests {
    private static func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        big(contents.count + 8) + text(type) + contents
    }

    private static let webPStart = text("RIFF") + little(100, 4) + text("WEBP")

    /// Bytes and the parsed information.
    static let table: [([UInt8], ImageInfo?)] = [
        (
            [0x89] + text("PNG\r\n") + [0x1A, 0x0A] + big(13) + text("IHDR") + big(640) + big(480) + [8, 6, 0, 0, 0],
            ImageInfo(format: .png, width: 640, height: 480)
        ),
        (
            [0xFF, 0xD8, 0xFF, 0xE0] + big(4, 2) + [0, 0, 0xFF, 0xFF, 0xDB] + big(3, 2) + [0, 0xFF, 0xC2] + big(17, 2)
                + [8] + big(30, 2) + big(40, 2),
            ImageInfo(format: .jpeg, width: 40, height: 30)
        ),
        (text("GIF89a") + little(300, 2) + little(2, 2), ImageInfo(format: .gif, width: 300, height: 2)),
        (
            webPStart + text("VP8 ") + little(10, 4) + [0, 0, 0, 0x9D, 0x01, 0x2A] + little(0x4000 | 320, 2)
                + little(200, 2), ImageInfo(format: .webP, width: 320, height: 200)
        ),
        (
            webPStart + text("VP8L") + little(10, 4) + [0x2F] + little((99 << 14) | 319, 4),
            ImageInfo(format: .webP, width: 320, height: 100)
        ),
        (
            webPStart + text("VP8X") + little(10, 4) + [0, 0, 0, 0] + little(69_999, 3) + little(9, 3),
            ImageInfo(format: .webP, width: 70_000, height: 10)
        ),
        (
            text("BM") + little(0, 12) + little(40, 4) + little(7, 4) + little(-5, 4),
            ImageInfo(format: .bmp, width: 7, height: 5)
        ),
        (
            text("BM") + little(0, 12) + little(12, 4) + little(7, 2) + little(5, 2),
            ImageInfo(format: .bmp, width: 7, height: 5)
        ),
        (
            text("BM") + little(0, 12) + little(64, 4) + little(7, 4) + little(5, 4),
            ImageInfo(format: .bmp, width: 7, height: 5)
        ),
        (text("BMW sells cars, and texts begin with any letters."), nil),
        (text("BM") + little(0, 12) + little(40, 4) + little(7, 4), nil),
        (
            [0, 0, 1, 0, 2, 0, 16, 16] + little(0, 14) + [0, 0] + little(0, 14),
            ImageInfo(format: .ico, width: 256, height: 256)
        ),
        (
            box("ftyp", text("avif")) + box("free", [])
                + box(
                    "meta",
                    [0, 0, 0, 0]
                        + box(
                            "iprp",
                            box(
                                "ipco",
                                box("ispe", big(0) + big(64) + big(64)) + box("pixi", [1])
                                    + box("ispe", big(0) + big(512) + big(384))))),
            ImageInfo(format: .avif, width: 512, height: 384)
        ),
        (text("GIF89a") + little(300, 2), nil),
        (text("GIF89a") + little(0, 4), nil),
        ([0xFF, 0xD8, 0xFF, 0xE0, 0, 1], nil),
        ([0xFF, 0xD8, 0xFF, 0xDA, 0, 8], nil),
        (box("ftyp", text("avif")) + big(4) + text("meta"), nil),
        (text("<svg/>"), nil),
        ([], nil),
    ]

    @Test("The format and the size are detected, and data that is not an image yields nil", arguments: table.indices)
    func headers(index: Int) throws {
        let (bytes, expected) = Self.table[index]
        #expect(ImageInfo(bytes) == expected)
        for count in 0..<bytes.count { _ = ImageInfo(Array(bytes.prefix(count))) }
    }

    @Test("A truncated image yields its format and no incorrect size", arguments: table.indices)
    func truncated(index: Int) throws {
        let (bytes, expected) = Self.table[index]
        guard let expected else { return }
        #expect(ImageInfo.Format(signatureOf: bytes) == expected.format)
        for count in 0..<bytes.count {
            let prefix = Array(bytes.prefix(count))
            if let info = ImageInfo(prefix) { #expect(info.format == expected.format) }
            if count < 4 { #expect(ImageInfo(prefix) == nil) }
            if count >= 12 { #expect(ImageInfo.Format(signatureOf: prefix) == expected.format) }
        }
    }

    @Test("Long padding and many segments are processed in linear time")
    func padding() throws {
        let padding = [UInt8](repeating: 0xFF, count: 1_000_000)
        #expect(ImageInfo(Self.table[1].0.prefix(2) + padding) == nil)
        let segment: [UInt8] = [0xFF, 0xE0, 0, 2]
        #expect(ImageInfo([0xFF, 0xD8] + Array(repeatElement(segment, count: 250_000).joined())) == nil)
        #expect(ImageInfo.Format(signatureOf: Self.text("hello")) == nil)
        #expect(ImageInfo.Format(signatureOf: []) == nil)
    }

    @Test("The decoded size is four bytes per pixel")
    func cost() throws {
        #expect(ImageInfo(format: .png, width: 640, height: 480).decodedBytes == 1_228_800)
        #expect(ImageInfo(format: .png, width: .max, height: 480).decodedBytes == .max)
        let info = try response(200, [:], Array("GIF87a".utf8) + [2, 0, 3, 0]).serialize(with: .image)
        #expect(info == ImageInfo(format: .gif, width: 2, height: 3))
        #expect(throws: SessionError.self) { try response(204).serialize(with: .image) }
    }
}
