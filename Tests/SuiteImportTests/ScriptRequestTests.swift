import Diagnostics
import SuiteTestSupport
import Testing

@testable import SuiteImport

/// Scripts that change their request or wait.
struct ScriptRequestTests {
    /// Imports requests of Bruno, and returns the suite and its counts.
    private func importing(
        _ requests: [String], _ location: SourceLocation = #_sourceLocation
    ) throws -> Imported {
        var files: [(String, String)] = []
        for (index, blocks) in requests.enumerated() {
            files.append(
                ("\(index).bru", "meta {\n  name: \(index)\n  type: http\n  seq: \(index)\n}\n\n" + blocks + "\n"))
        }
        let project = try ProjectDirectory(Dictionary(uniqueKeysWithValues: files))
        let result = ImportRun.run(
            files.map { SourceFile(name: $0.0, text: $0.1) },
            options: ImportOptions(workingDirectory: project.path, outputDirectory: project.path))
        let imported = Imported(project: project, result: result)
        try expectSound(imported, location)
        return imported
    }

    /// Returns the lines of the request after a script before it.
    private func request(_ script: String, _ location: SourceLocation = #_sourceLocation) throws -> String {
        let imported = try importing(
            [
                """
                post {
                  url: https://example.org/a
                  body: json
                }

                headers {
                  X-A: a
                  X-B: b
                }

                body:json {
                  { "count": 1, "list": [{ "id": "{{id}}" }] }
                }

                script:pre-request {
                  \(script)
                }
                """
            ], location)
        #expect(imported.untranslated.isEmpty, "\(imported.untranslated)", sourceLocation: location)
        let lines = imported.text.split(separator: "\n").filter { !$0.hasPrefix("name:") }
        return lines.map { String($0.hasPrefix("    ") ? $0.dropFirst(4) : $0) }.joined(separator: "\n")
    }

    private static let body = #"json: { count: 1, list: [{ id: "${id}" }] }"#

    @Test(arguments: [
        ("req.setHeader('x-a', 'c')", "headers: { X-B: b, x-a: c }\n  \(body)"),
        (
            "req.setHeader('X-C', `Bearer ${bru.getVar('token')}`)",
            "headers: { X-A: a, X-B: b, X-C: \"Bearer ${token}\" }"
        ),
        ("req.setHeader('X-C', '{{token}}')", "X-C: \"${token}\""),
        ("req.setHeaders({ 'X-C': 'c' })", "headers: { X-C: c }"),
        ("req.deleteHeader('X-A')", "headers: { X-B: b }"),
        ("req.deleteHeaders(['X-A', 'X-B'])", "url: /a, \(body)"),
        ("req.setUrl('https://example.org/b')", "url: /b"),
        ("req.setMethod('put')", "method: PUT"),
        ("req.setTimeout(2500)", "timeout: 2500ms"),
        ("req.setMaxRedirects(0)", "redirects: false"),
        ("req.setBody({ a: [1] })", "json: { a: [1] }"),
        ("req.setBody('text')", "text: text\n  contentType: application/json"),
        (
            "const body = req.getBody(); body.count = 2; body.list[0].name = bru.getVar('name'); req.setBody(body)",
            #"json: { count: 2, list: [{ id: "${id}", name: "${name}" }] }"#
        ),
    ])
    func changes(_ script: String, _ expected: String) throws {
        let text = try request(script)
        #expect(text.contains(expected), "\(text)")
    }

    /// Changes that depend on the run, and those of objects that other variables refer to, have no translation.
    @Test(arguments: [
        "if (bru.getVar('a')) { req.setHeader('X', '1'); }",
        "const body = req.getBody(); const first = body.list[0]; first.id = 2;",
        "function f(body) { body.count = 2; } f(req.getBody());",
        "req.setHeader('X', makeToken());",
    ])
    func otherChangesAreComments(_ script: String) throws {
        let imported = try importing([
            "get {\n  url: https://example.org/a\n}\n\nbody:json {\n  { \"count\": 1, \"list\": [{ \"id\": 1 }] }\n}\n\n"
                + "script:pre-request {\n  \(script)\n}"
        ])
        #expect(imported.untranslated.count == 1, "\(imported.untranslated)")
    }

    /// The body of the request is known after the response, unless it is made up.
    @Test func bodyOfTheRequest() throws {
        func checks(_ body: String) throws -> Imported {
            try importing([
                "post {\n  url: https://example.org/a\n  body: json\n}\n\nbody:json {\n  \(body)\n}\n\n"
                    + "tests {\n  expect(res.body.title).to.equal(req.getBody().title);\n}"
            ])
        }
        #expect(try checks(#"{ "title": "Dune" }"#).text.contains("expect: { json: { $.title: Dune } }"))
        #expect(try checks(#"{ "title": "{{$guid}}" }"#).untranslated == ["expect (1)"])
    }

    @Test func pauses() throws {
        let imported = try importing([
            "get {\n  url: https://example.org/a\n}\n\nscript:pre-request {\n  await bru.sleep(1500);\n}\n\n"
                + "script:post-response {\n  await new Promise(r => setTimeout(r, 500));\n}",
            "get {\n  url: https://example.org/b\n}\n\nscript:pre-request {\n"
                + "  await new Promise((resolve) => { setTimeout(() => { resolve(); }, 1500); });\n}",
            "get {\n  url: https://example.org/c\n}\n\ntests {\n  if (res.status === 201) { await bru.sleep(10); }\n}",
        ])
        let lines = imported.text.split(separator: "\n").filter { $0.contains("delay:") }
        #expect(lines == ["    delay: 1500ms", "    delay: 2s"], "\(imported.text)")
        #expect(imported.untranslated == ["bru.sleep (1)"])
    }
}
