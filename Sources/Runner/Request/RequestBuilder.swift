import Basics
import CEL
import Diagnostics
import HTTPSession
import JSON
import RunModel
import SuiteModel

/// A builder that renders a suite's request: its templates, the query and form pairs, and the body.
struct RequestBuilder {
    let scope: TestScope.View
    let context: CELContext
    let directory: String
    let files: FileAccess
    /// The cookie jar; nil for none.
    private let jar: CookieJar?

    /// Creates a builder for the current step of `scope`.
    init(scope: TestScope, directory: String, files: FileAccess, jar: CookieJar?) {
        self.scope = scope.view(.step)
        self.context = scope.context
        self.directory = directory
        self.files = files
        self.jar = jar
    }

    /// Renders the request.
    ///
    /// - Parameter form: Set to the parts of a multipart form.
    /// - Throws: ``TemplateError`` if an expression fails or a file cannot be read.
    func request(
        _ spec: RequestSpec, baseURL: String?, form: inout [FormPart]
    ) throws(TemplateError) -> Request {
        var url = try absolute(try spec.url.text(in: scope, context: context), spec: spec, baseURL: baseURL)
        let parameters = try spec.query.value(in: scope, context: context)
        if !parameters.isEmpty {
            var query = QueryWriter(style: spec.queryStyle, space: .percent)
            try append(parameters, to: &query)
            url = Self.adding(query: query.text, to: url)
        }
        var request = Request(HTTPMethod(rawValue: try method(of: spec)), url: url)
        let headers = try spec.headers.value(in: scope, context: context)
        request.headers = HTTPHeaders(try fields(headers, reserve: 2))
        // When decoding is enabled, the library adds an `Accept-Encoding` field.
        if leavesOut("accept-encoding", of: spec, headers, given: request.headers) { request.decompress = false }
        if spec.extras?.isTraced == true { addTrace(spec, headers, to: &request) }
        try addCookies(spec, to: &request)
        try addBody(spec, headers, to: &request, form: &form)
        return request
    }

    /// Returns the method, which may be the value of an expression.
    private func method(of spec: RequestSpec) throws(TemplateError) -> String {
        guard let template = spec.extras?.method else { return spec.method }
        let text = try template.text(in: scope, context: context)
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw TemplateError(
                message: "\"\(text)\" is not a method", range: template.expressions.first?.range ?? spec.range,
                expression: template.source)
        }
        return text
    }

    private func absolute(_ url: String, spec: RequestSpec, baseURL: String?) throws(TemplateError) -> String {
        // The common case first: most URLs are paths.
        if url.utf8.first != UInt8(ascii: "/"), Self.isAbsolute(url) { return url }
        guard let baseURL else {
            throw TemplateError(
                message: "the URL \"\(url)\" is relative, but the suite has no baseURL", range: spec.urlRange,
                expression: url)
        }
        return Self.joined(url, to: baseURL)
    }

    /// Returns whether a URL is absolute.
    static func isAbsolute(_ url: String) -> Bool {
        url.hasPrefix("http://") || url.hasPrefix("https://") || hasScheme(url)
    }

    /// Returns an absolute URL unchanged, and a relative URL appended to the base URL.
    static func joined(_ url: String, to baseURL: String) -> String {
        let isPath = url.utf8.first == UInt8(ascii: "/")
        if !isPath && isAbsolute(url) { return url }
        let isSlashed = baseURL.utf8.last == UInt8(ascii: "/")
        switch url.utf8.first {
        case UInt8(ascii: "/"): return isSlashed ? baseURL + url.dropFirst() : baseURL + url
        case UInt8(ascii: "?"), UInt8(ascii: "#"), nil: return baseURL + url
        default: return isSlashed ? baseURL + url : baseURL + "/" + url
        }
    }

    /// Returns whether the text starts with `scheme://`, for any scheme.
    private static func hasScheme(_ url: String) -> Bool {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let isName = url.utf8[..<colon].allSatisfy { byte in
            (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ".") || (byte >= 0x30 && byte <= 0x39)
        }
        return isName && url.utf8[colon...].starts(with: "://".utf8)
    }

    /// Returns the URL with pairs added to its query, before the fragment.
    static func adding(query: String, to url: String) -> String {
        guard !query.isEmpty else { return url }
        let end = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
        let head = url[..<end]
        let separator: String
        if let mark = head.utf8.firstIndex(of: UInt8(ascii: "?")) {
            let last = head.utf8.last
            separator = head.utf8.index(after: mark) == head.endIndex || last == UInt8(ascii: "&") ? "" : "&"
        } else {
            separator = "?"
        }
        return head + separator + query + url[end...]
    }

    /// Appends named values to a query or a form.
    func append(_ parameters: [RequestSpec.Parameter], to encoder: inout QueryWriter) throws(TemplateError) {
        for parameter in parameters {
            let name = try parameter.name.text(in: scope, context: context)
            encoder.append(name, try parameter.value.json(in: scope, context: context))
        }
    }

    /// Starts a trace for the request, unless it has or leaves out the field itself (W3C Trace Context, section 3.2).
    private func addTrace(_ spec: RequestSpec, _ headers: [RequestSpec.Header], to request: inout Request) {
        let name = "traceparent"
        guard !request.headers.contains(name), !leavesOut(name, of: spec, headers, given: request.headers) else {
            return
        }
        let random = context.random
        let trace = TraceContext.root(random: SessionRandom { random.next() })
        request.headers.append(name: name, value: trace.traceparent)
    }

    /// Adds the cookies of the request, and chooses those of the jar to send with them.
    private func addCookies(_ spec: RequestSpec, to request: inout Request) throws(TemplateError) {
        var selection = CookieSelection(sendsStored: spec.extras?.sendsNoCookies != true)
        let cookies = try spec.cookies.value(in: scope, context: context)
        if !cookies.isEmpty {
            var pairs = request.headers.values("Cookie")
            // The cookies of the `Cookie` header replace those of the jar. All others are sent beside them.
            selection.withheld = Set(pairs.flatMap(Cookie.names(inField:)))
            selection.repeatsNames = true
            for cookie in cookies {
                let name = try cookie.name.text(in: scope, context: context)
                let value = try cookie.value.value(in: scope, context: context)
                if value.isMissing {
                    selection.withheld.insert(name)
                } else {
                    pairs.append("\(name)=\(value.text)")
                }
            }
            request.headers["Cookie"] = pairs.isEmpty ? nil : pairs.joined(separator: "; ")
        }
        request.cookies = jar.map { .jar($0, selection) } ?? .never
    }

    // MARK: Templates

    /// Returns the rendered text of a template.
    func text(_ template: Template) throws(TemplateError) -> String {
        try template.text(in: scope, context: context)
    }

    /// Returns the rendered text of a template; nil if it is a single expression whose value is null.
    func textUnlessNull(_ template: Template?) throws(TemplateError) -> String? {
        guard let template else { return nil }
        return try template.textUnlessNull(in: scope, context: context)
    }

    /// Returns the value of a setting; nil if there is none.
    func value<Value>(_ setting: Templated<Value>?) throws(TemplateError) -> Value? {
        guard let setting else { return nil }
        return try setting.value(in: scope, context: context)
    }

    /// Returns whether null leaves out a header that is otherwise sent by default.
    ///
    /// - Parameters:
    ///   - name: The name of the header in lowercase.
    ///   - spec: The request.
    ///   - named: The headers of the request, including those that are null.
    ///   - headers: The rendered headers of the request.
    func leavesOut(
        _ name: String, of spec: RequestSpec, _ named: [RequestSpec.Header], given headers: HTTPHeaders
    ) -> Bool {
        if spec.extras?.leftOutHeaders.contains(name) == true { return true }
        return !headers.contains(name) && named.contains { ASCII.equalIgnoringCase($0.name, name) }
    }

    /// Returns the rendered value of a template.
    func json(_ template: ValueTemplate) throws(TemplateError) -> JSONValue {
        try template.json(in: scope, context: context)
    }

    /// Returns the header fields, one for each value that is not null.
    func fields(_ headers: [RequestSpec.Header], reserve: Int = 0) throws(TemplateError) -> [HTTPHeaders.Field] {
        var fields: [HTTPHeaders.Field] = []
        fields.reserveCapacity(headers.count + reserve)
        for header in headers {
            for value in header.values {
                guard let text = try textUnlessNull(value) else { continue }
                fields.append(.init(name: header.name, value: text))
            }
        }
        return fields
    }

    /// Returns the absolute path of a file named in the suite, which must be inside the file root.
    func absolutePath(of path: String, range: SourceRange) throws(TemplateError) -> String {
        do throws(FileAccess.Failure) {
            return try files.path(of: path, relativeTo: directory)
        } catch {
            throw TemplateError(message: error.message, range: range, expression: path)
        }
    }

    /// Returns the bytes of a file named in the suite.
    func read(_ path: String, range: SourceRange) throws(TemplateError) -> [UInt8] {
        do {
            return try files.read(path, relativeTo: directory)
        } catch {
            throw TemplateError(message: error.message, range: range, expression: path)
        }
    }
}
