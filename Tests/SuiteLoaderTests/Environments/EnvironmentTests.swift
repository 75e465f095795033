import Diagnostics
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

struct EnvironmentTests {
    private static let suite = """
        baseURL: http://localhost
        secrets: [token, "*_KEY"]
        variables: { host: "${name}.org", name: local, token: t0ken-of-all, api_KEY: [k1-of-all, 42424] }
        environments:
          staging:
            baseURL: http://${host}
            variables: { name: staging, token: t0ken-of-staging, user: ada-lovelace }
            secrets: user
          production: {}
        tests:
          - name: a
            request: GET /
            capture: { my_KEY: $.a }
        """

    private func load(
        _ text: String = suite, environment: String?, variables: [String: String] = [:],
        process: [String: String] = [:]
    ) -> LoadResult {
        var options = LoaderOptions(fileRoot: "/project", workingDirectory: "/project", variables: variables)
        options.environment = environment
        options.processEnvironment = process
        return SuiteLoader(options: options).load(
            SourceFile(name: "a.yaml", text: text), absolutePath: "/project/a.yaml")
    }

    @Test func theChosenOneReplacesTheSuite() throws {
        let result = load(environment: "staging")
        #expect(result.diagnostics.isEmpty, "\(TextRenderer(color: false).render(result.diagnostics))")
        let suite = try #require(result.suites.first)
        #expect(suite.environments == ["staging", "production"])
        #expect(suite.environment == "staging")
        #expect(suite.baseURL?.source == "http://${host}")
        #expect(suite.variables.map(\.name) == ["host", "api_KEY", "name", "token", "user"])
    }

    @Test(arguments: [nil, "production"])
    func otherwiseTheSuiteIsAsItStands(environment: String?) throws {
        let suite = try #require(load(environment: environment).suites.first)
        #expect(suite.environment == environment)
        #expect(suite.baseURL?.source == "http://localhost")
        #expect(suite.variables.map(\.name) == ["host", "name", "token", "api_KEY"])
    }

    /// The values known before the run, in all environments, because a diagnostic may quote any line.
    @Test func secretValuesAreGathered() throws {
        let result = load(
            environment: nil, variables: ["my_KEY": "given-key", "other": "x"],
            process: ["A_KEY": "process-key", "PATH": "/bin"])
        #expect(
            Set(result.secretValues) == [
                "t0ken-of-all", "k1-of-all", "42424", "t0ken-of-staging", "ada-lovelace", "given-key", "process-key",
            ])
        let suite = try #require(result.suites.first)
        #expect(suite.secrets.contains("my_KEY") && suite.secrets.contains("user") && !suite.secrets.contains("name"))
    }

    @Test(arguments: ["token", "API_TOKEN", "accessKey", "Passwords", "myCREDENTIALS", "client-secret", "monkey"])
    func namesThatSaySo(name: String) {
        #expect(SecretNames().contains(name))
        var names = SecretNames()
        names.add("!" + name)
        #expect(!names.contains(name))
        // An excluded name is not secret, even if it is also listed.
        names.add(name)
        #expect(!names.contains(name))
    }

    @Test(arguments: ["", "ke", "tokn", "pass", "K_E_Y", "session", "\u{212A}ey", "name"])
    func namesThatDoNot(name: String) {
        #expect(!SecretNames().contains(name))
    }

    /// Values that are not masked, and the advice about them.
    @Test func shortValues() {
        let text = """
            baseURL: http://localhost
            secrets: [pin, "!sortKey", "!shade"]
            variables: { pin: 12, sortKey: id, keys: [abcd, ef], tokenIsSet: "true" }
            tests: [{ name: a, request: "GET /${pin}${sortKey}${keys}${tokenIsSet}" }]
            """
        let result = load(
            text, environment: nil, variables: ["apiKey": "x"], process: ["A_KEY": "y", "SHELL_KEY": "abcd"])
        #expect(
            result.diagnostics.map { "\($0.message); \($0.suggestion ?? "")" } == [
                "the value of \"apiKey\" is not masked, because it has fewer than 4 characters; "
                    + "use a longer value, or write \"!apiKey\" under \"secrets\" if it is not a secret",
                "the secret name \"!shade\" matches nothing, so it excludes nothing; ",
                "the value of \"pin\" is not masked, because it has fewer than 4 characters; "
                    + "use a longer value, or remove the name from \"secrets\"",
                "the value of \"keys\" is not masked, because it has fewer than 4 characters; "
                    + "use a longer value, or write \"!keys\" under \"secrets\" if it is not a secret",
                "the value of \"tokenIsSet\" is not masked, because words such as true are never masked; "
                    + "use a longer value, or write \"!tokenIsSet\" under \"secrets\" if it is not a secret",
            ])
        #expect(Set(result.secretValues).isSuperset(of: ["abcd"]))
    }

    @Test(arguments: [
        ("a", "a", true), ("a", "A", false), ("*", "", true), ("*", "abc", true), ("*_TOKEN", "A_TOKEN", true),
        ("*_TOKEN", "_TOKEN", true), ("*_TOKEN", "A_TOKENS", false), ("a*c*e", "abcde", true),
        ("a*c*e", "abcdef", false), ("a*a", "a", false), ("*a*a*", "banana", true), ("**", "x", true),
        ("*ab", "aab", true), ("ab*", "ab", true),
    ])
    func patternsOfSecrets(pattern: String, name: String, matches: Bool) {
        var names = SecretNames()
        names.add(pattern)
        #expect(names.lists(name) == matches)
    }
}
