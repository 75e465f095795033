/// The URL of a server as a suite has it: absolute, without a slash at its end.
struct ServerAddress: Equatable {
    /// The scheme and the authority.
    let origin: String
    /// The path.
    let path: String

    /// The whole URL.
    var text: String { origin + path }

    /// Reads a server's URL, with the default of every variable.
    ///
    /// - Parameters:
    ///   - server: The server; nil for one with the URL `/`.
    ///   - base: The server at whose host a relative URL is.
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

    /// The servers that requests can be sent to: a URL without a host, such as `https://`, names none.
    static func usable(_ servers: [Server]) -> [Server] {
        servers.filter { server in
            let url = server.defaultURL
            if url.hasPrefix("//") { return url.dropFirst(2).first.map { !"/:?#".contains($0) } ?? false }
            guard let scheme = url.firstRange(of: "://") else { return true }
            let host = url[scheme.upperBound...].first.map { !"/:?#".contains($0) } ?? false
            return host && ["http", "https"].contains(url[..<scheme.lowerBound].lowercased())
        }
    }

    /// The URL as an expression: an environment variable, or the documented one.
    func expression(_ environment: String) -> String {
        "${env('\(environment)', '\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))')}"
    }

    /// The name of a variable for the URL: by the first part of the host, or by the path where the host is the usual one.
    func variableName(besides usual: ServerAddress) -> String {
        let label = host.split(separator: ".").first.map(String.init) ?? ""
        let isTelling = host != usual.host && (label.first?.isLetter ?? false) && label != "localhost"
        let words = Naming.words(isTelling ? label : path).filter { $0.first?.isLetter ?? false }
        return Naming.variable((words.isEmpty ? ["server"] : words).joined(separator: "_") + "_url")
    }

    private var host: String {
        let authority = origin.firstRange(of: "://").map { origin[$0.upperBound...] } ?? origin[...]
        return authority.prefix { $0 != ":" }.lowercased()
    }
}
