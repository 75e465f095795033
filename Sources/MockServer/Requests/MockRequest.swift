import Basics
package import HTTPTypes
import JSON
package import NIOCore
import SuiteModel

/// A request as input for routes, conditions, templates, and collections.
///
/// This type is a class so that the body is parsed only once, on first access.
package final class MockRequest {
    /// The request method.
    package let method: String
    /// The request target as sent.
    package let target: String
    /// The path as sent, without the query.
    let path: Substring
    /// The percent-decoded segments of the path.
    let segments: [String]
    /// The query as sent, without the question mark.
    let queryText: Substring
    /// The header fields.
    package let fields: HTTPFields
    /// The body.
    package let body: ByteBuffer

    /// The parameters of the query.
    private(set) lazy var query = QueryString(queryText)
    /// The body parsed as JSON regardless of its media type, or `nil` if the body is empty.
    private(set) lazy var json: Result<JSONValue, JSONParseError>? = parseBody()
    /// The fields of a form body. Empty for any other body.
    private(set) lazy var form = QueryString(isForm ? text[...] : "")
    /// The body decoded as UTF-8.
    private(set) lazy var text = String(buffer: body)
    /// The cookies of the request, in order.
    private(set) lazy var cookies: [(name: String, value: String)] = readCookies()

    /// Creates a request from its head and body.
    init(method: String, target: String, fields: HTTPFields, body: ByteBuffer) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        var rest = target[...]
        if rest.utf8.first != UInt8(ascii: "/"), let authority = rest.endOfScheme("://") {
            // Requests to proxies use the absolute form (RFC 9112, section 3.2.2).
            let afterAuthority = rest[authority...].utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            rest = rest[afterAuthority...]
        }
        let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
        path = rest[..<(mark ?? rest.endIndex)]
        queryText = mark.map { rest[rest.utf8.index(after: $0)...] } ?? ""
        segments = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { PercentEncoding.decode(Substring($0)) }
    }

    /// The host and port that the client connected to, by its `Host` field; empty without one.
    package var host: String {
        fields.first { $0.name.canonicalName == "host" }?.value ?? ""
    }

    /// The lowercase media type of the body without parameters, or `nil` if the request does not specify one.
    var mediaType: String? {
        fields[.contentType].map { value in
            value.prefix { $0 != ";" }.trimmingSpaces().lowercased()
        }
    }

    /// A Boolean value that indicates whether the media type is JSON or has the suffix `+json`.
    var isJSON: Bool { mediaType.map(MediaTypes.isJSON) ?? false }

    /// A Boolean value that indicates whether the body is a URL-encoded form.
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

/// The decoded parameters of a query string or form, in order.
struct QueryString: Sendable {
    /// The name-value pairs.
    let parameters: [(name: String, value: String)]

    /// Parses a string such as `a=1&b=2`. A name without `=` has an empty value.
    init(_ text: Substring) {
        var parameters: [(name: String, value: String)] = []
        PercentEncoding.eachFormPair(of: text) { parameters.append(($0, $1)) }
        self.parameters = parameters
    }

    /// Returns the values of a name, in order.
    func values(of name: String) -> [String] {
        parameters.filter { $0.name == name }.map(\.value)
    }
}

extension StringProtocol {
    /// Returns the string without leading and trailing spaces and tabs (RFC 9110, section 5.6.3).
    func trimmingSpaces() -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var bytes = Substring(self).utf8[...]
        while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return String(Substring(bytes))
    }
}

extension Substring {
    /// Returns the index after the first `marker`, which ends a scheme, or `nil` if there is none.
    func endOfScheme(_ marker: String) -> Index? {
        let wanted = Array(marker.utf8)
        var index = utf8.startIndex
        while index < utf8.endIndex {
            if utf8[index...].starts(with: wanted) { return utf8.index(index, offsetBy: wanted.count) }
            index = utf8.index(after: index)
        }
        return nil
    }
}
