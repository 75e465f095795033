import HTTPSession
import HTTPTypes
import Testing

@testable import Recorder

/// Tests of how messages change between a proxy and its server.
struct UpstreamTests {
    private static func upstream() throws -> Upstream { try Upstream("https://api.example.org/v1/") }

    @Test(
        "The path of the server precedes that of each request",
        arguments: [
            ("/books?q=a", "https://api.example.org/v1/books?q=a"), ("/", "https://api.example.org/v1/"),
            ("http://127.0.0.1:8080/books", "https://api.example.org/v1/books"),
            ("http://127.0.0.1:8080", "https://api.example.org/v1/"),
        ])
    func url(_ target: String, _ expected: String) throws {
        #expect(try Self.upstream().url(of: target) == expected)
    }

    @Test("Fields of the connection are not forwarded, and those that name the proxy name the server")
    func requestFields() throws {
        var fields = HTTPFields()
        for (name, value) in [
            ("Host", "127.0.0.1:8080"), ("Connection", "keep-alive, X-Hop"), ("X-Hop", "1"), ("TE", "trailers"),
            ("Accept", "application/json"), ("Accept-Encoding", "br"), ("Cookie", "a=b"), ("Content-Length", "3"),
            ("Origin", "http://127.0.0.1:8080"), ("Referer", "http://127.0.0.1:8080/books"),
        ] {
            fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let sent = try Self.upstream().requestFields(fields, proxy: "http://127.0.0.1:8080")
        #expect(
            sent.map { "\($0.name): \($0.value)" } == [
                "Accept: application/json", "Accept-Encoding: br", "Cookie: a=b", "Origin: https://api.example.org",
                "Referer: https://api.example.org/v1/books",
            ])
    }

    @Test(
        "Redirects and cookies of the server apply to the proxy",
        arguments: [
            ("Location", "https://api.example.org/v1/books", "http://127.0.0.1:8080/books"),
            ("Location", "/v1/books", "/books"), ("Location", "/login", "/login"),
            ("Location", "https://api.example.organic/v1", "https://api.example.organic/v1"),
            ("Set-Cookie", "a=b; Path=/; Domain=example.org; Secure; HttpOnly; SameSite=None", "a=b; Path=/; HttpOnly"),
            ("Content-Encoding", "br", "br"), ("Content-Length", "12", "12"),
        ])
    func responseFields(_ name: String, _ value: String, _ expected: String) throws {
        var headers = HTTPSession.HTTPHeaders()
        headers.append(name: name, value: value)
        headers.append(name: "Transfer-Encoding", value: "chunked")
        let fields = try Self.upstream().responseFields(headers, proxy: "http://127.0.0.1:8080")
        #expect(fields.map { "\($0.name.rawName): \($0.value)" } == ["\(name): \(expected)"])
    }
}
