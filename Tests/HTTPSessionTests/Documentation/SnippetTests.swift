import FoundationEssentials
import HTTPSession
import Testing

/// The code in the articles of the catalog is code of this folder, which compiles; some of it is run here.
@Suite("Code in the documentation")
struct SnippetTests {
    private static let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
    private static let catalog = root + "/Sources/HTTPSession/HTTPSession.docc/"
    private static let folder = root + "/Tests/HTTPSessionTests/Documentation/"

    private static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    /// The lines between a line that begins the code and the one that ends it, without the indentation of the first.
    private static func blocks(_ text: String, from begin: String, to end: String) -> [String] {
        var blocks: [String] = []
        var current: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.drop { $0 == " " }
            if current == nil {
                if trimmed.hasPrefix(begin) { current = [] }
            } else if trimmed == end {
                let lines = current ?? []
                let margin = lines.first?.prefix { $0 == " " }.count ?? 0
                blocks.append(lines.map { String($0.dropFirst(margin)) }.joined(separator: "\n"))
                current = nil
            } else {
                current?.append(line)
            }
        }
        return blocks
    }

    private static func names(_ folder: String, _ suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(suffix) }.sorted()
    }

    @Test("Every block of Swift in the catalog compiles in a snippet")
    func blocks() throws {
        let snippets = try Self.names(Self.folder, ".swift").flatMap {
            Self.blocks(try Self.text(Self.folder + $0), from: "// snippet ", to: "// end")
        }
        let known = Set(snippets)
        var count = 0
        for name in try Self.names(Self.catalog, ".md") {
            for block in Self.blocks(try Self.text(Self.catalog + name), from: "```swift", to: "```") {
                if block.hasPrefix("// Package.swift") { continue }
                #expect(known.contains(block), "\(name): this code is in no snippet:\n\(block)")
                count += 1
            }
        }
        #expect(count >= 50)
    }

    @Test(
        "Every expression in the migration tables compiles",
        arguments: ["MigratingFromAlamofire.md", "MigratingFromAFNetworking.md"])
    func tables(name: String) throws {
        let code = try Self.text(Self.folder + "MigrationSnippets.swift")
        var count = 0
        for line in try Self.text(Self.catalog + name).split(separator: "\n") where line.hasPrefix("| ") {
            let cells = line.split(separator: "|")
            guard cells.count >= 2 else { continue }
            for (index, part) in cells[1].split(separator: "`", omittingEmptySubsequences: false).enumerated()
            where index % 2 == 1 && part.contains("(") && !part.hasPrefix("<") {
                // A symbol between two backticks has no spaces and colons as its arguments.
                if part.hasSuffix(":)") || !part.contains(" ") && part.hasSuffix("()") { continue }
                #expect(code.contains(part), "\(name): \(part)")
                count += 1
            }
        }
        #expect(count >= 20)
    }

    // MARK: Run

    private static func session(_ transport: ScriptedTransport) -> Session {
        Session(configuration: .init(baseURL: "https://api.example.org/v1/"), transport: transport)
    }

    @Test("The first examples do what they say")
    func guide() async throws {
        let transport = ScriptedTransport()
        let json: HTTPHeaders = ["Content-Type": "application/json"]
        transport.answer(.get, "/v1/books", with: .response(200, json, #"[{"id":7,"title":"Dune"}]"#))
        transport.answer(.get, "/v1/books/7", with: .response(200, json, #"{"id":7,"title":"Dune"}"#))
        transport.answer(with: .response(200, [:], "text"))
        try await GuideSnippets.decoding(Self.session(transport))
        await GuideSnippets.errors(Self.session(transport))
        #expect(transport.requests.map(\.url.path).last == "/v1/books/7")
        try await GuideSnippets.request(Self.session(transport))
        #expect(transport.requests.contains { $0.method == .put && $0.body == .text("Dune") })
    }

    @Test("Parameters are where the examples say")
    func parameters() async throws {
        let transport = ScriptedTransport()
        transport.answer(with: .response(200, ["Content-Type": "application/json"], "{}"))
        try await GuideSnippets.parameters(Self.session(transport))
        #expect(
            transport.requests.map(\.url.target) == [
                "/v1/books?q=dune&tags%5B%5D=sf&tags%5B%5D=classic", "/v1/books", "/v1/login",
                "/v1/books?page=2&size=50",
            ])
        try await GuideSnippets.dialects(Self.session(transport))
        #expect(
            transport.requests.last?.url.query
                == "families%5B%5D=father&families%5B%5D=mother&name=bang&nums=1&nums=2&phone%5Bhome%5D=xx"
                + "&phone%5Bmobile%5D=xx")
        try await GuideSnippets.serializer(Self.session(transport))
        #expect(transport.requests.last?.body == .text("42"))
    }

    @Test("The example of a test passes, and adapters of the examples are asked")
    func testing() async throws {
        try await StreamSnippets.busy()
        let transport = ScriptedTransport()
        transport.answer(with: .response(200, [:], "ok"))
        try await ConnectionSnippets.perRequest(Self.session(transport))
        #expect(transport.requests.last?.headers["Accept-Language"] == "fr")
        let interceptor = AuthenticationInterceptor(ConnectionSnippets.LoginAuthenticator())
        _ = try await Self.session(transport).get("me").intercept(with: interceptor).response()
        #expect(transport.requests.last?.headers["X-Session"] == "ok")
        await ConnectionSnippets.refused(Self.session(transport))
    }
}
