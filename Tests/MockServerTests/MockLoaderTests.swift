import Diagnostics
import JSON
import SuiteLoader
import SuiteModel
import Testing

@Suite struct MockLoaderTests {
    @Test func readsEverything() throws {
        let definition = try MockRun.definition(
            """
            name: Shop
            x-owner: somebody
            defaults: { headers: { Server: shop }, delay: 5ms }
            collections:
              books: { path: /books, id: string, key: isbn, seed: [{ isbn: a }] }
            routes:
              - request: GET /a/{id}
                x-note: kept
                when: { query: { q: 1 }, json: { $.a: 1 } }
                respond: { status: 201, headers: { A: b }, json: [1], delay: 1s, close: body }
              - { request: /**, respond: { sequence: [200, 201], cycle: true } }
            """)
        #expect(definition.name == "Shop")
        #expect(definition.defaults.delay == 5_000_000)
        #expect(definition.collections.map(\.key) == ["isbn"])
        #expect(definition.collections[0].identifier == .string)
        #expect(definition.routes.map(\.requestLine) == ["GET /a/{id}", "/**"])
        #expect(definition.routes[0].conditions.query.map(\.name) == ["q"])
        #expect(definition.routes[0].responses[0].delay == 1_000_000_000)
        #expect(definition.routes[0].responses[0].drop == .withinBody)
        #expect(definition.routes[1].responses.count == 2)
        #expect(definition.routes[1].order == .cycle)
    }

    @Test(arguments: [
        ("routs: []", "1:1 unknown-key", "routes"),
        ("name: x", "1:1 missing-key", ""),
        ("routes: {}", "1:9 wrong-type", ""),
        ("routes: [{ request: GET /a }]", "1:12 missing-key", "respond"),
        ("routes: [{ respond: 200 }]", "1:12 missing-key", "request"),
        ("routes: [{ request: GET /a, response: 200, respond: 200 }]", "1:29 unknown-key", "respond"),
        ("routes: [{ request: GET, respond: 200 }]", "1:21 invalid-request-line", "GET /books"),
        ("routes: [{ request: get /a, respond: 200 }]", "1:21 invalid-request-line", "GET"),
        ("routes: [{ request: \"GET /a/{id\", respond: 200 }]", "1:29 invalid-path", ""),
        ("routes: [{ request: \"GET /a?b=1\", respond: 200 }]", "1:28 invalid-path", ""),
        ("routes: [{ request: \"GET /${x}\", respond: 200 }]", "1:21 expression-not-allowed", "{name}"),
        ("routes: [{ request: GET /a, respond: 99 }]", "1:38 invalid-status", ""),
        ("routes: [{ request: GET /a, respond: { status: abc } }]", "1:48 invalid-status", ""),
        ("routes: [{ request: GET /a, respond: { json: 1, text: x } }]", "1:49 conflicting-keys", ""),
        ("routes: [{ request: GET /a, respond: { file: none.txt } }]", "1:46 missing-file", ""),
        ("routes: [{ request: GET /a, respond: { base64: '?' } }]", "1:48 invalid-base64", ""),
        ("routes: [{ request: GET /a, respond: { delay: 5 } }]", "1:47 invalid-duration", ""),
        ("routes: [{ request: GET /a, respond: { close: head } }]", "1:47 invalid-value", "body"),
        ("routes: [{ request: GET /a, respond: { sequence: [] } }]", "1:50 empty-list", ""),
        ("routes: [{ request: GET /a, respond: { cycle: true } }]", "1:40 missing-key", "sequence"),
        (
            "routes: [{ request: GET /a, respond: { sequence: [200], status: 200 } }]", "1:57 conflicting-keys",
            "sequence"
        ),
        ("routes: [{ request: GET /a, respond: { sequence: [{ sequence: [1] }] } }]", "1:53 nested-sequence", ""),
        ("routes: [{ request: GET /a, respond: { headers: { 'A B': x } } }]", "1:51 invalid-header", ""),
        ("routes: [{ request: GET /a, respond: { headers: { A: \"x\\ny\" } } }]", "1:54 invalid-header", ""),
        ("routes: [{ request: GET /a, respond: { text: \"${reqest.path}\" } }]", "1:49 undefined-variable", "request"),
        ("routes: [{ request: GET /a, respond: { text: \"${body.x}\" } }]", "1:49 undefined-variable", "request.body"),
        (
            "routes: [{ request: GET /a, respond: { text: \"${request.querry.x}\" } }]", "1:49 undefined-variable",
            "query"
        ),
        (
            "routes: [{ request: \"GET /{name}\", respond: { text: \"${request.params.nam}\" } }]",
            "1:56 undefined-variable", "name"
        ),
        ("routes: [{ request: GET /a, respond: { text: \"${1 +}\" } }]", "1:52 invalid-expression", ""),
        ("routes: [{ request: GET /a, when: { querry: {} }, respond: 200 }]", "1:37 unknown-key", "query"),
        (
            "routes: [{ request: GET /a, when: { query: { a: { eqals: 1 } } }, respond: 200 }]",
            "1:51 unknown-operator", "equals"
        ),
        ("routes: [{ request: GET /a, when: { json: { a.b: 1 } }, respond: 200 }]", "1:45 invalid-jsonpath", "$.a.b"),
        ("routes: [{ request: GET /a, when: { body: { matches: '(' } }, respond: 200 }]", "1:55 invalid-pattern", ""),
        ("collections: { a: {} }", "1:19 missing-key", "path"),
        ("collections: { a: { path: a } }", "1:27 invalid-path", ""),
        ("collections: { a: { path: \"/a/{b}\" } }", "1:27 invalid-path", ""),
        ("collections: { a: { path: /a/ } }", "1:27 invalid-path", ""),
        ("collections: { a: { path: /a }, b: { path: /a } }", "1:44 duplicate-collection", ""),
        ("collections: { a: { path: /a, id: number } }", "1:35 invalid-value", "integer"),
        ("collections: { a: { path: /a, seed: [1] } }", "1:38 wrong-type", ""),
        ("collections: { a: { path: /a, seed: [{ id: x }] } }", "1:38 invalid-identifier", ""),
        ("collections: { a: { path: /a, seed: [{ id: 1 }, { id: 1.0 }] } }", "1:49 duplicate-identifier", ""),
        ("collections: { a: { path: /a, seed: none.json } }", "1:37 missing-file", ""),
        ("collections: { a: { path: /a, seed: [{ b: \"${now()}\" }] } }", "1:38 expression-not-allowed", ""),
        ("--- { routes: [] }\n--- { routes: [] }", "2:5 several-documents", ""),
    ])
    func locatesProblems(_ yaml: String, _ expected: String, _ suggestion: String) throws {
        let (definition, diagnostics) = MockRun.load(yaml, directory: "/proc/self/task")
        let found = diagnostics.map { "\($0.range.map { "\($0.start.line):\($0.start.column)" } ?? "-") \($0.id)" }
        #expect(found == [expected])
        #expect(definition == nil)
        let advice = (diagnostics.first?.suggestion ?? "") + (diagnostics.first?.message ?? "")
        #expect(advice.contains(suggestion), "\(advice)")
    }

    @Test func warnsOfRoutesThatCannotBeReached() {
        let (definition, diagnostics) = MockRun.load(
            """
            routes:
              - { request: GET /a, when: { query: { b: 1 } }, respond: 201 }
              - { request: GET /a, respond: 200 }
              - { request: GET /a, respond: 202 }
            """)
        #expect(definition != nil)
        #expect(diagnostics.map(\.id) == ["unreachable-route"])
        #expect(diagnostics.map(\.severity) == [.warning])
        #expect(diagnostics.first?.range?.start.line == 4)
    }

    @Test func reportsEveryProblemAtOnce() {
        let (_, diagnostics) = MockRun.load(
            """
            routes:
              - { request: GET /a, respond: 99 }
              - { request: GET, respond: { jsn: 1 } }
            collections:
              a: { path: x }
            """)
        #expect(diagnostics.compactMap { $0.range?.start.line } == [2, 3, 3, 5])
    }

    @Test func missingFilesAreReported() {
        let loader = MockLoader(options: LoaderOptions(fileRoot: "/", workingDirectory: "/"))
        let (definition, diagnostics) = loader.load(path: "no/such.mock.yaml")
        #expect(definition == nil)
        #expect(diagnostics.map(\.id) == ["missing-file"])
    }

    @Test(arguments: [
        ("seed.json", "[{\"id\": 1},]", "seed.json:1:12 invalid-json"),
        ("seed.json", "{\"id\": 1}", "seed.json:1:1 wrong-type"),
        ("seed.json", "[{\"id\": 1}, 2]", "seed.json:1:13 wrong-type"),
        ("seed.yaml", "- { id: 1 }\n- { id: 1 }\n", "seed.yaml:2:3 duplicate-identifier"),
        ("seed.yaml", "- id: x\n", "seed.yaml:1:3 invalid-identifier"),
    ])
    func locatesProblemsOfSeedFiles(_ name: String, _ text: String, _ expected: String) throws {
        try TemporaryDirectory.with([name: text]) { directory in
            let (definition, diagnostics) = MockRun.load(
                "collections: { a: { path: /a, seed: \(name) } }", directory: directory)
            #expect(definition == nil)
            #expect(diagnostics.map { "\($0.range?.description ?? "") \($0.id)" } == [expected])
        }
    }

    @Test func readsFilesBesideTheMockFile() throws {
        let files = [
            "my.mock.yaml": """
            collections: { a: { path: /a, seed: seed.yaml } }
            routes: [{ request: GET /f, respond: { file: data.csv } }]
            """,
            "seed.yaml": "- { id: 3, price: 1.10 }\n", "data.csv": "a,b\n",
        ]
        try TemporaryDirectory.with(files) { directory in
            let (definition, diagnostics) = MockLoader.load(path: "\(directory)/my.mock.yaml")
            #expect(diagnostics.isEmpty)
            #expect(definition?.name == "my")
            #expect(
                definition?.collections.first?.seed == [["id": 3, "price": .number(try #require(JSONNumber(1.1)))]])
            let response = try #require(definition?.routes.first?.responses.first)
            #expect(response.contentType == "text/csv; charset=utf-8")
            guard case .bytes(let bytes) = response.body else {
                Issue.record("the body was not read")
                return
            }
            #expect(bytes == Array("a,b\n".utf8))
        }
    }

    @Test func filesOutsideTheRootAreRefused() throws {
        try TemporaryDirectory.with(["my.mock.yaml": "routes: [{ request: /, respond: { file: /etc/hostname } }]"]) {
            directory in
            let (definition, diagnostics) = MockLoader.load(path: "\(directory)/my.mock.yaml")
            #expect(definition == nil)
            #expect(diagnostics.map(\.id) == ["file-outside-root"])
        }
    }
}
