import Diagnostics

/// Translates the request of a `.bru` file.
struct BrunoRequest {
    /// The translated request.
    private(set) var request: ImportedRequest
    /// The parts without a translation.
    private(set) var notes: [ImportNote] = []
    /// The parts that Bruno does not send, by kind.
    private(set) var omitted: [String] = []

    private let source: BrunoCollection.Item
    private let file: SourceFile
    private let line: Int

    /// The names of blocks with a request.
    static let methods: Set<String> = [
        "get", "post", "put", "delete", "patch", "options", "head", "connect", "trace", "http",
    ]

    /// Translates a request.
    init?(
        _ item: BrunoCollection.Item, values: [String: String], _ variables: inout ScriptVariables,
        _ context: inout ImportContext
    ) {
        guard let block = item.bru.blocks.first(where: { Self.methods.contains($0.name) }) else { return nil }
        source = item
        file = item.file
        line = block.line
        let entries = BruFile.entries(block)
        func value(_ key: String) -> String? { entries.first { $0.key == key }?.value }
        let method = block.name == "http" ? value("method") ?? "GET" : block.name.uppercased()
        let url = Self.url(value("url") ?? "", item.bru.entries("params:path"))
        request = ImportedRequest(method: method, url: PostmanURL.complete(url, &variables, values))
        headers(&variables)
        let auth = value("auth") ?? "inherit"
        if auth == "inherit" {
            if let (settings, mode) = item.auth { authenticate(mode, settings, &variables, &context) }
        } else {
            authenticate(auth, item.bru, &variables, &context)
        }
        body(value("body") ?? "none", &variables, &context)
        settings()
        omitted += item.bru.entries("params:query").filter { !$0.isEnabled }.map { _ in "disabled parameters" }
    }

    private mutating func note(_ construct: String, _ context: inout ImportContext) {
        notes.append(context.untranslated(construct, in: file, line: line))
    }

    /// Returns a URL with the values of its path parameters.
    private static func url(_ text: String, _ parameters: [BruFile.Entry]) -> String {
        if parameters.isEmpty { return text }
        let values = Dictionary(parameters.filter(\.isEnabled).map { ($0.key, $0.value) }) { first, _ in first }
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let parts = text[..<end].split(separator: "/", omittingEmptySubsequences: false).map { part -> String in
            part.hasPrefix(":") ? values[String(part.dropFirst())] ?? String(part) : String(part)
        }
        return parts.joined(separator: "/") + text[end...]
    }

    // MARK: Headers and credentials

    private mutating func headers(_ variables: inout ScriptVariables) {
        // Those of the request come last and replace inherited ones.
        let own = source.bru.entries("headers")
        let entries = (source.levels.flatMap { $0.entries("headers") } + own).filter(\.isEnabled)
        var names: Set<String> = []
        let last = entries.reversed().filter { names.insert($0.key.lowercased()).inserted }.reversed()
        for entry in last {
            request.headers.append(
                ImportedField(
                    ScriptTemplate.text(entry.key, &variables), ScriptTemplate.text(entry.value, &variables)))
        }
        omitted += own.filter { !$0.isEnabled }.map { _ in "disabled headers" }
    }

    private mutating func authenticate(
        _ mode: String, _ bru: BruFile, _ variables: inout ScriptVariables, _ context: inout ImportContext
    ) {
        func text(_ key: String) -> ImportedText {
            ScriptTemplate.text(bru.value("auth:\(mode)", key) ?? "", &variables)
        }
        func members(_ pairs: [(String, String)]) -> [ImportedValue.Member] {
            pairs.compactMap { name, key in
                guard let value = bru.value("auth:\(mode)", key), !value.isEmpty else { return nil }
                return ImportedValue.Member(ImportedText(name), .text(text(key)))
            }
        }
        switch mode {
        case "none": break
        case "basic": request.auth = .basic(username: text("username"), password: text("password"))
        case "digest": request.auth = .digest(username: text("username"), password: text("password"))
        case "bearer": request.auth = .bearer(text("token"))
        case "apikey":
            let isQuery = bru.value("auth:apikey", "placement") == "queryparams"
            request.auth = .apiKey(isQuery ? .query : .header, name: text("key"), value: text("value"))
        case "awsv4":
            request.auth = .awsSigV4(
                members([
                    ("accessKey", "accessKeyId"), ("secretKey", "secretAccessKey"), ("sessionToken", "sessionToken"),
                    ("region", "region"), ("service", "service"),
                ]))
        case "oauth2":
            let grant = bru.value("auth:oauth2", "grant_type") ?? ""
            let client = members([("clientID", "client_id"), ("clientSecret", "client_secret")])
            var list = members([("tokenURL", "access_token_url")])
            switch grant {
            case "client_credentials": break
            case "password":
                list.append(ImportedValue.Member("grant", "password"))
                list += members([("username", "username"), ("password", "password")])
            default: return note("oauth2 with \(grant)", &context)
            }
            guard !list.isEmpty, !client.isEmpty else { return note("oauth2 without a client", &context) }
            let placement = bru.value("auth:oauth2", "token_placement") ?? ""
            guard ["", "header"].contains(placement) else {
                return note("oauth2 with the token in the \(placement)", &context)
            }
            let prefix = bru.value("auth:oauth2", "token_header_prefix") ?? "Bearer"
            guard prefix == "Bearer" else { return note("oauth2 with another prefix than Bearer", &context) }
            list += client
            let scopes = (bru.value("auth:oauth2", "scope") ?? "").split(separator: " ")
            if !scopes.isEmpty {
                list.append(ImportedValue.Member("scopes", .sequence(scopes.map { .literal($0) })))
            }
            request.auth = .oauth2(list)
        default: return note("\(mode) authentication", &context)
        }
        if request.auth != nil, mode != "apikey" { request.removeHeader("Authorization") }
    }

    private mutating func settings() {
        let entries = source.bru.entries("settings")
        func value(_ key: String) -> String? { entries.first { $0.key == key }?.value }
        if value("followRedirects") == "false" {
            request.set(.redirects, false)
        } else if let maximum = value("maxRedirects").flatMap({ Int($0) }), maximum >= 0 {
            request.limitRedirects(to: maximum)
        }
        if let timeout = value("timeout").flatMap({ Int($0) }), timeout > 0 {
            request.set(.timeout, .literal(DurationText.milliseconds(timeout)))
        }
    }

    // MARK: Bodies

    private static let mediaTypes = [
        "json": "application/json", "text": "text/plain", "xml": "application/xml",
        "sparql": "application/sparql-query",
    ]

    private mutating func body(
        _ mode: String, _ variables: inout ScriptVariables, _ context: inout ImportContext
    ) {
        let bru = source.bru
        func addContentType(_ type: String) {
            if request.header("Content-Type") == nil {
                request.headers.append(ImportedField("Content-Type", ImportedText(type)))
            }
        }
        switch mode {
        case "none": break
        case "json", "text", "xml", "sparql":
            guard let block = bru.block("body:\(mode)") ?? bru.block("body"), !block.text.isEmpty else { return }
            addContentType(Self.mediaTypes[mode] ?? "text/plain")
            let text = mode == "json" ? withoutComments(block.text) : block.text
            request.body = ScriptTemplate.body(
                ScriptTemplate.text(text, &variables), request.header("Content-Type")?.literal, variables)
        case "form-urlencoded", "formUrlEncoded":
            let fields = enabled("body:form-urlencoded").map {
                ImportedField(ScriptTemplate.text($0.key, &variables), ScriptTemplate.text($0.value, &variables))
            }
            // A form without fields has no body, but Bruno sends its media type.
            if fields.isEmpty {
                addContentType("application/x-www-form-urlencoded")
            } else {
                request.body = .form(fields)
            }
        case "multipart-form", "multipartForm": multipart(&variables, &context)
        case "graphql":
            let query = ScriptTemplate.text(bru.block("body:graphql")?.text ?? "", &variables)
            let text = ScriptTemplate.text(withoutComments(bru.block("body:graphql:vars")?.text ?? ""), &variables)
            // Without variables, Bruno sends an empty object.
            let data =
                text.isEmpty
                ? .mapping([]) : ImportedBody.json(ScriptTemplate.json(text, variables).text, unquoted: .value)
            if data == nil { note("GraphQL variables that are not JSON", &context) }
            request.body = .graphQL(query: query, variables: data, operationName: nil)
        case "file":
            guard let entry = enabled("body:file").first else { return }
            let (value, type) = Self.contentType(entry.value)
            guard let path = Self.paths(value).first, let path = suitePath(path, &context) else { return }
            request.body = .file(path)
            if let type { addContentType(type) }
        default: note("body \(mode)", &context)
        }
    }

    /// Returns JSON without comments, which Bruno does not send.
    private mutating func withoutComments(_ text: String) -> String {
        let json = JSONComments(removedFrom: text)
        omitted += (0..<json.count).map { _ in "comments in bodies" }
        return json.text
    }

    private mutating func enabled(_ block: String) -> [BruFile.Entry] {
        let entries = source.bru.entries(block)
        omitted += entries.filter { !$0.isEnabled }.map { _ in "disabled form fields" }
        return entries.filter(\.isEnabled)
    }

    private mutating func multipart(_ variables: inout ScriptVariables, _ context: inout ImportContext) {
        var parts: [ImportedBody.Part] = []
        for entry in enabled("body:multipart-form") {
            let (value, type) = Self.contentType(entry.value)
            let name = ScriptTemplate.text(entry.key, &variables)
            var contents: [ImportedBody.Part.Content] = []
            if value.hasPrefix("@file(") {
                for path in Self.paths(value) {
                    if let path = suitePath(path, &context) { contents.append(.file(path)) }
                }
            } else {
                contents = [.text(ScriptTemplate.text(value, &variables))]
            }
            for content in contents {
                var part = ImportedBody.Part(name, content)
                part.type = type.map { ImportedText($0) }
                parts.append(part)
            }
        }
        if !parts.isEmpty { request.body = .multipart(parts) }
    }

    /// Returns a value without the media type that follows it.
    private static func contentType(_ value: String) -> (value: String, type: String?) {
        guard value.hasSuffix(")"), let mark = value.firstRange(of: "@contentType(") else { return (value, nil) }
        let type = String(value[mark.upperBound...].dropLast())
        return (String(BruFile.trimmed(value[..<mark.lowerBound])), type.isEmpty ? nil : type)
    }

    /// Returns the paths in `@file(a|b)`.
    private static func paths(_ value: String) -> [String] {
        guard value.hasPrefix("@file("), value.hasSuffix(")") else { return [] }
        return value.dropFirst(6).dropLast().split(separator: "|").map(String.init)
    }

    private mutating func suitePath(_ path: String, _ context: inout ImportContext) -> ImportedText? {
        let directory = source.root.isEmpty ? "" : "\(source.root)/"
        do throws(ImportFiles.Failure) {
            return ImportedText(try context.files.suitePath(path.hasPrefix("/") ? path : directory + path, from: file))
        } catch {
            note("file \"\(path)\", which \(error.reason)", &context)
            return nil
        }
    }
}
