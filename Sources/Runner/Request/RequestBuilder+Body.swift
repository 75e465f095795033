import Basics
import CEL
import Diagnostics
import HTTPSession
import JSON
import RunModel
import SuiteModel

extension RequestBuilder {
    /// The maximum size of a part's file that is kept in memory, in bytes.
    private static var smallFile: Int { 64 << 10 }

    /// The maximum size of a form's text that reports show part by part, in bytes.
    private static var maximumShownFormLength: Int { 8 << 10 }

    /// Renders the body and sets its content type unless the request specifies one.
    ///
    /// - Parameters:
    ///   - headers: The headers of the request, including those that are null.
    ///   - form: Set to the parts of a multipart form that is sent uncompressed.
    func addBody(
        _ spec: RequestSpec, _ headers: [RequestSpec.Header], to request: inout Request, form: inout [FormPart]
    ) throws(TemplateError) {
        let ownType = try textUnlessNull(spec.contentType)
        guard let body = spec.body else {
            if let ownType { request.headers["Content-Type"] = ownType }
            return
        }
        let (content, contentType) = try render(body, spec: spec, form: &form)
        request.body = content
        if spec.extras?.compression != nil || ownType != nil || request.headers.contains("Content-Type") { form = [] }
        if let ownType {
            request.headers["Content-Type"] = ownType
        } else if !request.headers.contains("Content-Type"),
            !leavesOut("content-type", of: spec, headers, given: request.headers)
        {
            request.headers["Content-Type"] = contentType
        }
        if let compression = spec.extras?.compression { compress(&request, compression) }
    }

    private func compress(_ request: inout Request, _ compression: RequestExtras.Compression) {
        let coding: ContentCoding = compression == .gzip ? .gzip : .deflate
        guard case .bytes(let bytes) = request.body, let encoded = try? coding.encode(bytes) else {
            request.compression = coding
            return
        }
        request.body = .bytes(encoded)
        request.headers.append(name: "Content-Encoding", value: coding.rawValue)
    }

    private func render(
        _ body: RequestSpec.Body, spec: RequestSpec, form: inout [FormPart]
    ) throws(TemplateError) -> (body: RequestBody, contentType: String) {
        switch body {
        case .json(let value):
            return (.bytes(try json(value).serializedBytes()), "application/json")
        case .form(let parameters):
            var encoder = QueryWriter(style: spec.queryStyle, space: .plus)
            try append(try parameters.value(in: scope, context: context), to: &encoder)
            return (.bytes(encoder.bytes), "application/x-www-form-urlencoded")
        case .text(let template):
            return (.text(try text(template)), "text/plain; charset=utf-8")
        case .xml(let template):
            return (.text(try text(template)), "application/xml")
        case .graphql(let graphQL):
            return (.bytes(try render(graphQL)), "application/json")
        case .file(let path, let range):
            let path = try text(path)
            return (.bytes(try read(path, range: range)), MediaTypes.contentType(ofFile: path))
        case .base64(let template, let range):
            let text = try text(template)
            guard let bytes = Base64.decode(text.utf8, allowing: [.whitespace, .withoutPadding]) else {
                throw TemplateError(message: "the body is not valid base64", range: range, expression: template.source)
            }
            return (.bytes(bytes), "application/octet-stream")
        case .multipart(let parts):
            return try render(parts, range: spec.range, shown: &form)
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

    /// Returns the bytes of a small file, so that reports can show them. A large file is read while it is sent.
    private func fileBody(_ path: String, range: SourceRange) throws(TemplateError) -> RequestBody {
        let absolute = try absolutePath(of: path, range: range)
        guard let size = FileAccess.size(of: absolute), size > Self.smallFile else {
            return .bytes(try read(path, range: range))
        }
        return .file(path: absolute)
    }

    private func render(
        _ parts: [RequestSpec.Part], range: SourceRange, shown: inout [FormPart]
    ) throws(TemplateError) -> (body: RequestBody, contentType: String) {
        var form = MultipartFormData()
        var shownBytes = 0
        for part in parts {
            var fileName = try textUnlessNull(part.fileName)
            let body: RequestBody
            var contentType: String?
            let content: FormPart.Content
            switch part.content {
            case .text(let template):
                guard let text = try textUnlessNull(template) else { continue }
                shownBytes += text.utf8.count
                body = .text(text)
                content = .text(text)
            case .json(let value):
                let bytes = try json(value).serializedBytes()
                shownBytes += bytes.count
                body = .bytes(bytes)
                content = .text(String(decoding: bytes, as: UTF8.self))
                contentType = "application/json"
            case .file(let path, let range):
                guard let path = try textUnlessNull(path) else { continue }
                body = try fileBody(path, range: range)
                content = .file(files.shown(try absolutePath(of: path, range: range)))
                contentType = MediaTypes.contentType(ofFile: path)
                if fileName == nil { fileName = path.split(separator: "/").last.map(String.init) ?? path }
            }
            if let type = try textUnlessNull(part.contentType) { contentType = type }
            let name = try text(part.name)
            let headers = HTTPHeaders(try fields(try part.headers.value(in: scope, context: context)))
            form.append(
                MultipartPart(
                    name: name, fileName: fileName, contentType: contentType, headers: headers, body: body))
            shown.append(
                FormPart(
                    name: name, content: content, fileName: fileName, contentType: contentType,
                    headers: ExchangeRecorder.fields(headers)))
        }
        if shownBytes > Self.maximumShownFormLength { shown = [] }
        let numbers = [context.random.next(), context.random.next()]
        let boundary = "apitest-" + numbers.map { String($0, radix: 36) }.joined()
        do throws(SessionError) {
            return (try form.encoded(boundary: boundary), form.contentType(boundary: boundary))
        } catch {
            throw TemplateError(message: error.wording, range: range, expression: "multipart")
        }
    }
}
