import Basics
import Diagnostics
import JSON
import SuiteModel
import YAML

/// Reads requests in string and mapping form, and merges them with the defaults.
///
/// A class, because the defaults that it contains are large.
final class RequestReader {
    /// The shared state of the readers.
    let context: LoadContext
    /// The reader of templates.
    let templates: TemplateReader
    /// The defaults of all requests.
    let defaults: SuiteDefaults

    private static let methods = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ]
    /// The values of a header. Null leaves it out.
    static let headerKind = ValueKind.anyOf([.text, .list(.anyOf([.text, .null])), .null])

    init(_ context: LoadContext, defaults: SuiteDefaults) {
        self.context = context
        self.defaults = defaults
        templates = TemplateReader(context)
    }

    /// Returns the request of a node.
    ///
    /// - Parameters:
    ///   - node: A string `METHOD url`, or a mapping.
    ///   - opensWebSocket: Whether the request opens a WebSocket.
    ///   - defaultUses: On return, also contains the names that the retained defaults use.
    func request(_ node: YAMLNode, opensWebSocket: Bool, defaultUses: inout [Range<Int>]) -> RequestSpec {
        let urls = URLCheck(context, opensWebSocket: opensWebSocket)
        if node.kind == .scalar {
            if defaults.hasUses {
                defaultUses += defaults.headers.uses + defaults.query.uses + defaults.cookies.uses
                defaultUses += defaults.extraUses.map(\.uses)
            }
            return shortRequest(node, urls)
        }
        return longRequest(node, urls, defaultUses: &defaultUses)
    }

    // MARK: String form

    /// The parts of a request line.
    struct RequestLine {
        let method: String
        let url: Template
        /// The number of Unicode scalars before the URL.
        let offset: Int
        /// The source range of the URL.
        let range: SourceRange
    }

    /// Parses a request line: a string `METHOD url`.
    func requestLine(_ node: YAMLNode) -> RequestLine? {
        guard var text = node.scalar?.text else { return nil }
        guard let line = text.withUTF8(Self.split) else {
            reportRequestLine(node, text)
            return nil
        }
        // A method is ASCII, so its bytes and its Unicode scalars have equal counts.
        checkMethod(line.method) { ScalarLocator.range(in: node, from: 0, to: line.method.utf8.count) }
        let range = ScalarLocator.range(in: node, from: line.offset, to: line.offset + line.urlLength)
        templates.noteForeignTemplates(node)
        return RequestLine(
            method: line.method, url: templates.template(line.url[...], in: node, at: line.offset),
            offset: line.offset, range: range)
    }

    /// Splits a request line; returns nil if it is not a token, white space, and other text.
    ///
    /// - Returns: The method, the URL, and the offset and length of the URL in Unicode scalars.
    private static func split(
        _ text: UnsafeBufferPointer<UInt8>
    ) -> (method: String, url: String, offset: Int, urlLength: Int)? {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
        var methodEnd = 0
        while methodEnd < text.count, NameRules.isTokenByte(text[methodEnd]) { methodEnd += 1 }
        guard methodEnd > 0, methodEnd < text.count, isBlank(text[methodEnd]) else { return nil }
        var start = methodEnd
        while start < text.count, isBlank(text[start]) { start += 1 }
        guard start < text.count else { return nil }
        var end = text.count
        while end > start, isBlank(text[end - 1]) {
            let isBreakOfTwo = end - 1 > start && text[end - 1] == UInt8(ascii: "\n") && text[end - 2] == 0x0D
            end -= isBreakOfTwo ? 2 : 1
        }
        var length = 0
        for index in start..<end where text[index] & 0xC0 != 0x80 { length += 1 }
        return (
            String(decoding: text[..<methodEnd], as: UTF8.self), String(decoding: text[start..<end], as: UTF8.self),
            start, length
        )
    }

    /// Returns the request of a string `METHOD url`, merged with the defaults.
    private func shortRequest(_ node: YAMLNode, _ urls: URLCheck) -> RequestSpec {
        let range = node.range
        guard let line = requestLine(node) else {
            return RequestSpec(url: .constant(""), urlRange: range, range: range)
        }
        urls.check(line.url, in: node, at: line.offset)
        var spec = RequestSpec(
            method: line.method, url: line.url, urlRange: line.range, query: defaults.query.items.setting,
            queryStyle: defaults.queryStyle, headers: defaults.headers.items.setting,
            cookies: defaults.cookies.items.setting,
            timeout: defaults.timeout, maximumRedirects: defaults.maximumRedirects,
            maximumBodySize: defaults.maximumBodySize, range: range)
        spec.$extras = defaults.$extras
        return spec
    }

    private func reportRequestLine(_ node: YAMLNode, _ text: String) {
        let isURL =
            text.hasPrefix("/") || text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("$")
        let isMethod = Self.methods.contains(text.uppercased())
        context.report(
            "invalid-request", "a request must be \"METHOD url\" or a mapping", node.range,
            suggestion: isURL && !text.contains(" ")
                ? "write \"GET \(text)\"" : isMethod ? "write \"\(text) /path\"" : "for example, write \"GET /books\"")
    }

    private func checkMethod(_ method: String, _ range: () -> SourceRange) {
        switch method {
        case "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS": return
        default: break
        }
        let upper = method.uppercased()
        if method != upper, Self.methods.contains(upper) {
            context.report(
                "invalid-method", "methods are case-sensitive", range(), suggestion: "write \"\(upper)\"")
        } else if let nearest = Spelling.nearest(to: method, among: Self.methods), nearest != method {
            context.report(
                "unusual-method", "unusual method \"\(method)\"", range(),
                suggestion: "did you mean \"\(nearest)\"?", severity: .warning)
        }
    }

    // MARK: Mapping form

    /// Returns the request of a mapping, merged with the defaults.
    private func longRequest(
        _ node: YAMLNode, _ urls: URLCheck, defaultUses: inout [Range<Int>]
    ) -> RequestSpec {
        let range = node.range
        var spec = RequestSpec(
            url: .constant(""), urlRange: range, queryStyle: defaults.queryStyle, timeout: defaults.timeout,
            maximumRedirects: defaults.maximumRedirects, maximumBodySize: defaults.maximumBodySize, range: range)
        spec.$extras = defaults.$extras
        var extras: RequestExtras?
        var ownExtras: [RequestKey] = []
        var hasMethod = false
        var headers: (key: YAMLNode, value: YAMLNode)?
        var query: (key: YAMLNode, value: YAMLNode)?
        var cookies: (key: YAMLNode, value: YAMLNode)?
        var bodyKey: YAMLNode?
        MapReader(context, RequestKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .method:
                let method = method(value)
                spec.method = method.source
                hasMethod = true
                if method.constantText == nil {
                    var read = extras ?? defaults.extras ?? RequestExtras()
                    read.method = method
                    extras = read
                }
            case .url:
                spec.urlRange = value.range
                spec.url = templates.template(value)
                urls.check(spec.url, in: value, at: 0)
            case .query: query = (keyNode, value)
            case .queryStyle: queryStyle(value).map { spec.queryStyle = $0 }
            case .headers: headers = (keyNode, value)
            case .cookies: cookies = (keyNode, value)
            case .json, .form, .multipart, .text, .xml, .graphql, .file, .base64:
                if let bodyKey {
                    context.report(
                        "conflicting-keys", "a request can have only one body", keyNode.range,
                        related: [Diagnostic.Related(message: "the first body is here", range: bodyKey.range)],
                        suggestion: "remove \"\(key.rawValue)\" or \"\(bodyKey.scalar?.text ?? "")\"")
                } else {
                    bodyKey = keyNode
                }
                spec.body = RequestBodyReader(self).body(key, keyNode, value)
            case .contentType: spec.contentType = templates.template(value)
            case .timeout: timeout(value, keyNode, into: &spec.timeout)
            case .redirects: redirects(value).map { spec.maximumRedirects = $0 }
            case .maxBodySize:
                spec.maximumBodySize = context.size(value, keyNode)
                ownExtras.append(key)
            case .compress, .auth, .http, .tls, .proxy, .unixSocket, .resolve, .trace, .stream:
                var read = extras ?? defaults.extras ?? RequestExtras()
                RequestExtrasReader(context).read(key, value, into: &read)
                extras = read
                ownExtras.append(key)
            }
        }
        let leftOut = headers.map { leftOutHeaders($0.value) } ?? []
        if !leftOut.isEmpty {
            var read = extras ?? defaults.extras ?? RequestExtras()
            read.leftOutHeaders = leftOut
            extras = read
        }
        if let value = cookies?.value, value.kind == .scalar, !ExpressionScan.mayHoldExpression(value) {
            cookies = nil
            var read = extras ?? defaults.extras ?? RequestExtras()
            read.sendsNoCookies = sendsNoCookies(value)
            extras = read
        }
        if let extras { spec.extras = extras.isEmpty ? nil : extras }
        if !hasMethod, case .graphql = spec.body { spec.method = "POST" }
        // Some defaults apply unless the request overrides individual values.
        for entry in defaults.extraUses
        where [.tls, .resolve, .timeout].contains(entry.key) || !ownExtras.contains(entry.key) {
            defaultUses.append(entry.uses)
        }
        spec.headers = merge(headers, defaults.headers, uses: &defaultUses, read: self.headers) {
            NameRules.areEqualIgnoringCase($0.name, $1)
        }
        spec.query = merge(query, defaults.query, uses: &defaultUses, read: parameters) { $0.name.constantText == $1 }
        if extras?.sendsNoCookies != true {
            spec.cookies = merge(cookies, defaults.cookies, uses: &defaultUses, read: self.cookies) {
                $0.name.constantText == $1
            }
        }
        return spec
    }

    /// Returns the defaults that the mapping of a step neither replaces nor removes, and its own items.
    ///
    /// - Parameters:
    ///   - member: The key and the value of the mapping, or of an expression for it.
    ///   - read: Reads the items. Items that are null are needed only if names are not known while loading.
    ///   - isNamed: Returns whether a default has a name.
    private func merge<Item: RequestItem>(
        _ member: (key: YAMLNode, value: YAMLNode)?, _ named: SuiteDefaults.Named<Item>, uses: inout [Range<Int>],
        read: (_ node: YAMLNode, _ key: YAMLNode, _ keepsNulls: Bool) -> RequestItems<Item>?,
        isNamed: (Item, String) -> Bool
    ) -> Templated<[Item]> {
        guard let (key, node) = member else {
            if defaults.hasUses { uses += named.uses }
            return named.items.setting
        }
        guard let mapping = node.mapping, named.items.isKnown,
            !mapping.contains(where: { ExpressionScan.mayHoldExpression($0.key) })
        else {
            if defaults.hasUses { uses += named.uses }
            return (read(node, key, !named.items.isEmpty) ?? RequestItems()).merged(over: named.items)
        }
        let own = read(node, key, false) ?? RequestItems()
        if named.items.isEmpty { return own.setting }
        var items: [Item] = []
        for (index, item) in named.items.items.enumerated()
        where !mapping.contains(where: { isNamed(item, $0.key.scalar?.text ?? "") }) {
            items.append(item)
            if !named.uses[index].isEmpty { uses.append(named.uses[index]) }
        }
        return .constant(items + own.items)
    }

    /// Returns the default headers that a null value removes, in lowercase.
    private func leftOutHeaders(_ node: YAMLNode) -> [String] {
        guard let mapping = node.mapping else { return [] }
        var names: [String] = []
        for (key, value) in mapping where value.isNull && !value.isReported {
            guard let name = key.scalar?.text else { continue }
            switch name.lowercased() {
            case "accept-encoding", "content-type", "traceparent": names.append(name.lowercased())
            case "accept", "host", "user-agent":
                // A null that removes a default of the suite is valid.
                let isDefault = defaults.headers.items.items.contains { NameRules.areEqualIgnoringCase($0.name, name) }
                if isDefault { continue }
                context.report(
                    "fixed-header", "\"\(name)\" is set by apitest itself and cannot be removed", key.range,
                    suggestion: "give it a value", severity: .warning)
            default: continue
            }
        }
        return names
    }

    private func method(_ node: YAMLNode) -> Template {
        let template = templates.template(node)
        guard let text = template.constantText else { return template }
        if NameRules.isToken(text[...]) {
            checkMethod(text) { node.range }
        } else {
            context.report(
                "invalid-method", "\"\(text)\" is not a valid method", node.range, suggestion: "for example, write GET")
        }
        return template
    }

    // MARK: Shared by requests and defaults

    /// Returns the headers of a mapping, or of an expression for it.
    ///
    /// - Parameter keepsNulls: Whether a null is a header without values; otherwise, it is skipped.
    func headers(_ node: YAMLNode, _ key: YAMLNode, keepsNulls: Bool) -> RequestItems<RequestSpec.Header>? {
        if node.kind == .scalar { return context.wholeMap(node, key, RequestMembers.header) }
        var headers = RequestItems<RequestSpec.Header>()
        context.readMembers(node, Self.headerKind) { _, key, value in
            addHeader(key, value, keepsNulls: keepsNulls, to: &headers)
        }
        return headers
    }

    /// Adds a header.
    func addHeader(
        _ key: YAMLNode, _ value: YAMLNode, keepsNulls: Bool, to headers: inout RequestItems<RequestSpec.Header>
    ) {
        let name = context.fieldName(key, of: .header, templates)
        if let header = header(name.known ?? "", value) {
            headers.append(header, named: name)
        } else if keepsNulls {
            headers.append(RequestSpec.Header(name: name.known ?? "", values: []), named: name)
        }
    }

    /// Returns a header; nil for a null value, which removes a default.
    private func header(_ name: String, _ value: YAMLNode) -> RequestSpec.Header? {
        if let sequence = value.sequence {
            var values: [Template] = []
            for element in sequence where !element.isNull {
                guard NodeForms.scalar.contains(NodeForms(of: element)) else {
                    context.reportType(element, expected: "a string")
                    continue
                }
                values.append(headerValue(element))
            }
            return RequestSpec.Header(name: name, values: values)
        }
        return value.isNull ? nil : RequestSpec.Header(name: name, values: [headerValue(value)])
    }

    private func headerValue(_ node: YAMLNode) -> Template {
        let template = templates.template(node)
        if let text = template.constantText, RequestMembers.isSeveralLines(text) {
            context.report("invalid-header", "a header value must be a single line", node.range)
        }
        return template
    }

    /// Returns the parameters of `query` or `form`, or of an expression for them.
    ///
    /// - Parameter keepsNulls: Whether a null is a parameter that replaces a default; otherwise, it is skipped.
    func parameters(_ node: YAMLNode, _ key: YAMLNode, keepsNulls: Bool) -> RequestItems<RequestSpec.Parameter>? {
        if node.kind == .scalar { return context.wholeMap(node, key, RequestMembers.parameter) }
        var parameters = RequestItems<RequestSpec.Parameter>()
        context.readMembers(node, .value) { _, key, value in
            addParameter(key, value, keepsNulls: keepsNulls, to: &parameters)
        }
        return parameters
    }

    /// Adds a parameter.
    func addParameter(
        _ key: YAMLNode, _ value: YAMLNode, keepsNulls: Bool, to parameters: inout RequestItems<RequestSpec.Parameter>
    ) {
        if value.isNull, !keepsNulls { return }
        parameters.append(RequestSpec.Parameter(name: templates.template(key), value: templates.value(value)))
    }

    /// Returns whether the value of `cookies` is `none`; reports an error for any other string.
    private func sendsNoCookies(_ node: YAMLNode) -> Bool {
        if node.scalar?.text == "none" { return true }
        context.report(
            "unknown-value", "\"cookies\" must be \"none\" or a mapping", node.range,
            suggestion: "write { name: value }, or none to send no cookies")
        return false
    }

    /// Returns the cookies of a mapping, or of an expression for it. A null withholds a cookie.
    func cookies(_ node: YAMLNode, _ key: YAMLNode, keepsNulls: Bool) -> RequestItems<RequestSpec.Parameter>? {
        if node.kind == .scalar { return context.wholeMap(node, key, RequestMembers.cookie) }
        var cookies = RequestItems<RequestSpec.Parameter>()
        context.readMembers(node, .anyOf([.text, .null])) { _, key, value in addCookie(key, value, to: &cookies) }
        return cookies
    }

    /// Adds a cookie.
    func addCookie(_ key: YAMLNode, _ value: YAMLNode, to cookies: inout RequestItems<RequestSpec.Parameter>) {
        let name = context.fieldName(key, of: .cookie, templates)
        let parameter = { RequestSpec.Parameter(name: .constant(name.known ?? ""), value: $0) }
        if value.isNull { return cookies.append(parameter(.constant(.null)), named: name) }
        // The value of a cookie is a string; a number keeps its digits.
        let template = templates.template(value)
        let text: ValueTemplate = template.constantText.map { .constant(.string($0)) } ?? .template(template)
        cookies.append(parameter(text), named: name)
    }

    /// Returns the encoding of nested query values.
    func queryStyle(_ node: YAMLNode) -> RequestSpec.QueryStyle? {
        context.choice(node, RequestSpec.QueryStyle.self)
    }

    /// Returns the maximum number of redirects.
    func redirects(_ node: YAMLNode) -> Int? {
        switch node.scalar?.value {
        case .bool(let follows): return follows ? 10 : 0
        case .number(let number):
            if let count = number.int64, (0...100).contains(count) { return Int(count) }
            context.report(
                "invalid-redirects", "\"redirects\" must be true, false, or an integer from 0 to 100", node.range)
            return nil
        default: return nil
        }
    }

    /// Reads time limits: a duration of the whole exchange, or a mapping.
    func timeout(_ node: YAMLNode, _ key: YAMLNode, into timeout: inout RequestSpec.Timeout) {
        guard node.kind == .mapping else {
            if let total = context.duration(node, key, isPositive: true) { timeout.total = total }
            return
        }
        MapReader(context, TimeoutKey.schema).read(node) { key, keyNode, value in
            guard let duration = context.duration(value, keyNode, isPositive: true) else { return }
            switch key {
            case .connect: timeout.connect = duration
            case .firstByte: timeout.firstByte = duration
            case .total: timeout.total = duration
            }
        }
    }
}
