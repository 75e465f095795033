/// The text of the suite.
extension SuiteGenerator {
    /// The suite in YAML.
    func text() -> String {
        var entries: [(String, SuiteNode)] = []
        let title = description.title.isEmpty ? "API" : description.title
        entries.append(("name", .text(SuiteNode.escaped(title))))
        let base = SuiteNode.text("${env('BASE_URL', '\(baseURL)')}")
        if !options.servesMock { entries.append(("baseURL", base)) }
        entries.append(("contract", .text(SuiteNode.escaped(options.contractPath))))
        entries.append(("mode", .text("serial")))
        if options.servesMock {
            entries.append(("serve", .map([("mock", .text(SuiteNode.escaped(options.contractPath)))])))
        }
        if !variables.isEmpty { entries.append(("variables", .map(variables))) }
        if options.servesMock {
            entries.append(("environments", .map([("server", .map([("baseURL", base)]))])))
        }
        var defaults: [(String, SuiteNode)] = []
        if let defaultAccept { defaults.append(("headers", .map([("Accept", .text(defaultAccept))]))) }
        let plan = SecurityPlan(description: description)
        if let key = defaultCredentials {
            let auth = operations.lazy.compactMap { try? plan.credentials(for: $0) }.first { $0.key == key }?.auth
            if let auth { defaults.append(("auth", auth)) }
        }
        if !defaults.isEmpty { entries.append(("defaults", .map(defaults))) }
        entries.append(("tests", .list(tests)))
        var writer = SuiteTextWriter()
        writer.write(entries, separated: ["variables", "defaults", "tests", "environments"])
        return comment() + writer.text
    }

    private var baseURL: String {
        let url = description.servers.first?.defaultURL ?? "/"
        let text: String
        if url.hasPrefix("http://") || url.hasPrefix("https://") {
            text = url
        } else if url.hasPrefix("//") {
            text = "https:" + url
        } else {
            text = "http://127.0.0.1:8080" + (url.hasPrefix("/") ? url : "/" + url)
        }
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        return trimmed.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }

    /// What the suite does not have, at its top.
    private func comment() -> String {
        guard !gaps.isEmpty else { return "" }
        var text = "# Not filled in from \(Self.inert(description.root.file.name)):\n"
        for gap in gaps { text += "# - \(Self.inert(gap.operation)): \(Self.inert(gap.reason))\n" }
        return text + "\n"
    }

    /// A text on one line, without control characters.
    private static func inert(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: " "
                    default: scalar
                    }
                }))
    }
}
