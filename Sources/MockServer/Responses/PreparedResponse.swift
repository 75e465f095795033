import Basics
import CEL
import Diagnostics
import HTTPTypes
import JSON
import NIOCore
import RunModel
import SuiteModel

/// A response of a route: built once if it contains no expressions, otherwise rendered for each request.
struct PreparedResponse: Sendable {
    /// The response as defined in the mock file.
    let response: MockResponse
    /// The delay of the response in nanoseconds.
    let delay: Templated<Int64>

    private let constant: Reply?
    /// The default headers that the response does not override.
    private let inherited: [RequestSpec.Header]

    /// Prepares a response for serving.
    init(_ response: MockResponse, defaults: MockDefinition.Defaults) {
        self.response = response
        delay = response.delay ?? defaults.delay
        inherited = defaults.headers.filter { header in
            !response.headers.contains { HeaderField(name: $0.name, value: "").isNamed(header.name) }
        }
        let isConstant = (inherited + response.headers).allSatisfy { header in
            header.values.allSatisfy { $0.constantText != nil }
        }
        constant =
            isConstant && PreparedResponse.isConstant(response)
            ? try? PreparedResponse.render(
                response, headers: inherited + response.headers, scope: CELVariables(), context: CELContext()) : nil
    }

    /// Returns the response to one request.
    ///
    /// - Throws: ``TemplateError`` if an expression fails or its value is not valid in its location.
    func reply(in scope: some CELScope, context: CELContext) throws(TemplateError) -> Reply {
        if let constant { return constant }
        return try PreparedResponse.render(
            response, headers: inherited + response.headers, scope: scope, context: context)
    }

    private static func isConstant(_ response: MockResponse) -> Bool {
        guard case .code = response.status else { return false }
        switch response.body {
        case .none, .bytes, .json(.constant): return true
        case .text(let template): return template.constantText != nil
        case .json: return false
        }
    }

    private static func render(
        _ response: MockResponse, headers: [RequestSpec.Header], scope: some CELScope, context: CELContext
    ) throws(TemplateError) -> Reply {
        var reply = Reply(try status(response.status, scope, context))
        switch response.body {
        case .none: break
        case .json(let template):
            reply.body = ByteBuffer(bytes: try template.json(in: scope, context: context).serializedBytes())
        case .text(let template):
            reply.body = ByteBuffer(string: try template.text(in: scope, context: context))
        case .bytes(let bytes):
            reply.body = ByteBuffer(bytes: bytes)
        }
        if let contentType = response.contentType { reply.fields[.contentType] = contentType }
        try add(headers, to: &reply.fields, range: response.range, scope: scope, context: context)
        return reply
    }

    /// Adds headers, which replace existing headers with the same names.
    static func add(
        _ headers: [RequestSpec.Header], to fields: inout HTTPFields, range: SourceRange, scope: some CELScope,
        context: CELContext
    ) throws(TemplateError) {
        for header in headers {
            guard let name = HTTPField.Name(header.name) else {
                throw TemplateError(
                    message: "\"\(header.name)\" is not a header name", range: range, expression: header.name)
            }
            fields[name] = nil
            for value in header.values {
                fields.append(HTTPField(name: name, value: try value.text(in: scope, context: context)))
            }
        }
    }

    private static func status(
        _ status: MockResponse.Status, _ scope: some CELScope, _ context: CELContext
    ) throws(TemplateError) -> Int {
        switch status {
        case .code(let code): return code
        case .template(let template, let range):
            let value = try template.value(in: scope, context: context)
            let code: Int64? =
                switch value {
                case .int(let number): number
                case .uint(let number): Int64(exactly: number)
                case .string(let text): Int64(text)
                default: nil
                }
            guard let code, (200...599).contains(code) else {
                throw TemplateError(
                    message: "a status must be an integer from 200 to 599, got \(value.text)", range: range,
                    expression: range.text)
            }
            return Int(code)
        }
    }
}

/// The decision of the responder for one request.
struct MockAnswer: Sendable {
    /// The response to send.
    var reply: Reply
    /// The delay of the response in nanoseconds.
    var delay: Int64 = 0
    /// The point at which to drop the connection instead of completing the response, if any.
    var drop: MockResponse.Drop?
    /// The name of the matching route or collection, for the log.
    var route: String?
}

/// A response, complete except for the headers that the connection adds.
struct Reply: Sendable {
    /// The status code.
    var status: Int
    /// The header fields.
    var fields: HTTPFields
    /// The body, which may be empty.
    var body: ByteBuffer

    /// Creates a response without a body.
    init(_ status: Int, fields: HTTPFields = HTTPFields()) {
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
        default: "Internal Server Error"
        }
    }
}
