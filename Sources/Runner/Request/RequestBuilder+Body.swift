import CEL
import Diagnostics
import HTTPSession
import JSON
import SuiteModel

extension RequestBuilder {
    /// The size up to which a part's file is kept in memory.
    private static var smallFile: Int { 64 << 10 }

    /// Renders the body, and says its type unless the request does.
    func addBody(_ spec: RequestSpec, to request: inout Request) throws(TemplateError) {
        guard let body = spec.body else {
            if let type = spec.contentType { request.headers["Content-Type"] = try text(type) }
            return
        }
        let (content, contentType) = try render(body, spec: spec)
        request.body = content
        if let type = spec.contentType {
            request.headers["Content-Type"] = try text(type)
        } else if !request.headers.contains("Content-Type"),
            spec.extras?.value.leftOutHeaders.contains("content-type") != true
        {
            request.headers["Content-Type"] = contentType
        }
        if let compression = spec.extras?.value.compression { compress(&request, compression) }
    }

    private func compress(_ request: inout Request, _ compression: RequestExtras.Compression) {
        let coding: ContentCoding = compression == .gzip ? .gzip : .deflate
        guard case .bytes(let bytes) = request.body, let encoded = try? coding.encode(bytes) else {
            request.compression = coding
            return
        }
        request.body = .bytes(encoded)
        request.headers.append("Content-Encoding", coding.rawValue)
    }

    private func render(
        _ body: RequestSpec.Body, spec: RequestSpec
    ) throws(TemplateError) -> (body: RequestBody, contentType: String) {
        switch body {
        case .json(let value):
            return (.bytes(try json(value).serializedBytes()), "application/json")
        case .form(let parameters):
            var encoder = QueryEncoder(style: spec.queryStyle, space: .plus)
            try append(parameters, to: &encoder)
            return (.bytes(encoder.bytes), "application/x-www-form-urlencoded")
        case .text(let template):
            return (.text(try text(template)), "text/plain; charset=utf-8")
        case .xml(let template):
            return (.text(try text(template)), "application/xml")
        case .graphql(let graphQL):
            return (.bytes(try render(graphQL)), "application/json")
        case .file(let path, let range):
            let path = try text(path)
            return (.bytes(try read(path, range: range)), ContentTypes.type(ofPath: path))
        case .base64(let template, let range):
            let text = try text(template)
            guard let bytes = Base64.decode(text) else {
                throw TemplateError(message: "the body is not base64", range: range, expression: template.source)
            }
            return (.bytes(bytes), "application/octet-stream")
        case .multipart(let parts):
            return try render(parts, range: spec.range)
        }
    }

    private func render(_ graphQL: RequestSpec.GraphQL) throws(TemplateError) -> [UInt8] {
        var object = JSONObject()
        object["query"] = .string(try text(graphQL.query))
        if let variables = graphQL.variables { object["variables"] = try json(variables) }
        if let name = graphQL.operationName { object["operationName"] = .string(try text(name)) }
        return JSONValue.object(object).serializedBytes()
    }

    // MARK: Multipart

    /// A small file's bytes, so that reports can show them; a large one is read while it is sent.
    private func fileBody(_ path: String, range: SourceRange) throws(TemplateError) -> RequestBody {
        let absolute = try absolutePath(of: path, range: range)
        guard let size = FileAccess.size(of: absolute), size > Self.smallFile else {
            return .bytes(try read(path, range: range))
        }
        return .file(path: absolute)
    }

    private func render(
        _ parts: [RequestSpec.Part], range: SourceRange
    ) throws(TemplateError) -> (body: RequestBody, contentType: String) {
        var form = MultipartFormData()
        for part in parts {
            var fileName = try part.fileName.map { template throws(TemplateError) in try text(template) }
            let body: RequestBody
            var contentType: String?
            switch part.content {
            case .text(let template): body = .text(try text(template))
            case .json(let value):
                body = .bytes(try json(value).serializedBytes())
                contentType = "application/json"
            case .file(let path, let range):
                let path = try text(path)
                body = try fileBody(path, range: range)
                contentType = ContentTypes.type(ofPath: path)
                if fileName == nil { fileName = path.split(separator: "/").last.map(String.init) ?? path }
            }
            if let type = part.contentType { contentType = try text(type) }
            form.append(
                MultipartPart(
                    name: try text(part.name), fileName: fileName, contentType: contentType,
                    headers: HTTPHeaders(try fields(part.headers)), body: body))
        }
        let numbers = [context.random.next(), context.random.next()]
        let boundary = "apitest-" + numbers.map { String($0, radix: 36) }.joined()
        do throws(SessionError) {
            return (try form.encoded(boundary: boundary), form.contentType(boundary: boundary))
        } catch {
            throw TemplateError(message: error.message, range: range, expression: "multipart")
        }
    }
}
