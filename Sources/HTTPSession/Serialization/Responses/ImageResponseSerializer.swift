/// Format and size of the image that the body is.
public struct ImageResponseSerializer: ResponseSerializer {
    /// Change the body first.
    public var preprocessors: [BodyPreprocessor]

    /// Creates a serializer.
    public init(preprocessors: [BodyPreprocessor] = []) {
        self.preprocessors = preprocessors
    }

    /// What the image's header says.
    public func serialize(_ response: Response) throws -> ImageInfo {
        let body = try preprocessors.processed(response.body)
        if body.isEmpty { throw ResponseSerializationError.emptyBody }
        guard let info = ImageInfo(body) else { throw ResponseSerializationError.unknownImage }
        return info
    }
}

extension ResponseSerializer where Self == ImageResponseSerializer {
    /// Format and size of an image.
    public static var image: ImageResponseSerializer { ImageResponseSerializer() }
}
