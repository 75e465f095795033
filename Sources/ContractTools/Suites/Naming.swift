import OpenAPI

/// The naming of tests and variables.
enum Naming {
    /// Returns the name of a variable: `book_id` and `bookId` become `bookID`.
    static func variable(_ identifier: String) -> String {
        var name = ""
        for (position, word) in Identifier.words(identifier).enumerated() {
            let ascii = String(word.filter { $0.isASCII })
            guard let first = ascii.first else { continue }
            let lower = ascii.lowercased()
            if position > 0, ["id", "url", "uuid", "isbn"].contains(lower) {
                name += lower.uppercased()
            } else if position == 0 || name.isEmpty {
                name += ascii == ascii.uppercased() ? lower : first.lowercased() + ascii.dropFirst()
            } else {
                name += first.uppercased() + ascii.dropFirst()
            }
        }
        guard let first = name.first else { return "value" }
        let reserved: Set = [
            "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if",
            "import", "let", "loop", "package", "namespace", "return", "var", "void", "while", "status", "headers",
            "body", "text", "cookies", "duration", "response", "steps", "tests", "url", "env", "date", "file", "size",
            "type", "double", "int", "string", "bool", "bytes", "list", "map", "dyn", "timestamp", "matches",
            "request", "hex", "base64", "json", "math", "strings", "optional",
        ]
        return first.isNumber || reserved.contains(name)
            ? name + "Value" == "Value" ? "value" : "the\(name.prefix(1).uppercased())\(name.dropFirst())" : name
    }

    /// Returns the name of an environment variable: `uploadURL` becomes `UPLOAD_URL`.
    static func environment(_ identifier: String) -> String {
        Identifier.words(identifier).map { $0.uppercased() }.joined(separator: "_")
    }

    /// Returns the singular of a noun: `books` becomes `book`.
    static func singular(_ word: String) -> String {
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for ending in ["sses", "xes", "ches", "shes", "zes"] where word.hasSuffix(ending) {
            return String(word.dropLast(2))
        }
        return word.hasSuffix("s") && !word.hasSuffix("ss") && !word.hasSuffix("us") && word.count > 3
            ? String(word.dropLast()) : word
    }

    /// Returns the name of an operation's test.
    static func test(_ operation: Operation) -> String {
        if let summary = operation.summary {
            let line = summary.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
            let visible = String(
                String.UnicodeScalarView(
                    line.unicodeScalars.filter {
                        $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
                    }))
            var text = visible.split(separator: " ").joined(separator: " ")
            while text.hasSuffix(".") { text.removeLast() }
            if !text.isEmpty { return String(text.prefix(100)) }
        }
        if let id = operation.id {
            let words = Identifier.words(id)
            if !words.isEmpty {
                return words.map { $0.count > 1 && $0 == $0.uppercased() ? $0 : $0.lowercased() }.joined(separator: " ")
            }
        }
        return operation.title
    }

    /// Returns the tokens of a JSON Pointer as a JSONPath expression (RFC 9535).
    static func path(_ tokens: [String]) -> String {
        var path = "$"
        for token in tokens {
            if let index = Int(token), index >= 0 {
                path += "[\(index)]"
            } else if let first = token.unicodeScalars.first, first == "_" || first.properties.isAlphabetic,
                token.unicodeScalars.allSatisfy({
                    $0 == "_" || $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                })
            {
                path += ".\(token)"
            } else {
                let escaped = token.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }
                path += "['\(String(escaped))']"
            }
        }
        return path
    }
}

/// The URL of a server in a suite: absolute and without a trailing slash.
struct ServerAddress: Equatable {
    /// The scheme and the authority.
    let origin: String
    /// The path.
    let path: String

    /// The complete URL.
    var text: String { origin + path }

    /// Creates the address of a URL.
    init(text: String) {
        let end = text.firstRange(of: "://").flatMap { text[$0.upperBound...].firstIndex(of: "/") } ?? text.endIndex
        origin = String(text[..<end])
        path = String(text[end...])
    }

    /// Creates the address of a server, with the default values of its variables.
    ///
    /// - Parameters:
    ///   - server: The server, or `nil` for the URL `/`.
    ///   - base: The server that provides the host of a relative URL.
    init(_ server: Server?, base: ServerAddress?) {
        var url = server?.defaultURL ?? "/"
        if url.hasPrefix("//") { url = "https:" + url }
        while url.hasSuffix("/") { url.removeLast() }
        if url.hasPrefix("http://") || url.hasPrefix("https://"), let scheme = url.firstRange(of: "://") {
            let end = url[scheme.upperBound...].firstIndex(of: "/") ?? url.endIndex
            origin = String(url[..<end])
            path = String(url[end...])
        } else {
            origin = base?.origin ?? "http://127.0.0.1:8080"
            path = url.isEmpty || url.hasPrefix("/") ? url : "/" + url
        }
    }

    /// Returns the servers that can receive requests. A URL without a host, such as `https://`, is excluded.
    static func usable(_ servers: [Server]) -> [Server] {
        servers.filter { server in
            let url = server.defaultURL
            if url.hasPrefix("//") { return url.dropFirst(2).first.map { !"/:?#".contains($0) } ?? false }
            guard let scheme = url.firstRange(of: "://") else { return true }
            let host = url[scheme.upperBound...].first.map { !"/:?#".contains($0) } ?? false
            return host && ["http", "https"].contains(url[..<scheme.lowerBound].lowercased())
        }
    }

    /// Returns an expression for the URL: an environment variable with the documented URL as the default.
    func expression(_ environment: String) -> String {
        "${env('\(environment)', '\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))')}"
    }

    /// Returns a variable name for the URL, based on the host's first label, or on the path if the host is the usual
    /// one.
    func variableName(besides usual: ServerAddress) -> String {
        let label = host.split(separator: ".").first.map(String.init) ?? ""
        let isTelling = host != usual.host && (label.first?.isLetter ?? false) && label != "localhost"
        let words = Identifier.words(isTelling ? label : path).filter { $0.first?.isLetter ?? false }
        return Naming.variable((words.isEmpty ? ["server"] : words).joined(separator: "_") + "_url")
    }

    private var host: String {
        let authority = origin.firstRange(of: "://").map { origin[$0.upperBound...] } ?? origin[...]
        return authority.prefix { $0 != ":" }.lowercased()
    }
}
