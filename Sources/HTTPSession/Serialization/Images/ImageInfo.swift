/// What the header of an image says; the image itself is not decoded.
public struct ImageInfo: Sendable, Hashable {
    /// A format of images.
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

        /// The format that bytes begin like, whether or not a whole header follows; nil for no known format.
        public init?(signatureOf bytes: [UInt8]) {
            guard let format = ImageHeaderReader(bytes).signature else { return nil }
            self = format
        }
    }

    /// The format, by the first bytes.
    public var format: Format
    /// The width in pixels, of an icon that of its largest image.
    public var width: Int
    /// The height in pixels, of an icon that of its largest image.
    public var height: Int

    /// Creates a description.
    public init(format: Format, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }

    /// The bytes that the decoded image takes in memory, at four bytes a pixel.
    public var decodedBytes: Int {
        let (pixels, isTooLarge) = width.multipliedReportingOverflow(by: height)
        let (bytes, areTooMany) = pixels.multipliedReportingOverflow(by: 4)
        return isTooLarge || areTooMany ? .max : bytes
    }

    /// Reads the header of an image; nil for bytes of no known format, and for an image without a size.
    public init?(_ bytes: [UInt8]) {
        let reader = ImageHeaderReader(bytes)
        guard let info = reader.info(), info.width > 0, info.height > 0 else { return nil }
        self = info
    }
}
