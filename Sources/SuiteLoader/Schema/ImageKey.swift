import SuiteModel

/// Keys of `image`.
enum ImageKey: String, CaseIterable, Sendable {
    case format, width, height

    static let schema = MapSchema<ImageKey>(
        "image", title: "image", "What the image that the body is must be.",
        rows: [
            .init(
                .format, .matcher(.value), "The format: `png`, `jpeg`, `gif`, `webp`, `bmp`, `avif`, `heic` or `ico`."),
            .init(.width, .matcher(.value), "The width in pixels."),
            .init(.height, .matcher(.value), "The height in pixels."),
        ])
}
