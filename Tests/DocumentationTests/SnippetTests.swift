import Testing

@Suite("Swift code in the documentation")
struct SnippetTests {
    private static let articles =
        DocumentedCode.files(below: "Sources/HTTPSession/HTTPSession.docc", ".md")
        + DocumentedCode.files(below: "Documentation", ".md").filter { $0.contains("http-session") } + ["README.md"]

    private static func blocks() throws -> [DocumentedCode] {
        try (articles + DocumentedCode.files(below: "Sources/HTTPSession", ".swift"))
            .flatMap { try DocumentedCode.blocks(in: $0) }
    }

    @Test(
        "Every block compiles in a function, in an actor, and on the main actor",
        arguments: [
            [],
            // The features that approachable concurrency enables in new packages.
            ["-enable-upcoming-feature", "NonisolatedNonsendingByDefault"],
        ])
    func blocks(options: [String]) async throws {
        let tables = try ["MigratingFromAlamofire", "MigratingFromAFNetworking"].flatMap {
            try DocumentedCode.tableCode(in: "Sources/HTTPSession/HTTPSession.docc/\($0).md")
        }
        let program = SnippetProgram(try Self.blocks(), tables: tables)
        #expect(program.count >= 150)
        for error in try await Compiler.errors(program.files, options: options) { Issue.record("\(error)") }
    }

    @Test("Ambiguous or misleading statements do not compile")
    func misreadings() async throws {
        let statements = [
            "request.redirects = .none", "request.redirects = nil", "request.connection.proxy = .none",
            "request.body = .none", "request.cookies = .none", "request.cookies = nil", "request.cachePolicy = .none",
            "configuration.redirects = .none", "request.timeouts?.total = nil", "_ = Request(.get, \"books\")",
            "_ = Request(\"books\", .get)",
            "_ = exchange.adapt(with: .digest(username: \"ada\", password: \"secret\"))",
        ]
        var source = "import HTTPSession\nfunc misread(_ exchange: PendingExchange) {\n"
        source += "var configuration = SessionConfiguration()\nvar request = Request(url: \"books\")\n"
        for (index, statement) in statements.enumerated() {
            source += "#sourceLocation(file: \"statement\", line: \(index + 1))\n\(statement)\n"
        }
        source += "#sourceLocation()\n_ = (configuration, request)\n}\n"
        let errors = try await Compiler.errors(["Misread.swift": source])
        for (index, statement) in statements.enumerated() {
            #expect(errors.contains { $0.contains("statement:\(index + 1):") }, "\(statement)")
        }
        #expect(errors.allSatisfy { $0.contains("statement:") }, "\(errors)")
    }

    @Test("Every complete program compiles unchanged")
    func programs() async throws {
        let programs = try Self.blocks().filter(\.isProgram)
        #expect(!programs.isEmpty)
        for program in programs {
            let errors = try await Compiler.errors(["Program.swift": program.text])
            #expect(errors.isEmpty, "\(program.file), line \(program.line)")
        }
    }
}
