import OpenAPI
import OpenAPITestSupport
import Testing

@testable import ContractTools

@Suite("Logins whose outputs are credentials")
struct FuzzLoginTests {
    /// Returns the login for a description with security schemes.
    private static func login(
        _ schemes: String, _ outputs: [String], fields: [(name: String, value: String)] = []
    ) throws -> FuzzLogin? {
        let text = """
            openapi: 3.1.0
            info: { title: Users, version: "1" }
            components: { securitySchemes: { \(schemes) } }
            paths: { /users: { get: { responses: { 200: { description: a } } } } }
            """
        let (description, problems) = TextSource(["/openapi.yaml": text]).load()
        #expect(problems.isEmpty, "\(problems)")
        return FuzzLogin(
            file: "login.yaml", fragment: "login", outputs: outputs, fields: fields,
            description: try #require(description))
    }

    private static let bearer = "user: { type: http, scheme: bearer }"
    private static let admin = "admin_token: { type: http, scheme: bearer }"
    private static let basic = "staff: { type: http, scheme: basic }"
    private static let key = "session: { type: apiKey, in: cookie, name: sid }"

    @Test(
        "An output belongs to the scheme with its name, or to the only scheme of its kind",
        arguments: [
            (bearer, ["user"], ["user": "user"]),
            (bearer, ["id", "token"], ["user": "token"]),
            (bearer, ["access_token"], ["user": "access_token"]),
            ([bearer, admin].joined(separator: ", "), ["token"], [:]),
            ([bearer, admin].joined(separator: ", "), ["token", "adminToken"], ["admin_token": "adminToken"]),
            ([bearer, key].joined(separator: ", "), ["token", "sid"], ["user": "token", "session": "sid"]),
            (basic, ["username", "password"], ["staff": "username password"]),
            (basic, ["username"], [:]),
            ("certificate: { type: mutualTLS }", ["certificate"], [:]),
        ])
    func schemes(_ schemes: String, _ outputs: [String], _ expected: [String: String]) throws {
        let login = try Self.login(schemes, outputs)
        #expect(login.map(\.outputs) == (expected.isEmpty ? nil : outputs))
        let sources = login?.sources.mapValues { source in
            switch source {
            case .value(let name): name
            case .user(let name, let password): "\(name) \(password)"
            }
        }
        #expect(sources ?? [:] == expected)
    }

    @Test("Without a matching scheme, the defaults of the suite carry the credentials, or a bearer token")
    func fields() throws {
        let fields = [
            (name: "X-Session", value: "${session}"), (name: "X-Version", value: "${version}"),
            (name: "Accept", value: "text/plain"),
        ]
        let login = try #require(try Self.login("", ["session", "id"], fields: fields))
        #expect(login.fields.map(\.name) == ["X-Session"])
        #expect(login.secrets == ["session"])
        let token = try #require(try Self.login("", ["token"]))
        #expect(token.fields.map(\.value) == ["Bearer ${token}"])
        #expect(try Self.login("", ["id"]).map(\.outputs) == nil)
    }
}
