import Basics
import HTTPTypes
import JSON
import NIOCore
import SuiteModel

/// A request as routes, conditions, templates and collections see it.
///
/// It is a class so that its body is parsed once at most, when something first asks for it.
final class MockRequest {
    /// The method.
    let method: String
    /// The request target as sent.
    let target: String
    /// The path as sent, without the query.
    let path: Substring
    /// The path's segments, percent-decoded.
    let segments: [String]
    /// The query as sent, without its question mark.
    let queryText: Substring
    /// The header fields.
    let fields: HTTPFields
    /// The body.
    let body: ByteBuffer

    /// The query's parameters.
    private(set) lazy var query = QueryString(queryText)
    /// The body as JSON, whatever its media type says; nil when it is empty.
    private(set) lazy var json: Result<JSONValue, JSONParseError>? = parseBody()
    /// The fields of the body, if it is a form; none otherwise.
    private(set) lazy var form = QueryString(isForm ? text[...] : "")
    /// The body as text.
    private(set) lazy var text = String(buffer: body)
    /// The cookies that the request sends, in order.
    private(set) lazy var cookies: [(name: String, value: String)] = readCookies()

    /// Creates a request from a head and its body.
    init(method: String, target: String, fields: HTTPFields, body: ByteBuffer) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        var rest = target[...]
        if rest.utf8.first != UInt8(ascii: "/"), let authority = rest.endOfScheme("://") {
            // The absolute form that proxies are asked with (RFC 9112, section 3.2.2).
            let afterAuthority = rest[authority...].utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            rest = rest[afterAuthority...]
        }
        let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
        path = rest[..<(mark ?? rest.endIndex)]
        queryText = mark.map { rest[rest.utf8.index(after: $0)...] } ?? ""
        segments = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { PercentEncoding.decode(Substring($0)) }
    }

    /// The media type of the body in lower case, without parameters; nil when the request does not say.
    var mediaType: String? {
        fields[.contentType].map { value in
            value.prefix { $0 != ";" }.trimmingSpaces().lowercased()
        }
    }

    /// True when the media type is JSON or has JSON's syntax.
    var isJSON: Bool {
        guard let mediaType else { return false }
        return mediaType == "application/json" || mediaType.hasSuffix("+json")
    }

    /// True when the body is a form.
    var isForm: Bool { mediaType == "application/x-www-form-urlencoded" }

    private func parseBody() -> Result<JSONValue, JSONParseError>? {
        guard body.readableBytes > 0 else { return nil }
        return body.withUnsafeReadableBytes { bytes in
            do throws(JSONParseError) {
                return .success(try JSONParser().parse(bytes))
            } catch {
                return .failure(error)
            }
        }
    }

    private func readCookies() -> [(name: String, value: String)] {
        fields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            return (
                pair[..<equals].trimmingSpaces(), pair[pair.utf8.index(after: equals)...].trimmingSpaces()
            )
        }
    }
}
