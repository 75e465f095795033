import Basics
public import FoundationEssentials

/// A form whose parts are texts, files and other bodies (`multipart/form-data`, RFC 7578).
///
/// ```swift
/// var form = MultipartFormData()
/// form.append("A title", name: "title")
/// form.append(file: "/tmp/report.pdf", name: "report")
/// let response = try await session.post("upload", multipart: form).response()
/// ```
///
/// Nothing is written to a temporary file: the body is put together while it is sent.
public struct MultipartFormData: Sendable {
    /// The line between the parts; nil for a random one.
    public var boundary: String?
    /// The parts, in the order they are sent.
    public var parts: [MultipartPart]

    /// Creates a form.
    /// - Parameters:
    ///   - boundary: The line between the parts, 1 to 70 characters (RFC 2046 section 5.1.1); nil for a random one.
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

    /// Adds bytes, as a field or, with a file name, as a file.
    public mutating func append(
        _ bytes: [UInt8], name: String, fileName: String? = nil, contentType: String? = nil
    ) {
        let type = contentType ?? fileName.map { MediaTypes.type(ofFile: $0) }
        append(MultipartPart(name: name, fileName: fileName, contentType: type, body: .bytes(bytes)))
    }

    /// Adds a file, which is read while the form is sent.
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - name: The name of the field.
    ///   - fileName: The name that the server is told; nil for the last component of the path.
    ///   - contentType: The media type; nil for the one of the file name's extension.
    public mutating func append(file path: String, name: String, fileName: String? = nil, contentType: String? = nil) {
        let itsName = fileName ?? path.split(separator: "/").last.map(String.init) ?? path
        append(
            MultipartPart(
                name: name, fileName: itsName, contentType: contentType ?? MediaTypes.type(ofFile: itsName),
                body: .file(path: path)))
    }

    /// Adds a body that is made while it is sent; the form's length is known before only if that of each part is.
    public mutating func append(
        stream: BodySource, name: String, fileName: String? = nil, contentType: String? = nil
    ) {
        let type = contentType ?? fileName.map { MediaTypes.type(ofFile: $0) }
        append(MultipartPart(name: name, fileName: fileName, contentType: type, body: .stream(stream)))
    }

    /// The value of the `Content-Type` field for a boundary.
    public func contentType(boundary: String) -> String {
        ByteClass.isToken(boundary)
            ? "multipart/form-data; boundary=" + boundary : "multipart/form-data; boundary=\"" + boundary + "\""
    }

    /// A boundary that is in no body but by a chance of 2 to the power of 128.
    static func makeBoundary(_ random: SessionRandom) -> String {
        "HTTPSession-" + Hexadecimal.encode(random.bytes(16))
    }

    /// The most bytes that are put together in memory when all parts are there.
    static let bytesInMemory = 256 << 10

    /// The form as a body.
    ///
    /// It is in memory if all parts are and it is small. Otherwise it is made while it is sent: with a length if that of
    /// each part is known, and replayable if each part is. The sizes of files are asked for here.
    /// - Throws: ``SessionError`` for a file that is not there, a boundary or a header that cannot be sent.
    public func encoded(boundary: String) throws(SessionError) -> RequestBody {
        guard Self.isValid(boundary) else {
            throw Self.failure(.unencodable, "the boundary \"\(boundary)\" is not valid")
        }
        var builder = MultipartBuilder(boundary: boundary)
        for part in parts { try builder.append(part) }
        let body = builder.body(bytesInMemory: Self.bytesInMemory)
        guard case .stream(var source) = body else { return body }
        source.form = parts
        return .stream(source)
    }

    /// The form as a body, and the `Content-Type` field that goes with it.
    /// - Parameter random: Gives the boundary where the form has none of its own.
    /// - Throws: ``SessionError`` as ``encoded(boundary:)`` does.
    public func encoded(
        random: SessionRandom = .system
    ) throws(SessionError) -> (body: RequestBody, contentType: String) {
        let boundary = boundary ?? Self.makeBoundary(random)
        return (try encoded(boundary: boundary), contentType(boundary: boundary))
    }

    static func failure(_ reason: SessionError.Reason, _ message: String) -> SessionError {
        SessionError(phase: .request, reason: reason, message: message)
    }

    private static let boundaryBytes = ByteClass.Set(alphanumericAnd: "'()+_,-./:=? ")

    /// Whether a boundary has 1 to 70 of the characters that are allowed, and no space at its end.
    private static func isValid(_ boundary: String) -> Bool {
        let set = boundaryBytes
        return 1...70 ~= boundary.utf8.count && boundary.utf8.last != 32
            && boundary.utf8.allSatisfy { set.contains($0) }
    }
}

extension MultipartFormData {
    /// Adds a field for each value of parameters, named and ordered as AFNetworking does it.
    ///
    /// Bytes are sent as they are, null as an empty field, and other values as in ``QueryEncoder/afNetworking``.
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
    /// Adds bytes, as a field or, with a file name, as a file.
    public mutating func append(
        _ data: Data, name: String, fileName: String? = nil, contentType: String? = nil
    ) {
        append(Array(data), name: name, fileName: fileName, contentType: contentType)
    }

    /// Adds a file, which is read while the form is sent.
    public mutating func append(file url: URL, name: String, fileName: String? = nil, contentType: String? = nil) {
        append(file: url.path, name: name, fileName: fileName, contentType: contentType)
    }
}
