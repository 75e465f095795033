import Diagnostics
import JSON

/// Translates the request of an item.
struct PostmanRequest {
    /// The translated request.
    private(set) var request: ImportedRequest
    /// The parts without a translation.
    private(set) var notes: [ImportNote] = []
    /// The reasons for which a suite cannot send the request.
    private(set) var omitted: [String] = []

    private let value: JSONValue
    private let file: SourceFile
    private let line: Int?

    /// The methods without a body, unless a setting says otherwise.
    private static let methodsWithoutBody: Set<String> = ["GET", "HEAD", "COPY", "PURGE", "UNLOCK"]

    /// Translates a request.
    init(
        _ item: PostmanCollection.Item, in file: SourceFile, line: Int?, values: [String: String],
        _ variables: inout ScriptVariables, _ context: inout ImportContext
    ) {
        let source = item.value["request"] ?? .null
        self.file = file
        self.line = line
        // A request may be only a URL.
        value = source.stringValue.map { .object(["url": .string($0)]) } ?? source
        // Postman sends methods in uppercase.
        let method = (value["method"]?.stringValue ?? "GET").uppercased()
        let url = PostmanURL.text(value["url"], &variables, values: values, omitted: &omitted)
        request = ImportedRequest(method: method.isEmpty ? "GET" : method, url: url)
        headers(&variables)
        authenticate(item.auth, &variables, &context)
        settings(item.behavior, &context)
        if let body = value["body"], !body.isNull, body["disabled"]?.boolValue != true {
            let isPruned =
                Self.methodsWithoutBody.contains(request.method)
                && Self.setting("disableBodyPruning", item.behavior)?.boolValue != true
            if !isPruned {
                self.body(body, &variables, &context)
            } else if Self.hasContent(body) {
                omitted.append("bodies of \(request.method) requests")
            }
        }
        for key in ["proxy", "certificate"] where value[key]?.objectValue != nil { note(key, &context) }
    }

    private mutating func note(_ construct: String, source: String = "", _ context: inout ImportContext) {
        notes.append(context.untranslated(construct, in: file, line: line, source: source))
    }

    // MARK: Headers

    private mutating func headers(_ variables: inout ScriptVariables) {
        switch value["header"] {
        case .array(let fields):
            for field in fields {
                if let text = field.stringValue {
                    header(text, &variables)
                } else if field["disabled"]?.boolValue == true {
                    omitted.append("disabled headers")
                } else if let key = field["key"]?.stringValue, !key.isEmpty {
                    add(key, PostmanVariables.text(field["value"]), &variables)
                }
            }
        case .string(let text):
            for line in text.split(whereSeparator: \.isNewline) { header(String(line), &variables) }
        default: break
        }
    }

    /// Adds a header field of text such as `Accept: application/json`.
    private mutating func header(_ text: String, _ variables: inout ScriptVariables) {
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return }
        add(String(text[..<colon]), String(text[text.index(after: colon)...].drop { $0 == " " }), &variables)
    }

    private mutating func add(_ name: String, _ value: String, _ variables: inout ScriptVariables) {
        // Clients compute these.
        if ["content-length", "host", "postman-token"].contains(name.lowercased()) && !value.contains("{{") {
            if name.lowercased() != "host" { return omitted.append("\(name) headers") }
        }
        request.headers.append(
            ImportedField(ScriptTemplate.text(name, &variables), ScriptTemplate.text(value, &variables)))
    }

    // MARK: Authentication and settings

    private mutating func authenticate(
        _ auth: JSONValue?, _ variables: inout ScriptVariables, _ context: inout ImportContext
    ) {
        guard let auth else { return }
        switch PostmanAuth.result(auth, &variables) {
        case .nothing: break
        case .auth(let auth):
            if case .apiKey(let location, let name, _) = auth {
                if location == .header, let name = name.literal { request.removeHeader(name) }
            } else {
                request.removeHeader("Authorization")
            }
            request.auth = auth
        case .header(let field):
            request.removeHeader("Authorization")
            request.headers.append(field)
        case .query(let field): request.query.append(field)
        case .untranslated(let construct): note(construct, &context)
        }
    }

    private static func setting(_ name: String, _ behavior: [JSONValue]) -> JSONValue? {
        behavior.lazy.compactMap { $0[name] }.first
    }

    private mutating func settings(_ behavior: [JSONValue], _ context: inout ImportContext) {
        if Self.setting("followRedirects", behavior)?.boolValue == false {
            request.set(.redirects, false)
        } else if let maximum = Self.setting("maxRedirects", behavior)?.numberValue?.int64, maximum >= 0 {
            request.limitRedirects(to: Int(maximum))
        }
        if Self.setting("strictSSL", behavior)?.boolValue == false { request.set(.tls, .map([("verify", false)])) }
        for case .object(let disabled)? in [Self.setting("disabledSystemHeaders", behavior)] {
            for (name, value) in disabled where value.boolValue == true {
                request.suppressedHeaders.append(name)
            }
        }
        for name in ["followOriginalHttpMethod", "disableCookies", "tlsPreferServerCiphers", "tlsCipherSelection"] {
            guard let value = Self.setting(name, behavior), value.boolValue != false, value.arrayValue?.isEmpty != true
            else {
                continue
            }
            note(name, &context)
        }
    }

    // MARK: Bodies

    private static func hasContent(_ body: JSONValue) -> Bool {
        guard let mode = body["mode"]?.stringValue, let content = body[mode] else { return false }
        switch content {
        case .string(let text): return !text.isEmpty
        case .array(let elements): return !elements.isEmpty
        case .object(let object): return !object.isEmpty
        default: return false
        }
    }

    private mutating func body(
        _ body: JSONValue, _ variables: inout ScriptVariables, _ context: inout ImportContext
    ) {
        switch body["mode"]?.stringValue {
        case "raw": raw(body, &variables)
        case "urlencoded":
            if let text = body["urlencoded"]?.stringValue {
                request.body = .text(ScriptTemplate.text(text, &variables))
                addContentType("application/x-www-form-urlencoded")
                return
            }
            let fields = enabled(body["urlencoded"]).map { field in
                ImportedField(
                    ScriptTemplate.text(PostmanVariables.text(field["key"]), &variables),
                    ScriptTemplate.text(PostmanVariables.text(field["value"]), &variables))
            }
            if !fields.isEmpty { request.body = .form(Self.grouped(fields)) }
        case "formdata": multipart(body["formdata"], &variables, &context)
        case "file":
            let file = body["file"]
            if let content = file?["content"]?.stringValue {
                request.body = .text(ScriptTemplate.text(content, &variables))
                if request.header("Content-Type") == nil { request.suppressedHeaders.append("Content-Type") }
                return
            }
            guard let path = file?["src"]?.stringValue ?? file?.stringValue, !path.isEmpty else { return }
            guard let path = suitePath(path, &variables, &context) else { return }
            request.body = .file(path)
            if request.header("Content-Type") == nil { request.suppressedHeaders.append("Content-Type") }
        case "graphql": graphQL(body["graphql"], &variables)
        case nil: break
        case let mode?: note("body mode \(mode)", &context)
        }
    }

    /// Returns fields with equal names next to each other, as they are sent.
    private static func grouped(_ fields: [ImportedField]) -> [ImportedField] {
        var names: [ImportedText] = []
        var groups: [ImportedText: [ImportedField]] = [:]
        for field in fields {
            if groups[field.name] == nil { names.append(field.name) }
            groups[field.name, default: []].append(field)
        }
        return names.flatMap { groups[$0] ?? [] }
    }

    private mutating func enabled(_ value: JSONValue?) -> [JSONValue] {
        let all = value?.arrayValue ?? []
        let enabled = all.filter { $0["disabled"]?.boolValue != true }
        omitted += Array(repeating: "disabled form fields", count: all.count - enabled.count)
        return enabled
    }

    private mutating func addContentType(_ type: String) {
        if request.header("Content-Type") == nil {
            request.headers.append(ImportedField("Content-Type", ImportedText(type)))
        }
    }

    private static let languages = [
        "json": "application/json", "xml": "application/xml", "html": "text/html",
        "javascript": "application/javascript",
    ]

    private mutating func raw(_ body: JSONValue, _ variables: inout ScriptVariables) {
        let source = PostmanVariables.text(body["raw"])
        if source.isEmpty { return }
        addContentType(Self.languages[body["options"]?["raw"]?["language"]?.stringValue ?? ""] ?? "text/plain")
        request.body = ScriptTemplate.body(
            ScriptTemplate.text(source, &variables), request.header("Content-Type")?.literal, variables)
    }

    private mutating func multipart(
        _ value: JSONValue?, _ variables: inout ScriptVariables, _ context: inout ImportContext
    ) {
        var parts: [ImportedBody.Part] = []
        for field in enabled(value) {
            let name = ScriptTemplate.text(PostmanVariables.text(field["key"]), &variables)
            var contents: [ImportedBody.Part.Content] = []
            if field["type"]?.stringValue == "file" {
                let paths = field["src"]?.arrayValue?.compactMap(\.stringValue) ?? [field["src"]?.stringValue ?? ""]
                for path in paths where !path.isEmpty {
                    if let path = suitePath(path, &variables, &context) { contents.append(.file(path)) }
                }
                if paths.allSatisfy(\.isEmpty) { note("file field without a file", &context) }
            } else {
                contents = [.text(ScriptTemplate.text(PostmanVariables.text(field["value"]), &variables))]
            }
            for content in contents {
                var part = ImportedBody.Part(name, content)
                if let type = field["contentType"]?.stringValue, !type.isEmpty {
                    part.type = ScriptTemplate.text(type, &variables)
                }
                if let fileName = field["fileName"]?.stringValue {
                    part.fileName = ScriptTemplate.text(fileName, &variables)
                }
                parts.append(part)
            }
        }
        if !parts.isEmpty { request.body = .multipart(parts) }
    }

    private mutating func suitePath(
        _ path: String, _ variables: inout ScriptVariables, _ context: inout ImportContext
    ) -> ImportedText? {
        let text = ScriptTemplate.text(path, &variables)
        guard text.literal != nil else { return text }
        // Some exports have an absolute path of another system, which starts with a slash.
        do throws(ImportFiles.Failure) {
            return ImportedText(try context.files.suitePath(path, from: file))
        } catch {
            note("file \"\(path)\", which \(error.reason)", &context)
            return nil
        }
    }

    private mutating func graphQL(_ value: JSONValue?, _ variables: inout ScriptVariables) {
        guard let value, let query = value["query"]?.stringValue else { return }
        var data: ImportedValue?
        let source = PostmanVariables.text(value["variables"])
        let text = ScriptTemplate.text(source, &variables)
        if !source.isEmpty, source != "null" {
            data = ImportedBody.json(ScriptTemplate.json(text, variables).text, unquoted: .value)
        }
        let operation = value["operationName"]?.stringValue.map { ScriptTemplate.text($0, &variables) }
        if data == nil, !source.isEmpty, source != "null" {
            // Variables that are not JSON are sent as they are.
            var body = ImportedText("{\"query\":\(PostmanVariables.json(.string(query)))")
            if let operation { body = body + ",\"operationName\":\"" + operation + "\"" }
            request.body = .text(body + ",\"variables\":" + text + "}")
            return addContentType("application/json")
        }
        request.body = .graphQL(
            query: ScriptTemplate.text(query, &variables), variables: data, operationName: operation)
        if request.header("Content-Type") == nil {
            request.headers.append(ImportedField("Content-Type", "application/json"))
        }
    }
}
