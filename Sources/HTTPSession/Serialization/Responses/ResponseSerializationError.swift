/// Why a serializer of this library could make no value of a body.
public enum ResponseSerializationError: Error, Sendable, CustomStringConvertible {
    /// The body is empty, and neither status nor method say that it may be.
    case emptyBody
    /// The body is empty and may be, but the type has no value for that.
    case noEmptyValue(type: String)
    /// The body is not text in its encoding.
    case invalidText(TextEncoding)
    /// The body is in an encoding that is not known.
    case unknownCharset(String)
    /// The body is no image of a known format, or has no size.
    case unknownImage
    /// The body is no property list that can be read, for a reason in words.
    case invalidPropertyList(String)
    /// Each serializer failed, with these errors.
    case allFailed([any Error])

    /// What is wrong, in plain words.
    public var description: String {
        switch self {
        case .emptyBody: "the body is empty"
        case .noEmptyValue(let type): "the body is empty, and \(type) has no value for that"
        case .invalidText(let encoding): "the body is not valid \(encoding)"
        case .unknownCharset(let name): "the charset \"\(name)\" is not known"
        case .unknownImage: "the body is no image of a known format"
        case .invalidPropertyList(let reason): "the property list cannot be read: " + reason
        case .allFailed(let errors):
            errors.enumerated().map { "\($0.offset + 1). \(SerializationFailure.text(of: $0.element))" }
                .joined(separator: "; ")
        }
    }
}
