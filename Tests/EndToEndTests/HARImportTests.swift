import Testing

/// Tests that a suite imported from a recording of apitest passes against the same server.
struct HARImportTests {
    @Test func recordingOfARunPasses() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(
            """
            collections:
              books: { path: /books, id: integer, seed: [{ title: Dune }, { title: Emma }] }
            routes:
              - request: POST /login
                respond: { json: { session: "${uuid()}", user: { name: ada } } }
              - request: GET /me
                when: { headers: { X-Session: { matches: "^[0-9a-f-]{36}$" } } }
                respond: { json: { name: ada } }
            """.utf8, to: directory.path + "/shop.mock.yaml")
        TestFiles.write(
            """
            name: Shop
            mode: serial
            serve: { mock: shop.mock.yaml }
            tests:
              - name: log in
                request: { method: POST, url: /login, form: { user: ada, page: "a b" } }
                capture: { session: $.session }
              - name: me
                request: { url: /me, headers: { X-Session: "${session}" } }
              - name: add
                request: { method: POST, url: /books, json: { title: Solaris, price: 9.50, tags: [novel] } }
                capture: { id: $.id }
              - name: read
                request: GET /books/${id}?lang=de
              - name: remove
                request: DELETE /books/${id}
              - name: gone
                request: GET /books/${id}
                expect: 404
              - name: form
                request: { method: POST, url: /login, multipart: { a: 1, b: { text: x, type: text/x-note, filename: n.txt } } }
            """.utf8, to: directory.path + "/shop.apitest.yaml")
        let recorded = try await Program.run(["shop.apitest.yaml", "--report", "har=run.har"], in: directory.path)
        #expect(recorded.ending == .exit(0), "\(recorded.output)\(recorded.error)")
        let imported = try await Program.run(["import", "run.har", "--strict"], in: directory.path)
        #expect(imported.ending == .exit(0), "\(imported.error)")
        let text = try #require(TestFiles.text(directory.path + "/run.apitest.yaml"))
        #expect(text.contains("request: GET /books/${bookID}?lang=de\n"), "\(text)")
        #expect(text.contains("X-Session: \"${session}\""), "\(text)")
        // The recorded server no longer runs.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("baseURL: ") ? "serve: { mock: shop.mock.yaml }" : String(line)
        }
        TestFiles.write(lines.joined(separator: "\n").utf8, to: directory.path + "/again.apitest.yaml")
        let run = try await Program.run(["again.apitest.yaml"], in: directory.path)
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)\(text)")
    }
}
