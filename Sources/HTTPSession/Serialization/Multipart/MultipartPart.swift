/// A part of a multipart form.
public struct MultipartPart: Sendable {
    /// The name of the field.
    public var name: String
    /// The name of the file, which makes it one.
    public var fileName: String?
    /// The media type; nil leaves it to the recipient, which assumes `text/plain`.
    public var contentType: String?
    /// Further fields of the part's header.
    public var headers: HTTPHeaders
    /// What is in it.
    public var body: RequestBody

    /// Creates a part.
    public init(
        name: String, fileName: String? = nil, contentType: String? = nil, headers: HTTPHeaders = .init(),
        body: RequestBody
    ) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }

    /// The part's header with the empty line after it.
    /// - Throws: ``SessionError`` for a field that cannot be sent.
    func header() throws(SessionError) -> [UInt8] {
        var text = "Content-Disposition: form-data; name=\"" + Self.escaped(name) + "\""
        if let fileName { text += "; filename=\"" + Self.escaped(fileName) + "\"" }
        text += "\r\n"
        var fields = headers
        fields.remove("Content-Disposition")
        if let contentType { fields.set(name: "Content-Type", value: contentType) }
        for field in fields {
            guard ByteClass.isToken(field.name), ByteClass.isFieldValue(field.value) else {
                throw MultipartFormData.failure(
                    .invalidHeader,
                    "the field \(SerializationFailure.excerpt(Array(field.name.utf8))) of the part "
                        + "\"\(SerializationFailure.excerpt(Array(name.utf8)))\" cannot be sent")
            }
            text += field.name + ": " + field.value + "\r\n"
        }
        return Array((text + "\r\n").utf8)
    }

    /// A name as it stands between quotes (HTML standard, multipart/form-data encoding algorithm).
    static func escaped(_ name: String) -> String {
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += Array("%22".utf8)
            case 13: bytes += Array("%0D".utf8)
            case 10: bytes += Array("%0A".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
