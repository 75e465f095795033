import HTTPTypes
import JSON
import NIOCore

/// An answer, complete but for what the connection adds.
struct Reply: Sendable {
    /// The status code.
    var status: Int
    /// The header fields.
    var fields: HTTPFields
    /// The body; empty when there is none.
    var body: ByteBuffer

    /// Creates an answer without a body.
    init(_ status: Int, fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.fields = fields
        body = ByteBuffer()
    }

    /// Creates an answer with a body.
    init(_ status: Int, fields: HTTPFields = HTTPFields(), contentType: String, body: ByteBuffer) {
        self.status = status
        self.fields = fields
        self.body = body
        self.fields[.contentType] = contentType
    }

    /// An answer in the form of RFC 9457.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - detail: What is wrong with this very request, as one sentence without a final full stop.
    ///   - members: Further members.
    static func problem(_ status: Int, _ detail: String, members: [(String, JSONValue)] = []) -> Reply {
        var object: JSONObject = [
            "type": "about:blank", "title": .string(title(of: status)), "status": .number(JSONNumber(status)),
            "detail": .string(detail),
        ]
        for (name, value) in members { object[name] = value }
        return Reply(
            status, contentType: "application/problem+json",
            body: ByteBuffer(bytes: JSONValue.object(object).serializedBytes()))
    }

    /// The reason phrases of the statuses that the server answers by itself (RFC 9110, section 15).
    private static func title(of status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        default: "Internal Server Error"
        }
    }
}
