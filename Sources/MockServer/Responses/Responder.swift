package import HTTPTypes
package import JSON
package import NIOCore
import SuiteModel

/// A source of responses to the requests of a server.
package protocol Responder: Sendable {
    /// Returns the response to a request.
    func answer(_ request: MockRequest) async -> MockAnswer
}

/// The decision of the responder for one request.
package struct MockAnswer: Sendable {
    /// The response to send.
    package var reply: Reply
    /// The delay of the response in nanoseconds.
    var delay: Int64 = 0
    /// The point at which to drop the connection instead of completing the response, if any.
    var drop: MockResponse.Drop?
    /// The name of the matching route or collection, for the log.
    var route: String?
    /// The protocol that follows a response of status 101.
    var upgrade: (any Upgrade)?

    init(reply: Reply, delay: Int64 = 0, drop: MockResponse.Drop? = nil, route: String? = nil) {
        self.reply = reply
        self.delay = delay
        self.drop = drop
        self.route = route
    }

    /// Creates an answer that is sent at once.
    ///
    /// - Parameter upgrade: The protocol that follows, for a reply of status 101.
    package init(_ reply: Reply, upgrade: (any Upgrade)? = nil) {
        self.init(reply: reply)
        self.upgrade = upgrade
    }
}

/// A protocol that a connection switches to with a response of status 101 (RFC 9110, section 7.8).
package protocol Upgrade: Sendable {
    /// Receives what arrives on a connection from now on, before the response is sent.
    func prepare(_ channel: any Channel) async throws

    /// Uses the connection after the response was sent, and returns when it is of no more use.
    func run(_ channel: any Channel) async throws
}

/// A response, complete except for the headers that the connection adds.
package struct Reply: Sendable {
    /// The status code.
    package var status: Int
    /// The header fields.
    package var fields: HTTPFields
    /// The body, which may be empty.
    package var body: ByteBuffer
    /// The function that returns the next piece of a body that is not complete yet, and nil at its end; nil if ``body``
    /// is the whole body. An error drops the connection.
    package var nextPiece: (@Sendable () async throws -> ByteBuffer?)?

    /// Creates a response without a body.
    package init(_ status: Int, fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.fields = fields
        body = ByteBuffer()
    }

    /// Creates a response with a body.
    init(_ status: Int, fields: HTTPFields = HTTPFields(), contentType: String, body: ByteBuffer) {
        self.status = status
        self.fields = fields
        self.body = body
        self.fields[.contentType] = contentType
    }

    /// Creates a problem details response (RFC 9457).
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - detail: The problem with this request, in one sentence without a period.
    ///   - members: Additional members of the problem object.
    package static func problem(_ status: Int, _ detail: String, members: [(String, JSONValue)] = []) -> Reply {
        var object: JSONObject = [
            "type": "about:blank", "title": .string(title(of: status)), "status": .number(JSONNumber(status)),
            "detail": .string(detail),
        ]
        for (name, value) in members { object[name] = value }
        return Reply(
            status, contentType: "application/problem+json",
            body: ByteBuffer(bytes: JSONValue.object(object).serializedBytes()))
    }

    /// Returns the reason phrase of a status that the server generates itself (RFC 9110, section 15).
    private static func title(of status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        default: "Internal Server Error"
        }
    }
}
