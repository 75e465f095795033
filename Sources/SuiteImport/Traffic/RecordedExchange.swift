import Basics
import JSON
import SuiteLint

/// A request with its response, as a proxy or a browser has recorded it.
package struct RecordedExchange: Sendable {
    /// A body.
    package enum Body: Sendable {
        /// Nothing, or a body that was not recorded.
        case none
        case bytes([UInt8])
        /// The pairs of a form whose text was not recorded.
        case form([ImportedField])
        /// The parts of a multipart form whose text was not recorded.
        case multipart([ImportedBody.Part])
    }

    /// The method.
    package var method: String
    /// The absolute URL.
    package var url: String
    /// The header fields of the request.
    package var headers: [(name: String, value: String)] = []
    /// The body of the request.
    package var body = Body.none
    /// The status; 0 if there was no response.
    package var status: Int
    /// The header fields of the response.
    package var responseHeaders: [(name: String, value: String)] = []
    /// The body of the response without its content codings; nil if it was not recorded.
    package var responseBody: [UInt8]?
    /// The media type of the response without parameters, in lowercase; empty if it is unknown.
    package var mediaType = ""
    /// The messages of the WebSocket that the exchange opened; nil if it opened none.
    package var messages: [RecordedMessage]?
    /// The line of the exchange in its source.
    package var line: Int?

    /// Creates an exchange.
    package init(method: String, url: String, status: Int) {
        self.method = method
        self.url = url
        self.status = status
    }

    /// Returns the first request header field with a name, in any letter case.
    func header(_ name: String) -> String? {
        headers.first { ASCII.equalIgnoringCase($0.name, name) }?.value
    }

    /// Returns the response header fields with a name, in any letter case.
    func responseHeaders(_ name: String) -> [String] {
        responseHeaders.filter { ASCII.equalIgnoringCase($0.name, name) }.map(\.value)
    }

    /// The body of the response as JSON; nil if it is not JSON.
    var responseJSON: JSONValue? {
        guard let responseBody, MediaTypes.isJSON(mediaType) || mediaType.isEmpty,
            responseBody.count <= Self.maximumJSONSize
        else { return nil }
        var parser = JSONParser()
        parser.limits.maximumDepth = ImportLimits.depth
        return try? parser.parse(responseBody)
    }

    /// The maximum size of a response body that expectations are derived from.
    private static let maximumJSONSize = 4 << 20

    /// Returns a URL for display, in which the values of parameters with names of secrets are masked.
    package static func shown(_ url: String) -> String {
        guard let mark = url.firstIndex(of: "?") else { return url }
        let pairs = url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let shown = pairs.map { pair in
            guard let equals = pair.firstIndex(of: "="), equals < pair.index(before: pair.endIndex),
                SecretShape.isSecretName(PercentEncoding.decode(pair[..<equals]))
            else { return String(pair) }
            return pair[...equals] + "***"
        }
        return url[...mark] + shown.joined(separator: "&")
    }
}
