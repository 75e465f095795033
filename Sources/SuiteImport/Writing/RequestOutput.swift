import Basics
import YAML

/// Writes requests as they stand in a suite.
struct RequestOutput {
    private let request: ImportedRequest
    /// The URL, with the parameters that `query` cannot send in the same way.
    private var url: ImportedText
    private var query: (value: ImportedValue, repeats: Bool)?

    /// The maximum length of a URL with a single parameter that stays in the URL.
    private static let maximumShortURL = 60

    /// Creates the output of a request.
    init(_ request: ImportedRequest) {
        self.request = request
        url = request.url
        moveQuery()
    }

    /// The request: a line if it has nothing but a method and a URL, otherwise a mapping.
    var output: YAMLOutput {
        var entries = Entries()
        if let query { entries.add("query", value: query.value) }
        var repeats = query?.repeats ?? false
        let (headers, contentType) = self.headers()
        let body = self.body(&repeats)
        if repeats { entries.add("queryStyle", literal: "repeat") }
        entries.add("headers", nonempty: headers)
        if request.sendsNoCookies {
            entries.add("cookies", literal: "none")
        } else if !request.withheldCookies.isEmpty {
            let withheld = request.withheldCookies.map { ImportedValue.Member(ImportedText($0), .null) }
            let sent = request.cookies.map { ImportedValue.Member($0.name, .text($0.value)) }
            entries.add("cookies", value: .mapping(withheld + sent))
        } else if !request.cookies.isEmpty {
            entries.add("cookies", .fields(request.cookies))
        }
        if let body { entries.add(body.key, body.value) }
        entries.add("contentType", contentType)
        if let auth = request.auth { entries.add("auth", Self.output(of: auth)) }
        for key in ImportedSetting.Key.allCases { entries.add(key.rawValue, value: request.setting(key)) }
        if entries.isEmpty, request.methodExpression == nil, isToken(request.method) {
            return .text("\(request.method) \(url.template)")
        }
        var start = Entries()
        // The default method of a GraphQL request is POST.
        let usual = if case .graphQL? = request.body { "POST" } else { "GET" }
        if let source = request.methodExpression {
            start.add("method", .text("${\(source)}"))
        } else if request.method != usual {
            start.add("method", literal: request.method)
        }
        start.add("url", url)
        return .mapping(start.list + entries.list)
    }

    private func isToken(_ text: String) -> Bool { !text.isEmpty && !text.utf8.contains(UInt8(ascii: " ")) }

    // MARK: Query

    private mutating func moveQuery() {
        let parts = URLParts(url)
        if let fields = PairList.query(parts), !fields.isEmpty,
            fields.count > 1 || !request.query.isEmpty || url.template.utf8.count > Self.maximumShortURL,
            let mapping = PairList.mapping(fields + request.query)
        {
            url = parts.origin + parts.path
            query = mapping
            return
        }
        if request.query.isEmpty { return }
        if let mapping = PairList.mapping(request.query) {
            query = mapping
            return
        }
        // A name that is repeated after another one cannot be written as a mapping in the same order.
        var isFirst = parts.query == nil
        for field in request.query {
            url.append(literal: isFirst ? "?" : "&")
            isFirst = false
            url.append(Self.encoded(field.name))
            url.append(literal: "=")
            url.append(Self.encoded(field.value))
        }
    }

    private static func encoded(_ text: ImportedText) -> ImportedText {
        ImportedText(
            text.parts.map { part in
                switch part {
                case .literal(let text): .literal(PercentEncoding.encode(text))
                case .expression(let source): .expression("url.encode(string(\(source)))")
                }
            })
    }

    // MARK: Headers

    /// Returns the header fields without `Content-Type`, and the media type unless the body implies it.
    private func headers() -> (Entries, contentType: ImportedText?) {
        var contentType: ImportedText?
        var members: [(name: String, values: [ImportedText])] = []
        var indexes: [String: Int] = [:]
        let isForm = if case .multipart? = request.body { true } else { false }
        for field in request.headers {
            let name = field.name.template
            if field.isNamed("Content-Type"), request.body != nil {
                // A multipart form has a boundary of its own.
                if isForm, field.value.literal?.lowercased().hasPrefix("multipart/form-data") != false { continue }
                if field.value.literal != request.body?.impliedContentType { contentType = field.value }
            } else if let index = indexes[name.lowercased()] {
                members[index].values.append(field.value)
            } else {
                indexes[name.lowercased()] = members.count
                members.append((name, [field.value]))
            }
        }
        var entries = Entries()
        for member in members {
            let values = member.values.map { YAMLOutput.text($0.template) }
            entries.add(
                member.name,
                values.count == 1 ? YAMLOutput(ImportedValue(readable: member.values[0])) : .sequence(values))
        }
        for name in request.suppressedHeaders where request.header(name) == nil { entries.add(name, .plain("null")) }
        return (entries, contentType)
    }

    // MARK: Bodies

    private func body(_ repeats: inout Bool) -> (key: String, value: YAMLOutput)? {
        switch request.body {
        case nil: return nil
        case .json(let value): return ("json", YAMLOutput(value))
        case .text(let text): return ("text", .text(text.template))
        case .xml(let text): return ("xml", .text(text.template))
        case .form(let fields):
            guard let mapping = PairList.mapping(fields) else { return ("text", .text(Self.formText(fields).template)) }
            repeats = repeats || mapping.repeats
            return ("form", YAMLOutput(mapping.value))
        case .multipart(let parts): return ("multipart", Self.output(of: parts))
        case .graphQL(let query, let variables, let operation):
            var entries = Entries()
            entries.add("query", query)
            entries.add("variables", value: variables)
            entries.add("operationName", operation)
            return ("graphql", entries.output)
        case .file(let path): return ("file", .text(path.template))
        case .base64(let text): return ("base64", .text(text))
        }
    }

    /// Returns a form whose repeated names are not adjacent, as text.
    private static func formText(_ fields: [ImportedField]) -> ImportedText {
        var text = ImportedText()
        for (index, field) in fields.enumerated() {
            if index > 0 { text.append(literal: "&") }
            text.append(encoded(field.name))
            text.append(literal: "=")
            text.append(encoded(field.value))
        }
        return text
    }

    private static func output(of parts: [ImportedBody.Part]) -> YAMLOutput {
        var names: [ImportedText] = []
        var values: [ImportedText: [YAMLOutput]] = [:]
        for part in parts {
            if values[part.name] == nil { names.append(part.name) }
            values[part.name, default: []].append(output(of: part))
        }
        return .mapping(
            names.map { name in
                let list = values[name] ?? []
                return (.text(name.template), list.count == 1 ? list[0] : .sequence(list))
            })
    }

    private static func output(of part: ImportedBody.Part) -> YAMLOutput {
        var entries = Entries()
        switch part.content {
        case .text(let text):
            if part.fileName == nil, part.type == nil, part.headers.isEmpty {
                return YAMLOutput(ImportedValue(readable: text))
            }
            entries.add("text", text)
        case .file(let path): entries.add("file", path)
        case .json(let value): entries.add("json", value: value)
        }
        entries.add("type", part.type)
        entries.add("filename", part.fileName)
        if !part.headers.isEmpty { entries.add("headers", .fields(part.headers)) }
        return entries.output
    }

    // MARK: Authentication

    /// Returns the value of `auth`.
    static func output(of auth: ImportedAuth) -> YAMLOutput {
        var entries = Entries()
        func credentials(_ username: ImportedText, _ password: ImportedText) -> YAMLOutput {
            var entries = Entries()
            entries.add("username", username)
            entries.add("password", password)
            return entries.output
        }
        switch auth {
        case .none: return .text("none")
        case .basic(let username, let password): entries.add("basic", credentials(username, password))
        case .digest(let username, let password): entries.add("digest", credentials(username, password))
        case .bearer(let token): entries.add("bearer", token)
        case .apiKey(let location, let name, let value):
            var key = Entries()
            key.add(location.rawValue, name)
            key.add("value", value)
            entries.add("apiKey", key.output)
        case .oauth2(let members): entries.add("oauth2", value: .mapping(members))
        case .awsSigV4(let members): entries.add("awsSigV4", value: .mapping(members))
        }
        return entries.output
    }
}
