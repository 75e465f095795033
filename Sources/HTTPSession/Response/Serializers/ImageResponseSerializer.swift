/// A serializer that reads the format and size of an image.
///
/// ```swift
/// let cover = try await session.get("cover.png").serialize(with: .image)
/// print(cover.format, cover.width, cover.height)
/// ```
public struct ImageResponseSerializer: ResponseSerializer {
    /// The transformations applied to the body before it is read.
    public var preprocessors: [BodyPreprocessor]

    /// Creates a serializer.
    /// - Parameter preprocessors: The transformations applied to the body before it is read.
    public init(preprocessors: [BodyPreprocessor] = []) {
        self.preprocessors = preprocessors
    }

    /// Returns the format and size in the image's header.
    public func serialize(_ response: Response) throws -> ImageInfo {
        let body = try preprocessors.processed(response.body)
        if body.isEmpty { throw ResponseSerializationError.emptyBody }
        guard let info = ImageInfo(body) else { throw ResponseSerializationError.unknownImage }
        return info
    }
}

extension ResponseSerializer where Self == ImageResponseSerializer {
    /// A serializer that reads the format and size of an image.
    public static var image: ImageResponseSerializer { ImageResponseSerializer() }
}

/// The format and size of an image, read from its header without decoding the image.
public struct ImageInfo: Sendable, Hashable {
    /// An image format.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// PNG (ISO/IEC 15948).
        case png
        /// JPEG (ITU-T T.81).
        case jpeg
        /// GIF.
        case gif
        /// WebP (RFC 9649).
        case webP
        /// BMP.
        case bmp
        /// AVIF.
        case avif
        /// HEIC.
        case heic
        /// ICO.
        case ico

        /// Creates a format from the signature of an image, even if its header is incomplete; returns nil if it is
        /// unknown.
        public init?(signatureOf bytes: [UInt8]) {
            guard let format = ImageHeaderReader(bytes).signature else { return nil }
            self = format
        }
    }

    /// The format, determined by the signature.
    public var format: Format
    /// The width in pixels; for an icon file, of its largest image.
    public var width: Int
    /// The height in pixels; for an icon file, of its largest image.
    public var height: Int

    /// Creates image info.
    /// - Parameters:
    ///   - format: The format.
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    public init(format: Format, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }

    /// The memory size of the decoded image in bytes, with four bytes per pixel.
    public var decodedBytes: Int {
        let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
        let (bytes, areTooMany) = pixels.multipliedReportingOverflow(by: 4)
        return isTooLarge || areTooMany ? .max : bytes
    }

    /// Creates image info from the header of an image, or returns nil if the format is unknown or the image has no
    /// size.
    public init?(_ bytes: [UInt8]) {
        let reader = ImageHeaderReader(bytes)
        guard let info = reader.info(), info.width > 0, info.height > 0 else { return nil }
        self = info
    }
}

/// A reader of the format and size in image headers.
struct ImageHeaderReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the format and size, or nil if the header is unknown.
    func info() -> ImageInfo? {
        switch signature {
        case .png: png()
        case .jpeg: jpeg()
        case .gif: make(.gif, little16(6), little16(8))
        case .webP: webP()
        case .bmp: bmp()
        case .avif: isoMedia(.avif)
        case .heic: isoMedia(.heic)
        case .ico: icon()
        case nil: nil
        }
    }

    /// The format that the first bytes indicate.
    var signature: ImageInfo.Format? {
        if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return .png }
        if has([0xFF, 0xD8, 0xFF], at: 0) { return .jpeg }
        if has("GIF87a", at: 0) || has("GIF89a", at: 0) { return .gif }
        if has("RIFF", at: 0), has("WEBP", at: 8) { return .webP }
        if has("BM", at: 0), isBitmap { return .bmp }
        if has("ftyp", at: 4) { return isoFormat }
        if has([0, 0, 1, 0], at: 0) { return .ico }
        return nil
    }

    private func make(_ format: ImageInfo.Format, _ width: Int?, _ height: Int?) -> ImageInfo? {
        guard let width, let height else { return nil }
        return ImageInfo(format: format, width: width, height: height)
    }

    private func png() -> ImageInfo? {
        has("IHDR", at: 12) ? make(.png, big32(16), big32(20)) : nil
    }

    /// Skips segments up to the frame header (T.81, section B.2.2).
    private func jpeg() -> ImageInfo? {
        var index = 2
        while let mark = byte(index), let marker = byte(index + 1) {
            guard mark == 0xFF else { return nil }
            switch marker {
            case 0xFF: index += 1
            case 0x01, 0xD0...0xD8: index += 2
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                return make(.jpeg, big16(index + 7), big16(index + 5))
            case 0xD9, 0xDA: return nil
            default:
                guard let length = big16(index + 2), length >= 2 else { return nil }
                index += 2 + length
            }
        }
        return nil
    }

    private func webP() -> ImageInfo? {
        if has("VP8 ", at: 12) {
            guard has([0x9D, 0x01, 0x2A], at: 23) else { return nil }
            return make(.webP, little16(26).map { $0 & 0x3FFF }, little16(28).map { $0 & 0x3FFF })
        }
        if has("VP8L", at: 12) {
            guard byte(20) == 0x2F, let bits = little32(21) else { return nil }
            return make(.webP, (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        guard has("VP8X", at: 12) else { return nil }
        return make(.webP, little24(24).map { $0 + 1 }, little24(27).map { $0 + 1 })
    }

    /// Whether a bitmap header of a known size follows "BM", which can also be the start of a text.
    private var isBitmap: Bool {
        switch little32(14) {
        case 12, 16, 40, 52, 56, 64, 108, 124: true
        // The data end before the header size. The reserved bytes of a bitmap are zero.
        case nil: bytes.count >= 10 && bytes[6..<10].allSatisfy { $0 == 0 }
        default: false
        }
    }

    private func bmp() -> ImageInfo? {
        guard let headerSize = little32(14) else { return nil }
        if headerSize == 12 { return make(.bmp, little16(18), little16(20)) }
        // A negative height means that the top row comes first.
        guard let width = little32(18), let height = little32(22), width <= Int32.max else { return nil }
        return make(.bmp, width, abs(Int(Int32(truncatingIfNeeded: height))))
    }

    private func icon() -> ImageInfo? {
        guard let count = little16(4), count > 0 else { return nil }
        var largest: ImageInfo?
        for entry in 0..<count {
            let offset = 6 + entry * 16
            guard let width = byte(offset), let height = byte(offset + 1), offset + 16 <= bytes.count else { break }
            let info = ImageInfo(
                format: .ico, width: width == 0 ? 256 : Int(width), height: height == 0 ? 256 : Int(height))
            if info.decodedBytes > largest?.decodedBytes ?? 0 { largest = info }
        }
        return largest
    }

    // MARK: AVIF and HEIC

    /// The format that the major brand indicates.
    private var isoFormat: ImageInfo.Format? {
        if has("avif", at: 8) || has("avis", at: 8) { return .avif }
        if has("heic", at: 8) || has("heix", at: 8) || has("mif1", at: 8) { return .heic }
        return nil
    }

    /// Returns the largest size in the image properties: boxes `meta`, `iprp`, `ipco`, `ispe` (ISO/IEC 23008-12,
    /// section 6).
    private func isoMedia(_ format: ImageInfo.Format) -> ImageInfo? {
        guard let meta = box("meta", in: 0..<bytes.count), meta.count >= 4,
            let properties = box("iprp", in: (meta.lowerBound + 4)..<meta.upperBound),
            let container = box("ipco", in: properties)
        else { return nil }
        var largest: ImageInfo?
        var rest = container
        while let extents = box("ispe", in: rest) {
            if let info = make(format, big32(extents.lowerBound + 4), big32(extents.lowerBound + 8)),
                info.decodedBytes > largest?.decodedBytes ?? 0
            {
                largest = info
            }
            rest = extents.upperBound..<rest.upperBound
        }
        return largest
    }

    /// Returns the contents of the first box of a type.
    private func box(_ type: StaticString, in range: Range<Int>) -> Range<Int>? {
        var start = range.lowerBound
        while start + 8 <= range.upperBound, let size = big32(start) {
            let end = size == 0 ? range.upperBound : start + size
            guard size == 0 || size >= 8, end <= range.upperBound else { return nil }
            if has(type, at: start + 4) { return (start + 8)..<end }
            start = end
        }
        return nil
    }

    // MARK: Numbers

    private func byte(_ index: Int) -> UInt8? {
        bytes.indices.contains(index) ? bytes[index] : nil
    }

    private func has(_ expected: [UInt8], at offset: Int) -> Bool {
        bytes.dropFirst(offset).starts(with: expected)
    }

    private func has(_ expected: StaticString, at offset: Int) -> Bool {
        expected.withUTF8Buffer { bytes.dropFirst(offset).starts(with: $0) }
    }

    /// Returns a big-endian number of `count` bytes.
    private func big(_ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, count <= bytes.count - offset else { return nil }
        return bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
    }

    private func little(_ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, count <= bytes.count - offset else { return nil }
        return bytes[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private func big16(_ offset: Int) -> Int? { big(offset, 2) }
    private func big32(_ offset: Int) -> Int? { big(offset, 4) }
    private func little16(_ offset: Int) -> Int? { little(offset, 2) }
    private func little24(_ offset: Int) -> Int? { little(offset, 3) }
    private func little32(_ offset: Int) -> Int? { little(offset, 4) }
}
