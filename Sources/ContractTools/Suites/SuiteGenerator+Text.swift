import OpenAPI
import YAML

/// The YAML of the suite.
extension SuiteGenerator {
    /// Returns the suite as YAML.
    func text() -> String {
        var entries: [(String, SuiteNode)] = []
        let title = description.title.isEmpty ? "API" : description.title
        entries.append(("name", .text(SuiteNode.escaped(title))))
        let base = SuiteNode.text(usualServer.expression("BASE_URL"))
        if !options.servesMock { entries.append(("baseURL", base)) }
        entries.append(("contract", .text(SuiteNode.escaped(options.contractPath))))
        if !options.schemas.isEmpty {
            let files = options.schemas.map {
                (SuiteNode.escaped($0.uri), SuiteNode.text(SuiteNode.escaped($0.path)))
            }
            entries.append(("schemas", .map(files)))
        }
        entries.append(("mode", .text("serial")))
        if options.servesMock {
            entries.append(("serve", .map([("mock", .text(SuiteNode.escaped(options.contractPath)))])))
        }
        if !variables.isEmpty { entries.append(("variables", .map(variables))) }
        if options.servesMock {
            var server: [(String, SuiteNode)] = [("baseURL", base)]
            if !serverVariables.isEmpty { server.append(("variables", .map(serverVariables))) }
            entries.append(("environments", .map([("server", .map(server))])))
        }
        let defaults = defaults()
        if !defaults.isEmpty { entries.append(("defaults", .map(defaults))) }
        entries.append(("tests", .list(tests.map(\.node))))
        var writer = SuiteTextWriter()
        writer.write(entries, separated: ["variables", "defaults", "tests", "environments"])
        return comment() + writer.text
    }

    /// Returns the defaults of all requests.
    ///
    /// - Parameter headers: Further header fields.
    func defaults(adding headers: [(String, SuiteNode)] = []) -> [(String, SuiteNode)] {
        var defaults: [(String, SuiteNode)] = []
        let accept = defaultAccept.map { [("Accept", SuiteNode.text($0))] } ?? []
        if !(accept + headers).isEmpty { defaults.append(("headers", .map(accept + headers))) }
        let plan = SecurityPlan(description: description, login: options.login)
        if let key = defaultCredentials {
            let auth = operations.lazy.compactMap { try? plan.credentials(for: $0) }.first { $0.key == key }?.auth
            if let auth { defaults.append(("auth", auth)) }
        }
        return defaults
    }

    /// Returns the comment at the top, with notes for the user and the gaps of the suite.
    private func comment() -> String {
        var text = ""
        for note in notes { text += "# Note: \(YAMLText.comment(note))\n" }
        if !gaps.isEmpty {
            text += "# Not derived from \(YAMLText.comment(description.root.file.name)):\n"
            for gap in gaps { text += "# - \(YAMLText.comment(gap.text))\n" }
        }
        return text.isEmpty ? "" : text + "\n"
    }
}
