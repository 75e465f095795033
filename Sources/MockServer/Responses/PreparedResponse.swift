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
