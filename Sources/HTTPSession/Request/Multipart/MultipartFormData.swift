import Basics
public import FoundationEssentials

/// A form whose parts are fields, files and streams (`multipart/form-data`, RFC 7578).
///
/// ```swift
/// var form = MultipartFormData()
/// form.append("A title", name: "title")
/// form.append(file: "/tmp/report.pdf", name: "report")
/// let response = try await session.post("upload", multipart: form).response()
/// ```
///
/// No temporary file is written: the body is assembled while it is sent.
public struct MultipartFormData: Sendable {
    /// The boundary between the parts; nil for a random one.
    public var boundary: String?
    /// The parts, in the order in which they are sent.
    public var parts: [MultipartPart]

    /// Creates a form.
    /// - Parameters:
    ///   - boundary: The boundary between the parts, 1 to 70 characters (RFC 2046, section 5.1.1); nil for a random
    ///     one.
    ///   - parts: The parts.
    public init(boundary: String? = nil, parts: [MultipartPart] = []) {
        self.boundary = boundary
        self.parts = parts
    }

    /// Adds a part.
    public mutating func append(_ part: MultipartPart) {
        parts.append(part)
    }

    /// Adds a text field.
    public mutating func append(_ text: String, name: String) {
        append(MultipartPart(name: name, body: .text(text)))
    }

    /// Adds bytes, as a file if a file name is given and as a field otherwise.
    /// - Parameters:
    ///   - bytes: The content of the part.
    ///   - name: The name of the form field.
    ///   - fileName: The file name; nil for a field.
    ///   - contentType: The media type; nil derives it from the extension of the file name.
    public mutating func append(
        _ bytes: [UInt8], name: String, fileName: String? = nil, contentType: String? = nil
    ) {
        let type = contentType ?? fileName.map { MediaTypes.type(ofFile: $0) }
        append(MultipartPart(name: name, fileName: fileName, contentType: type, body: .bytes(bytes)))
    }

    /// Adds a file, which is read while the form is sent.
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name of the form field.
    ///   - fileName: The file name that is sent to the server; nil for the last component of the path.
    ///   - contentType: The media type; nil derives it from the extension of the file name.
    public mutating func append(file path: String, name: String, fileName: String? = nil, contentType: String? = nil) {
        let itsName = fileName ?? path.split(separator: "/").last.map(String.init) ?? path
        append(
            MultipartPart(
                name: name, fileName: itsName, contentType: contentType ?? MediaTypes.type(ofFile: itsName),
                body: .file(path: path)))
    }

    /// Adds a streamed body, produced while the form is sent.
    ///
    /// The form has a known length only if each part has one.
    /// - Parameters:
    ///   - stream: The body.
    ///   - name: The name of the form field.
    ///   - fileName: The file name; nil for a field.
    ///   - contentType: The media type; nil derives it from the extension of the file name.
    public mutating func append(
        stream: BodySource, name: String, fileName: String? = nil, contentType: String? = nil
    ) {
        let type = contentType ?? fileName.map { MediaTypes.type(ofFile: $0) }
        append(MultipartPart(name: name, fileName: fileName, contentType: type, body: .stream(stream)))
    }

    /// Returns the value of the `Content-Type` field for a boundary.
    public func contentType(boundary: String) -> String {
        ByteClass.isToken(boundary)
            ? "multipart/form-data; boundary=" + boundary : "multipart/form-data; boundary=\"" + boundary + "\""
    }

    /// Returns a random boundary with 128 random bits, which no body contains in practice.
    static func makeBoundary(_ random: SessionRandom) -> String {
        "HTTPSession-" + Hexadecimal.encode(random.bytes(16))
    }

    /// The maximum size in bytes of a form that is assembled in memory.
    static let bytesInMemory = 256 << 10

    /// Returns the form as a request body.
    ///
    /// The body is in memory if all parts are in memory and it is small. Otherwise it is produced while it is sent. It
    /// then has a length if each part has a known length, and is replayable if each part is. This method determines the
    /// sizes of files.
    /// - Parameter boundary: The boundary between the parts.
    /// - Throws: ``SessionError`` if a file does not exist, or the boundary or a header field cannot be sent.
    public func encoded(boundary: String) throws(SessionError) -> RequestBody {
        guard Self.isValid(boundary) else {
            throw Self.failure(.unencodable, "invalid boundary \"\(boundary)\"")
        }
        var builder = MultipartBuilder(boundary: boundary)
        for part in parts { try builder.append(part) }
        let body = builder.body(bytesInMemory: Self.bytesInMemory)
        guard case .stream(var source) = body else { return body }
        source.form = parts
        return .stream(source)
    }

    /// Returns the form as a request body, and the matching `Content-Type` field.
    /// - Parameter random: The source of the boundary if the form does not set one.
    /// - Throws: ``SessionError`` if a file does not exist, or the boundary or a header field cannot be sent.
    public func encoded(
        random: SessionRandom = .system
    ) throws(SessionError) -> (body: RequestBody, contentType: String) {
        let boundary = boundary ?? Self.makeBoundary(random)
        return (try encoded(boundary: boundary), contentType(boundary: boundary))
    }

    static func failure(_ reason: SessionError.Reason, _ message: MessageText) -> SessionError {
        SessionError(phase: .request, reason: reason, message: message)
    }

    private static let boundaryBytes = ByteClass.Set(alphanumericAnd: "'()+_,-./:=? ")

    /// Returns whether a boundary has 1 to 70 allowed characters and no trailing space.
    private static func isValid(_ boundary: String) -> Bool {
        let set = boundaryBytes
        return 1...70 ~= boundary.utf8.count && boundary.utf8.last != 32
            && boundary.utf8.allSatisfy { set.contains($0) }
    }
}

extension MultipartFormData {
    /// Adds a field for each value of the parameters, with the names and order that AFNetworking uses.
    ///
    /// Bytes are sent unchanged, null becomes an empty field, and other values are written as by
    /// ``QueryEncoder/afNetworking``.
    public mutating func append(_ parameters: Parameters) {
        append(.dictionary(parameters), name: nil)
    }

    private mutating func append(_ value: ParameterValue, name: String?) {
        switch value {
        case .dictionary(let members):
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                append(value, name: name.map { $0 + "[" + key + "]" } ?? key)
            }
        case .array(let values):
            for value in values { append(value, name: (name ?? "") + "[]") }
        case .set(let values):
            for value in ParameterValue.sorted(values) { append(value, name: name) }
        case .data(let bytes):
            append(bytes, name: name ?? "")
        default:
            append(FormWriter.sortingText(of: value, null: ""), name: name ?? "")
        }
    }
}

extension MultipartFormData {
    /// Adds data, as a file if a file name is given and as a field otherwise.
    /// - Parameters:
    ///   - data: The content of the part.
    ///   - name: The name of the form field.
    ///   - fileName: The file name; nil for a field.
    ///   - contentType: The media type; nil derives it from the extension of the file name.
    public mutating func append(
        _ data: Data, name: String, fileName: String? = nil, contentType: String? = nil
    ) {
        append(Array(data), name: name, fileName: fileName, contentType: contentType)
    }

    /// Adds a file, which is read while the form is sent.
    /// - Parameters:
    ///   - url: The file URL.
    ///   - name: The name of the form field.
    ///   - fileName: The file name that is sent to the server; nil for the last component of the path.
    ///   - contentType: The media type; nil derives it from the extension of the file name.
    public mutating func append(file url: URL, name: String, fileName: String? = nil, contentType: String? = nil) {
        append(file: url.path, name: name, fileName: fileName, contentType: contentType)
    }
}
