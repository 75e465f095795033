import Testing

/// The requests of findings, which are as small as the fault allows.
@Suite(.serialized)
struct ContractFuzzShrinkingTests {
    @Test(
        "A fault with a threshold is reported with exactly the value at its boundary",
        arguments: [
            ("fails-above-100", "coverage", "{ title: a, price: 101 }"),
            ("fails-above-100", "random", "{ title: a, price: 101 }"),
            ("fails-at-long-titles", "coverage", "{ title: \(String(repeating: "a", count: 31)), price: 0 }"),
        ])
    func thresholds(_ fault: String, _ phase: String, _ body: String) async throws {
        let shop = try await FuzzedServer(faults: [fault])
        defer { shop.stop() }
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", shop.url, "--seed", "1", "--phases", phase, "-o", "found",
                "--operation", "POST /books", "--header", "Authorization: Bearer token-of-the-owner",
            ], in: shop.directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let path = "\(shop.directory.path)/found/post-books-server-error.apitest.yaml"
        let text = try #require(TestFiles.text(path), "\(run.output)\(run.error)")
        #expect(text.contains("json: \(body)"), "\(text)")
        // The name is either about the value that matters, or about none.
        let names = [
            "with 101 as price", "with the largest price", "with 31 characters as title", "with the longest title",
            "with other values",
        ]
        #expect(names.contains { text.contains($0) }, "\(text)")
        #expect(text.split(separator: "\n").count <= 15, "\(text)")
    }
}
