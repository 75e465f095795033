import Diagnostics
import FileSystem
import YAML

/// Reads the YAML layout of Bruno (OpenCollection): the same parts as those of `.bru` files, with other names.
struct OpenCollectionFile {
    /// The blocks of a `.bru` file with the same meaning.
    private(set) var blocks: [BruFile.Block] = []

    /// The types of files.
    private static let types = ["http", "graphql", "folder", "grpc", "websocket", "script", "app"]

    /// Returns whether a file belongs to a collection in this layout.
    static func recognizes(_ file: SourceFile) -> Bool {
        guard isYAML(file.name) else { return false }
        let lines = String(decoding: file.text.prefix(1 << 12), as: UTF8.self).split(whereSeparator: \.isNewline)
        func has(_ start: String) -> Bool { lines.contains { $0.hasPrefix(start) } }
        if has("opencollection:") { return true }
        if isEnvironment(file.name) { return has("name:") && has("variables:") }
        guard has("info:") else { return false }
        return lines.contains { line in
            let line = BruFile.trimmed(line)
            return line.hasPrefix("type:") && types.contains(String(BruFile.trimmed(line.dropFirst(5))))
        }
    }

    /// Returns whether a file is written in YAML, by its name.
    static func isYAML(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".yml") || name.hasSuffix(".yaml")
    }

    private static func isEnvironment(_ name: String) -> Bool {
        Path.lastComponent(of: Path.parent(of: name)) == "environments"
    }

    /// Returns the name of a collection, if the file is that of a collection.
    static func collectionName(_ file: SourceFile) -> String? {
        guard let root = YAMLSource.parse(file).documents.first?.mapping, root["opencollection"] != nil else {
            return nil
        }
        return text(root["info"]?.mapping?["name"])
    }

    /// Reads a file; nil after a syntax error, which is reported.
    init?(_ file: SourceFile, _ context: inout ImportContext) {
        guard let (documents, _) = YAMLSource.documents(file, &context) else { return nil }
        if documents.count > 1 { context.omitted("further documents of a file", count: documents.count - 1) }
        guard let root = documents.first?.mapping else { return }
        if Self.isEnvironment(file.name) { environment(root) }
        if let info = root["info"]?.mapping { meta(info) }
        if let request = root["request"]?.mapping { shared(request) }
        for name in ["http", "graphql"] {
            if let request = root[name]?.mapping { self.request(request, isGraphQL: name == "graphql") }
        }
        if let runtime = root["runtime"]?.mapping { code(runtime) }
        if let settings = root["settings"]?.mapping {
            add("settings", Self.pairs(settings, ["followRedirects", "maxRedirects", "timeout"]))
        }
        if let docs = root["docs"] { add("docs", text: Self.description(docs)) }
        if let description = root["info"]?.mapping?["description"], root["docs"] == nil {
            add("docs", text: Self.description(description))
        }
    }

    // MARK: Blocks

    private mutating func add(_ name: String, _ entries: [BruFile.Entry]) {
        guard let line = entries.first?.line else { return }
        blocks.append(BruFile.Block(name: name, line: line, lines: [], given: entries))
    }

    private mutating func add(_ name: String, text node: YAMLNode?) {
        guard let node, let text = Self.text(node), !text.isEmpty else { return }
        let isBlock = node.scalar?.style == .literal || node.scalar?.style == .folded
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        // The text of a block scalar begins on the line after its indicator. `.bru` files indent text by two spaces.
        let line = Int(node.range.start.line) - (isBlock ? 0 : 1)
        blocks.append(BruFile.Block(name: name, line: line, lines: lines.map { Substring("  " + $0) }))
    }

    private mutating func meta(_ info: YAMLMapping) {
        var entries = Self.pairs(info, ["name", "seq", "type"])
        if let tags = info["tags"]?.sequence, let line = entries.first?.line {
            let words = tags.compactMap { Self.text($0) }.joined(separator: " ")
            entries.append(BruFile.Entry(key: "tags", value: words, isEnabled: true, line: line))
        }
        add("meta", entries)
    }

    /// Adds what a collection or a directory adds to its requests.
    private mutating func shared(_ request: YAMLMapping) {
        add("headers", Self.list(request["headers"]))
        if let auth = request["auth"] {
            let mode = auth.mapping.map { Self.text($0["type"]) ?? "none" } ?? Self.text(auth) ?? "none"
            add("auth", [BruFile.Entry(key: "mode", value: mode, isEnabled: true, line: Self.line(auth))])
            authentication(auth, mode)
        }
        code(request)
    }

    private mutating func environment(_ root: YAMLMapping) {
        var plain: [BruFile.Entry] = []
        var secrets: [String] = []
        for node in root["variables"]?.elements ?? [] {
            guard let member = node.mapping, let name = Self.text(member["name"]) else { continue }
            let isEnabled = Self.text(member["disabled"]) != "true"
            if Self.text(member["secret"]) == "true" {
                secrets.append((isEnabled ? "" : "~") + name)
            } else {
                let value = Self.value(member["value"])
                plain.append(BruFile.Entry(key: name, value: value, isEnabled: isEnabled, line: Self.line(node)))
            }
        }
        add("vars", plain)
        if !secrets.isEmpty {
            blocks.append(BruFile.Block(name: "vars:secret", line: 1, lines: secrets.map { Substring($0) }))
        }
    }

    // MARK: Requests

    private mutating func request(_ http: YAMLMapping, isGraphQL: Bool) {
        guard let url = http["url"] ?? http["method"] else { return }
        var entries = Self.pairs(http, ["method", "url"])
        if isGraphQL, http["method"] == nil {
            entries.append(BruFile.Entry(key: "method", value: "POST", isEnabled: true, line: Self.line(url)))
        }
        func add(_ key: String, _ value: String) {
            entries.append(BruFile.Entry(key: key, value: value, isEnabled: true, line: Self.line(url)))
        }
        let auth = http["auth"]
        let mode = auth?.mapping.map { Self.text($0["type"]) ?? "none" } ?? Self.text(auth) ?? "none"
        add("auth", mode)
        let body = http["body"]?.mapping
        let type = isGraphQL ? "graphql" : Self.text(body?["type"]) ?? "none"
        add("body", type)
        self.add("http", entries)
        self.add("headers", Self.list(http["headers"]))
        for kind in ["path", "query"] {
            self.add("params:\(kind)", Self.list(http["params"]) { Self.text($0["type"]) == kind })
        }
        if let auth { authentication(auth, mode) }
        if let body { self.body(body, type) }
    }

    private mutating func body(_ body: YAMLMapping, _ type: String) {
        switch type {
        case "graphql":
            add("body:graphql", text: body["query"])
            add("body:graphql:vars", text: body["variables"])
        case "form-urlencoded": add("body:form-urlencoded", Self.list(body["data"]))
        case "multipart-form":
            add(
                "body:multipart-form",
                Self.list(body["data"]) { _ in
                    true
                } value: {
                    Self.part($0)
                })
        case "file":
            let selected = Self.list(body["data"]) {
                Self.text($0["selected"]) == "true"
            } value: {
                Self.file($0)
            }
            add("body:file", selected)
        default: add("body:\(type)", text: body["data"])
        }
    }

    /// Returns the value of a part of a form in the notation of `.bru` files.
    private static func part(_ part: YAMLMapping) -> String {
        let type = text(part["contentType"]).flatMap { $0.isEmpty ? nil : " @contentType(\($0))" } ?? ""
        guard text(part["type"]) == "file" else { return value(part["value"]) + type }
        let paths = part["value"]?.sequence.map { $0.compactMap { text($0) } } ?? [value(part["value"])]
        return "@file(\(paths.joined(separator: "|")))\(type)"
    }

    private static func file(_ file: YAMLMapping) -> String {
        let type = text(file["contentType"]).flatMap { $0.isEmpty ? nil : " @contentType(\($0))" } ?? ""
        return "@file(\(text(file["filePath"]) ?? ""))\(type)"
    }

    private mutating func authentication(_ auth: YAMLNode, _ mode: String) {
        guard let members = auth.mapping else { return }
        var entries = Self.pairs(members, members.map { $0.key.scalar?.text ?? "" })
        func add(_ key: String, _ value: String?) {
            guard let value else { return }
            entries.append(BruFile.Entry(key: key, value: value, isEnabled: true, line: Self.line(auth)))
        }
        switch mode {
        case "apikey":
            entries.removeAll { $0.key == "placement" }
            add("placement", Self.text(members["placement"]) == "query" ? "queryparams" : "header")
        case "oauth2":
            let flow = Self.text(members["flow"]) ?? "authorization_code"
            let credentials = members["credentials"]?.mapping
            let owner = members["resourceOwner"]?.mapping
            add("grant_type", flow == "resource_owner_password_credentials" ? "password" : flow)
            add("access_token_url", Self.text(members["accessTokenUrl"]))
            add("client_id", Self.text(credentials?["clientId"]))
            add("client_secret", Self.text(credentials?["clientSecret"]))
            add("username", Self.text(owner?["username"]))
            add("password", Self.text(owner?["password"]))
        default: break
        }
        self.add("auth:\(mode)", entries)
    }

    // MARK: Code

    /// Adds the variables, scripts, assertions, and captures of a request, a directory, or a collection.
    private mutating func code(_ parent: YAMLMapping) {
        add("vars:pre-request", Self.list(parent["variables"]))
        let names = [
            "before-request": "script:pre-request", "after-response": "script:post-response", "tests": "tests",
        ]
        for script in parent["scripts"]?.elements ?? [] {
            guard let script = script.mapping, let name = names[Self.text(script["type"]) ?? ""] else { continue }
            add(name, text: script["code"])
        }
        let assertions = parent["assertions"]?.elements ?? []
        add(
            "assert",
            assertions.compactMap { node in
                guard let member = node.mapping, let expression = Self.text(member["expression"]) else { return nil }
                let operation = Self.text(member["operator"]) ?? ""
                let value = Self.text(member["value"]).map { "\(operation) \($0)" } ?? operation
                return BruFile.Entry(
                    key: expression, value: value, isEnabled: Self.text(member["disabled"]) != "true",
                    line: Self.line(node))
            })
        let actions = parent["actions"]?.elements ?? []
        add(
            "vars:post-response",
            actions.compactMap { node in
                guard let member = node.mapping, Self.text(member["type"]) == "set-variable",
                    Self.text(member["phase"]) == "after-response",
                    let name = Self.text(member["variable"]?.mapping?["name"]),
                    let expression = Self.text(member["selector"]?.mapping?["expression"])
                else { return nil }
                return BruFile.Entry(
                    key: name, value: expression, isEnabled: Self.text(member["disabled"]) != "true",
                    line: Self.line(node))
            })
    }

    // MARK: Values

    private static func line(_ node: YAMLNode) -> Int { Int(node.range.start.line) }

    private static func text(_ node: YAMLNode?) -> String? { node?.isNull == true ? nil : node?.scalar?.text }

    /// Returns the text of a value, which can also be an object of its type and its text.
    private static func value(_ node: YAMLNode?) -> String {
        text(node) ?? text(node?.mapping?["data"]) ?? ""
    }

    private static func description(_ node: YAMLNode) -> YAMLNode { node.mapping?["content"] ?? node }

    /// Returns the members of a mapping with scalars as entries.
    private static func pairs(_ mapping: YAMLMapping, _ names: [String]) -> [BruFile.Entry] {
        names.compactMap { name in
            guard let node = mapping[name], let text = text(node) else { return nil }
            return BruFile.Entry(key: name, value: text, isEnabled: true, line: line(node))
        }
    }

    /// Returns the elements of a sequence of names and values as entries.
    private static func list(
        _ node: YAMLNode?, where isIncluded: (YAMLMapping) -> Bool = { _ in true },
        value: (YAMLMapping) -> String = { Self.value($0["value"]) }
    ) -> [BruFile.Entry] {
        (node?.elements ?? []).compactMap { node in
            guard let member = node.mapping, let name = text(member["name"]) ?? text(member["filePath"]),
                isIncluded(member)
            else { return nil }
            return BruFile.Entry(
                key: name, value: value(member), isEnabled: text(member["disabled"]) != "true", line: line(node))
        }
    }
}
