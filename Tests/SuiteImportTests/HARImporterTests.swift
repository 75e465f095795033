import Diagnostics
import JSON
import Testing

@testable import SuiteImport

/// Tests that recorded traffic becomes tests.
struct HARImporterTests {
    /// An exchange of a recording.
    struct Entry {
        var method = "GET"
        var url = "http://a/x"
        var headers: [(String, String)] = []
        var body: (type: String, text: String)?
        var status = 200
        var responseHeaders: [(String, String)] = []
        var content: (type: String, text: String)?

        var json: JSONValue {
            func fields(_ list: [(String, String)]) -> JSONValue {
                .array(list.map { ["name": .string($0.0), "value": .string($0.1)] })
            }
            var request: JSONObject = ["method": .string(method), "url": .string(url)]
            var all = headers
            if let body {
                all.append(("Content-Type", body.type))
                request.append("postData", ["mimeType": .string(body.type), "text": .string(body.text)])
            }
            request.append("headers", fields(all))
            let content: JSONValue =
                self.content.map { ["mimeType": .string($0.type), "text": .string($0.text)] } ?? ["mimeType": ""]
            return [
                "request": .object(request),
                "response": [
                    "status": .number(JSONNumber(status)), "headers": fields(responseHeaders), "content": content,
                ],
            ]
        }
    }

    private func importing(
        _ entries: [Entry], only: [String] = [], _ location: SourceLocation = #_sourceLocation
    ) throws -> Imported {
        let log: JSONValue = ["log": ["version": "1.2", "entries": .array(entries.map(\.json))]]
        return try SuiteImportTests.importing(log.serialized(.pretty), as: "session.har", only: only, location)
    }

    private func content(_ text: String) -> (type: String, text: String) { ("application/json; charset=utf-8", text) }

    @Test func identifiersBecomeCaptures() throws {
        let imported = try importing([
            Entry(
                method: "POST", url: "http://a/api/books", body: ("application/json", #"{"title":"Dune"}"#),
                status: 201,
                content: content(#"{"id":9031,"title":"Dune"}"#)),
            Entry(url: "http://a/api/books/9031", content: content(#"{"id":9031,"title":"Dune"}"#)),
            Entry(
                method: "POST", url: "http://a/api/orders",
                body: ("application/json", #"{"bookId":9031,"count":9031}"#),
                status: 201, responseHeaders: [("Location", "/api/orders/5f0c1d2e")]),
            Entry(url: "http://a/api/orders/5f0c1d2e"),
        ])
        #expect(
            imported.body == """
                baseURL: http://a
                mode: serial

                tests:
                  - name: POST /api/books
                    request: { method: POST, url: /api/books, json: { title: Dune } }
                    expect:
                      status: 201
                      headers: { Content-Type: { startsWith: application/json } }
                      json: { $.id: { type: integer }, $.title: Dune }
                    capture:
                      bookID: $.id

                  - name: GET /api/books/{bookID}
                    request: GET /api/books/${bookID}
                    expect:
                      status: 200
                      headers: { Content-Type: { startsWith: application/json } }
                      json: { $.id: "${bookID}", $.title: Dune }

                  - name: POST /api/orders
                    request: { method: POST, url: /api/orders, json: { bookId: "${bookID}", count: 9031 } }
                    expect: 201
                    capture:
                      orderID: { header: Location, regex: "([^/?#]+)/?(?:[?#]|$)" }

                  - name: GET /api/orders/{orderID}
                    request: GET /api/orders/${orderID}
                    expect: 200

                """)
    }

    @Test func tokenOfALogin() throws {
        let token = "q7Rk2v9Zs1LxTq84mNpd"
        let imported = try importing([
            Entry(method: "POST", url: "http://a/login", content: content(#"{"access_token":"\#(token)"}"#)),
            Entry(url: "http://a/me", headers: [("Authorization", "Bearer \(token)")]),
        ])
        #expect(imported.text.contains("      accessToken: $.access_token\n"))
        #expect(imported.text.contains("auth: { bearer: \"${accessToken}\" }"))
        #expect(!imported.text.contains(token) && !imported.text.contains("env("))
    }

    /// A value that the client chose is not one that the server assigned.
    @Test func sentValuesAreNotCaptured() throws {
        let imported = try importing([
            Entry(url: "http://a/users/4711", content: content(#"{"id":4711}"#)), Entry(url: "http://a/users/4711"),
        ])
        #expect(!imported.text.contains("capture"))
    }

    @Test func volatileValuesAreExpectedByType() throws {
        let json = #"""
            {"ref":"5f0c1d2e-1111-4222-8333-944445555666","createdAt":"2026-01-31T12:00:00Z","day":"2026-01-31","userId":7,
             "sessionToken":"abc","ts":1769860000,"title":"Dune","stock":3,"price":9.50,"ok":true,"none":null,"tags":["a"],"empty":[],
             "deep":{"name":"x"}}
            """#
        let imported = try importing([Entry(content: content(json))])
        for line in [
            "$.ref: { type: uuid }", "$.createdAt: { type: dateTime }", "$.day: { type: date }",
            "$.userId: { type: integer }",
            "$.sessionToken: { type: string }", "$.ts: { type: integer }", "$.title: Dune", "$.stock: 3",
            "$.price: 9.50",
            "$.ok: true", "$.none: null", "$.tags: { type: array, empty: false }", "$.empty: { type: array }",
            "$.deep.name: x",
        ] {
            #expect(imported.text.contains(line + "\n"), "\(line) in \(imported.text)")
        }
    }

    @Test func noiseIsLeftOut() throws {
        let imported = try importing([
            Entry(url: "http://a/x.png", content: ("image/png", "")), Entry(url: "http://a/y.js"),
            Entry(url: "data:text/plain,x"), Entry(url: "wss://a/x", status: 101), Entry(status: 0),
            Entry(method: "OPTIONS", headers: [("Access-Control-Request-Method", "PUT")]),
            Entry(headers: [(":authority", "a"), ("Sec-Fetch-Mode", "cors"), ("User-Agent", "x"), ("X-Own", "1")]),
        ])
        #expect(
            imported.omitted == [
                "static assets (2)", "URLs of other schemes (1)", "WebSockets (1)", "requests without a response (1)",
                "preflight requests (1)",
            ])
        #expect(imported.text.contains("request: { url: /x, headers: { X-Own: 1 } }\n"))
    }

    @Test("Messages of a WebSocket are sent and expected, and values that the server sends become captures")
    func webSockets() throws {
        let login = Entry(
            method: "POST", url: "https://a/login", content: content(#"{"sessionId":"4f1d7c9a22b8","user":"ada"}"#)
        ).json
        let har = """
            { "log": { "version": "1.2", "entries": [
              \(login.serialized()),
              { "request": { "method": "GET", "url": "wss://a/chat", "headers": [
                  { "name": "Sec-WebSocket-Key", "value": "x" }, { "name": "Upgrade", "value": "websocket" },
                  { "name": "Sec-WebSocket-Protocol", "value": "chat.v2" }] },
                "response": { "status": 101, "headers": [], "content": {} },
                "_webSocketMessages": [
                  { "type": "send", "time": 1.0, "opcode": 1, "data": "{\\"join\\":\\"4f1d7c9a22b8\\"}" },
                  { "type": "receive", "time": 7.2, "opcode": 1, "data": "{\\"memberId\\":90417,\\"room\\":\\"lobby\\"}" },
                  { "type": "send", "time": 7.3, "opcode": 1, "data": "{\\"memberId\\":90417,\\"say\\":\\"hi\\"}" },
                  { "type": "receive", "time": 7.4, "opcode": 1, "data": "ok" },
                  { "type": "receive", "time": 7.4, "opcode": 2, "data": "AQID" },
                  { "type": "send", "time": 7.5, "opcode": 9, "data": "" },
                  { "type": "receive", "time": 7.6, "opcode": 8, "data": "bye", "_code": 4001 }] }
            ] } }
            """
        let imported = try SuiteImportTests.importing(har, as: "session.har")
        #expect(
            imported.body.contains(
                """
                  - name: GET /chat
                    request: { url: /chat, headers: { Sec-WebSocket-Protocol: chat.v2 } }
                    websocket:
                      - send: { json: { join: "${sessionId}" } }
                      - receive:
                          json: { $.memberId: { type: integer }, $.room: lobby }
                          within: 13s
                          capture:
                            memberId: $.memberId
                      - send: { json: { memberId: "${memberId}", say: hi } }
                      - receive: { body: ok }
                      - receive: { type: binary, base64: AQID }
                      - receive: { close: 4001 }
                """), "\(imported.body)")
    }

    @Test func onlySelectsHostsAndTypes() throws {
        let entries = [
            Entry(url: "http://a/x", content: content("{}")),
            Entry(url: "http://b:8080/y", content: ("text/html", "x")),
            Entry(url: "http://a/z.png", content: ("image/png", "")),
        ]
        func count(_ only: String...) throws -> Int {
            try importing(entries, only: only).result.files.first?.suite.testCount ?? 0
        }
        #expect(try count("b") == 1)
        #expect(try count("a") == 1)
        #expect(try count("application/json") == 1)
        #expect(try count("image/*") == 1)
        #expect(try count("a", "text/html") == 2)
        #expect(try count("c") == 0)
    }

    @Test func cookiesOfTheServerStayInTheJar() throws {
        let imported = try importing([
            Entry(url: "http://a/", responseHeaders: [("Set-Cookie", "sid=4f1d7c9a22b8; Path=/")]),
            Entry(url: "http://a/me", headers: [("Cookie", "sid=4f1d7c9a22b8; theme=dark")]),
        ])
        #expect(imported.text.contains("cookieJar: keep"))
        #expect(imported.text.contains("cookies: { theme: dark }") && !imported.text.contains("4f1d7c9a22b8"))
    }

    @Test func redirectsAndCachedResponses() throws {
        let imported = try importing([
            Entry(url: "http://a/old", status: 302, responseHeaders: [("Location", "/new")]),
            Entry(url: "http://a/new", headers: [("If-None-Match", "x")], status: 304),
        ])
        #expect(imported.text.contains("  redirects: false\n"))
        #expect(imported.text.contains("expect: { status: [200, 304] }") && !imported.text.contains("If-None-Match"))
    }

    @Test func multipartForms() throws {
        let text =
            "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--B\r\n"
            + "Content-Disposition: form-data; name=\"f\"; filename=\"x.txt\"\r\nContent-Type: text/plain\r\n\r\n\r\n--B--\r\n"
        let imported = try importing([Entry(method: "POST", body: ("multipart/form-data; boundary=B", text))])
        #expect(imported.text.contains("multipart: { a: b, "))
        #expect(imported.text.contains("f: { text: \"\", type: text/plain, filename: x.txt }"))
        #expect(imported.untranslated == ["content of an uploaded file (1)"])
    }

    @Test(arguments: [
        ("{\"log\": {\"entries\": [1,]}}", "invalid-json", 1, 24), ("{\"log\": {\"creator\": 1}}", "invalid-har", 1, 1),
        ("\u{FEFF}{\"log\": {\"entries\": [\n}}", "invalid-json", 2, 1),
    ])
    func errorsHaveLocations(_ text: String, _ id: String, _ line: Int, _ column: Int) throws {
        let imported = try SuiteImportTests.importing(text, as: "a.har", isSound: false)
        let problem = try #require(imported.result.diagnostics.first)
        #expect(problem.id == id)
        #expect(problem.range.map { [Int($0.start.line), Int($0.start.column)] } == [line, column])
    }

    @Test func deepRecordingIsRefused() throws {
        let text = "{\"log\": {\"entries\": " + String(repeating: "[", count: 10_000)
        let imported = try SuiteImportTests.importing(text, as: "a.har", isSound: false)
        #expect(imported.result.diagnostics.first?.id == "invalid-json")
    }

    @Test func linesOfEntries() {
        let text = "{\"log\": {\n\"x\": \"\\\"entries\\\": [\",\n\"entries\": [\n{\"a\": {}},\n\n{\"b\": [{}]}]}}"
        #expect(ElementLines.lines(of: "entries", in: Array(text.utf8)) == [4, 6])
    }

    @Test func largeRecordingTakesLinearTime() throws {
        let entries = (0..<2_000).map { number in
            Entry(
                url: "http://a/items/\(number)",
                content: content(#"{"id":\#(number),"name":"n\#(number)","ref":"r-\#(number)-0123456789"}"#))
        }
        let imported = try importing(entries)
        #expect(imported.result.files.first?.suite.testCount == 2_000)
    }
}
