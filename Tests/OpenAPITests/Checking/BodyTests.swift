import OpenAPI
import Testing

/// Tests of bodies other than plain JSON.
@Suite("Form, multipart, and streamed bodies")
struct BodyTests {
    private static let document = """
        openapi: 3.2.0
        info: { title: x, version: '1' }
        paths:
          /form:
            post:
              requestBody:
                content:
                  application/x-www-form-urlencoded:
                    schema:
                      type: object
                      required: [n]
                      properties:
                        n: { type: integer }
                        tags: { type: array, items: { type: string, maxLength: 3 } }
                        short: { type: array, items: { type: integer } }
                        meta: { type: object, properties: { a: { type: integer } } }
                        rows: { type: array, items: { type: object, required: [a, b], properties: { a: { type: integer } } } }
                        size: { anyOf: [{ type: integer, maximum: 9 }, { type: string, enum: ['10'] }] }
                    encoding: { short: { style: form, explode: false }, rows: { style: deepObject } }
                  multipart/form-data:
                    schema:
                      type: object
                      required: [file]
                      properties:
                        file: { type: string }
                        n: { type: integer }
                        meta: { type: object, properties: { a: { type: integer } } }
                        all: { type: array, minItems: 2, items: { type: string } }
                    encoding:
                      file: { contentType: 'image/png, image/jpeg', headers: { X-Kind: { required: true, schema: { type: string } } } }
                  text/plain: { schema: { type: integer } }
                  application/xml: { schema: { type: integer } }
              responses: { 204: { description: x } }
          /stream:
            post:
              requestBody:
                content:
                  application/jsonl: { itemSchema: { type: object, required: [id] } }
              responses: { 204: { description: x } }
            get:
              responses:
                200:
                  description: x
                  content:
                    application/jsonl: { itemSchema: { type: object, required: [n] } }
                    text/event-stream: { itemSchema: { type: object, required: [data], properties: { event: { const: tick } } } }
                    application/json-seq: { itemSchema: { type: integer } }
        """

    private static func lines(_ type: String, _ body: String) throws -> [String] {
        let contract = try ContractText.contract(document)
        var exchange = ContractText.exchange("POST /form | Content-Type: \(type) => 204")
        exchange.requestBody = Array(body.utf8)
        return ContractText.lines(ContractText.outcome(contract, exchange))
    }

    @Test(
        "Form bodies are checked",
        arguments: [
            ("n=1", []), ("n=1&tags=abc&tags=d", []), ("n=1&short=1,2", []), ("n=1&meta=%7B%22a%22%3A1%7D", []),
            ("n=1&other=x", []), ("n=1&rows[0][a]=1&rows[0][b]=x&rows[1][a]=2&rows[1][b]=y", []),
            ("n=1&size=10", []), ("n=1&size=9", []),
            (
                "n=1&rows[1][a]=1&rows[0][b]=x&rows[0][a]=1",
                ["error request-body [request form $.rows[1]] missing property \"b\""]
            ),
            ("n=x", ["error request-body [request form $.n] expected integer, got \"x\" (string)"]),
            (
                "tags=abcd",
                [
                    "error request-body [request form $] missing property \"n\"",
                    "error request-body [request form $.tags[0]] expected at most 3 characters, got 4: \"abcd\"",
                ]
            ),
            ("n=1&short=1,x", ["error request-body [request form $.short[1]] expected integer, got \"x\" (string)"]),
            (
                "n=1&meta=%7B%22a%22%3Atrue%7D",
                ["error request-body [request form $.meta.a] expected integer, got true (boolean)"]
            ),
        ])
    func forms(_ body: String, _ expected: [String]) throws {
        #expect(try Self.lines("application/x-www-form-urlencoded", body) == expected)
    }

    private static func part(_ name: String, _ headers: String, _ body: String) -> String {
        "--B\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\(headers)\r\n\(body)\r\n"
    }

    @Test("Multipart bodies are checked")
    func multipart() throws {
        let type = "multipart/form-data; boundary=B"
        let file = Self.part("file", "Content-Type: image/png\r\nX-Kind: a\r\n", "\u{1}PNG")
        let good =
            file + Self.part("n", "", "1") + Self.part("meta", "Content-Type: application/json\r\n", "{\"a\": 1}")
            + Self.part("all", "", "x") + Self.part("all", "", "y")
        #expect(try Self.lines(type, good + "--B--\r\n") == [])
        let bad =
            Self.part("file", "Content-Type: text/html\r\n", "x") + Self.part("n", "", "x") + Self.part("all", "", "x")
        #expect(
            try Self.lines(type, bad + "--B--\r\n") == [
                "error request-body [part file] the part has the media type text/html, but its encoding allows image/png, image/jpeg",
                "error request-body [part file header X-Kind] the required header \"X-Kind\" is missing",
                "error request-body [request form $.n] expected integer, got \"x\" (string)",
                "error request-body [request form $.all] expected at least 2 elements, got 1",
            ])
        for body in ["", "x", "--B", "--B\r\n", "--B\r\n\r\n", "--B\n--B\n"] {
            guard !body.isEmpty else { continue }
            #expect(
                try Self.lines(type, body) == [
                    "error request-body [request body] the body is not valid multipart/form-data"
                ], "\(body)")
        }
    }

    @Test("Text bodies are checked, and other media types are not")
    func texts() throws {
        #expect(try Self.lines("text/plain", "12") == [])
        #expect(
            try Self.lines("text/plain", "x") == [
                "error request-body [request body $] expected integer, got \"x\" (string)"
            ])
        #expect(try Self.lines("application/xml", "<x/>") == [])
    }

    @Test(
        "Each item of a streamed response is checked",
        arguments: [
            ("application/jsonl", "{\"n\": 1}\n{\"n\": 2}\n", []),
            (
                "application/jsonl", "{\"n\": 1}\n{}\n{",
                [
                    "error response-body [response item 1 $] missing property \"n\"",
                    "error response-body [response item 2] the item is not JSON",
                ]
            ),
            ("text/event-stream", ": hi\nevent: tick\ndata: a\ndata: b\n\nevent: tick\r\ndata: c\r\n\r\n", []),
            (
                "text/event-stream", "event: tock\ndata: a\n\n",
                [
                    "error response-body [response item 0 $.event] expected \"tick\" (string), got \"tock\" (string)"
                ]
            ),
            // An event without data is discarded.
            ("text/event-stream", "retry: 3000\n\nid: 1\n\nevent: tock\n\n: hi\n\ndata: a\n\n", []),
            (
                "application/json-seq", "\u{1E}1\n\u{1E}\"a\"\n",
                [
                    "error response-body [response item 1 $] expected integer, got \"a\" (string)"
                ]
            ),
        ])
    func streams(_ type: String, _ body: String, _ expected: [String]) throws {
        let contract = try ContractText.contract(Self.document)
        var exchange = ContractText.exchange("GET /stream => 200 | Content-Type: \(type)")
        exchange.responseBody = Array(body.utf8)
        let lines = ContractText.lines(ContractText.outcome(contract, exchange)).map { line in
            String(line.prefix(line.contains("is not JSON: ") ? 58 : line.count))
        }
        for (line, wanted) in zip(lines, expected) { #expect(line.hasPrefix(wanted.prefix(58)), "\(line)") }
        #expect(lines.count == expected.count, "\(lines)")
    }

    @Test("Each item of a streamed request is checked")
    func requestStreams() throws {
        let contract = try ContractText.contract(Self.document)
        var exchange = ContractText.exchange("POST /stream | Content-Type: application/jsonl => 204")
        exchange.requestBody = Array("{\"id\": 1}\n{\"id\": 2}\n".utf8)
        #expect(ContractText.lines(ContractText.outcome(contract, exchange)) == [])
        exchange.requestBody = Array("{\"id\": 1}\n{\"x\": 1}\nno JSON\n".utf8)
        let lines = ContractText.lines(ContractText.outcome(contract, exchange))
        #expect(lines.first == "error request-body [request item 1 $] missing property \"id\"")
        #expect(lines.last?.hasPrefix("error request-body [request item 2] the item is not JSON: ") == true)
        #expect(lines.count == 2)
    }
}
