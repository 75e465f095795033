import Diagnostics
import Testing

@testable import SuiteImport

/// Collections of Postman: requests, variables, directories, and files with errors.
struct PostmanImporterTests {
    private static let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

    /// Imports a collection with the items, and other members, of JSON text.
    private func collection(
        _ items: String, _ members: String = "", files: [String: String] = [:],
        _ location: SourceLocation = #_sourceLocation
    ) throws -> Imported {
        try importing(
            """
            { "info": { "name": "Shop", "schema": "\(Self.schema)" }, \(members)
              "item": [\(items)] }
            """, as: "shop.postman_collection.json", files: files, location)
    }

    /// Imports a request of JSON text, and returns the lines of its request.
    private func request(
        _ text: String, _ members: String = "", files: [String: String] = [:],
        _ location: SourceLocation = #_sourceLocation
    ) throws -> String {
        let imported = try collection(#"{ "name": "a", "request": \#(text) }"#, members, files: files, location)
        let lines = imported.text.split(separator: "\n").drop { !$0.hasPrefix("    request:") }
        return lines.map { String($0.dropFirst(4)) }.joined(separator: "\n")
    }

    @Test(arguments: [
        (#""https://api.example.org/a?b=c""#, "request: GET /a?b=c"),
        (#"{ "url": "api.example.org/a" }"#, "request: GET /a"),
        (#"{ "method": "delete", "url": "https://example.org/a" }"#, "request: DELETE /a"),
        (#"{ "url": { "protocol": "", "host": ["{{base}}"], "path": ["a"] } }"#, "request: GET /a"),
        (
            #"{ "method": "DELETE", "url": { "protocol": "https", "host": ["api", "example", "org"], "port": "8443", "path": ["a", ":id", ":b"], "variable": [{ "key": "id", "value": "7" }] } }"#,
            "request: DELETE /a/7/:b"
        ),
        (
            #"{ "url": { "raw": "x", "host": "example.org", "path": "/a/b", "query": [{ "key": "q", "value": "x y" }, { "key": "flag", "value": null }, { "key": "n", "value": "1", "disabled": true }] } }"#,
            "request: GET /a/b?q=x y&flag"
        ),
        (
            #"{ "url": { "host": ["{{base}}"], "path": ["", "a"], "query": [{ "key": "q", "value": "1" }, { "key": "", "value": null }] } }"#,
            #"request: GET ${base}//a?q=1&"#
        ),
        (#"{ "url": { "host": ["{{base}}"], "path": ["a\n", "b\r\n"] } }"#, "request: GET /a%0A/b%0D%0A"),
        (
            #"{ "url": "https://example.org/a", "header": [{ "key": "X", "value": "1" }, { "key": "Y", "value": "2", "disabled": true }] }"#,
            "request: { url: /a, headers: { X: 1 } }"
        ),
        (
            #"{ "url": "https://example.org/a", "header": "X: 1\nZ: {{$guid}}" }"#,
            #"request: { url: /a, headers: { X: 1, Z: "${uuid()}" } }"#
        ),
    ])
    func urlsAndHeaders(_ source: String, _ expected: String) throws {
        #expect(try request(source) == expected)
    }

    @Test func originOfURLs() throws {
        func base(_ url: String, _ value: String) throws -> String {
            let imported = try collection(
                #"{ "name": "a", "request": { "url": "\#(url)" } }"#,
                #""variable": [{ "key": "host", "value": "\#(value)" }],"#)
            return imported.text.split(separator: "\n").first { $0.hasPrefix("baseURL: ") }.map {
                String($0.dropFirst(9))
            } ?? ""
        }
        #expect(try base("{{host}}/a", "https://example.org") == "${host}")
        #expect(try base("{{host}}/a", "example.org") == "http://${host}")
        #expect(try base("https://{{host}}/a", "example.org") == "https://${host}")
        #expect(try base("example.org/a", "") == "http://example.org")
    }

    /// Postman does not send such requests.
    @Test(arguments: [#"{ "method": "GET" }"#, #"{ "url": "" }"#, #"{ "url": { "raw": "" } }"#, #""""#])
    func requestsWithoutURLs(_ request: String) throws {
        let other = #"{ "name": "b", "request": "https://example.org/b" }"#
        let imported = try collection(#"{ "name": "a", "request": \#(request) }, \#(other)"#)
        #expect(
            imported.text.contains("  - name: a\n    skip: the request has no URL\n    request: GET /\n"),
            "\(imported.text)")
        #expect(imported.text.contains("  - name: b\n    request: GET /b\n"), "\(imported.text)")
    }

    /// Exported variables often have no values, and a URL without a host cannot be sent.
    @Test(arguments: [
        ("{{host}}/a", "", #"host: ${env("HOST")}"#), ("https://{{host}}/a", "", #"host: ${env("HOST")}"#),
        ("{{url}}/a", "https://{{host}}:8443", #"host: ${env("HOST")}"#),
        ("{{url}}{{host}}/a", "https://b", #"host: """#),
        ("https://example.org/{{host}}", "", #"host: """#), ("https://{{host}}:b@example.org/a", "", #"host: """#),
    ])
    func originsWithoutValues(_ url: String, _ value: String, _ expected: String) throws {
        let imported = try collection(
            #"{ "name": "a", "request": { "url": "\#(url)" } }"#,
            #""variable": [{ "key": "host", "value": "" }, { "key": "url", "value": "\#(value)" }],"#)
        #expect(imported.text.contains("  \(expected)\n"), "\(imported.text)")
    }

    /// A slash after a variable with a path would be another URL.
    @Test(arguments: [
        ("https://example.org", "{{host}}", "GET /"), ("https://example.org/api", "{{host}}", "GET ${host}"),
        ("https://example.org/api", "{{host}}/", "GET /"), ("", "{{host}}", "GET ${host}"),
        ("https://example.org/api", "{{host}}?a=b", "GET ?a=b"), ("https://example.org", "{{host}}?a=b", "GET /?a=b"),
    ])
    func pathsOfVariables(_ value: String, _ url: String, _ expected: String) throws {
        let lines = try request(
            #"{ "url": "\#(url)" }"#, #""variable": [{ "key": "host", "value": "\#(value)" }],"#)
        #expect(lines == "request: \(expected)" || lines == "request: \"\(expected)\"", "\(lines)")
    }

    /// Settings disable the header fields that Postman adds, not those of the request.
    @Test func headersThatPostmanDoesNotAdd() throws {
        let item = #"""
            { "name": "NAME", "protocolProfileBehavior": { "disabledSystemHeaders": { "accept": true, "connection": true } },
              "request": { "url": "https://example.org/a", "header": [{ "key": "Accept", "value": "text/html" }] } }
            """#
        let imported = try collection("\(item), \(item)")
        #expect(!imported.text.contains("accept: null"), "\(imported.text)")
        #expect(imported.text.contains("connection: null"), "\(imported.text)")
    }

    @Test(
        arguments: [
            (
                #"{ "mode": "raw", "raw": "{\"a\": 1}", "options": { "raw": { "language": "json" } } }"#,
                "json: { a: 1 }"
            ),
            (#"{ "mode": "raw", "raw": "hello" }"#, "text: hello\n  contentType: text/plain"),
            (#"{ "mode": "raw", "raw": "<a/>", "options": { "raw": { "language": "xml" } } }"#, #"xml: "<a/>""#),
            (
                #"{ "mode": "urlencoded", "urlencoded": [{ "key": "a", "value": "1" }, { "key": "b", "value": "2" }, { "key": "a", "value": "3" }, { "key": "c", "disabled": true }] }"#,
                "form: { a: [1, 3], b: 2 }"
            ),
            (
                #"{ "mode": "formdata", "formdata": [{ "key": "a", "value": "1", "type": "text" }, { "key": "f", "type": "file", "src": "data.csv" }] }"#,
                "multipart: { a: 1, f: { file: data.csv } }"
            ),
            (#"{ "mode": "file", "file": { "src": "data.csv" } }"#, "file: data.csv"),
            (
                #"{ "mode": "graphql", "graphql": { "query": "{ a }", "variables": "{ \"n\": {{n}} }" } }"#,
                #"graphql: { query: "{ a }", variables: { "n": "${n}" } }"#
            ),
            (#"{ "mode": "raw", "raw": "" }"#, nil),
        ] as [(String, String?)])
    func bodies(_ body: String, _ expected: String?) throws {
        let text = try request(
            #"{ "method": "POST", "url": "https://example.org/a", "body": \#(body) }"#,
            #""variable": [{ "key": "n", "value": "7" }],"#,
            files: ["data.csv": "a,b\n"])
        guard let expected else { return #expect(text == "request: POST /a") }
        #expect(text.contains(expected), "\(text)")
    }

    @Test func bodiesOfGETAreNotSent() throws {
        let get =
            #"{ "name": "a", "request": { "url": "https://example.org/a", "body": { "mode": "raw", "raw": "x" } } }"#
        let imported = try collection(get)
        #expect(imported.omitted == ["bodies of GET requests (1)"])
        #expect(imported.text.contains("request: GET /a\n"))
        let other = try collection(
            get.dropLast(1)
                + #", "protocolProfileBehavior": { "disableBodyPruning": true, "followRedirects": false } }"#)
        #expect(other.text.contains("text: x") && other.text.contains("redirects: false"))
    }

    /// A value in quotes must stay a string, and one without quotes must not become one.
    @Test func variablesInJSON() throws {
        let body = #"{\"a\": \"{{n}}\", \"b\": {{n}}, \"c\": \"{{s}}\", \"d\": \"{{n}}-{{s}}\", \"e\": {{$timestamp}}}"#
        let text = try request(
            #"{ "method": "POST", "url": "https://example.org/a", "body": { "mode": "raw", "raw": "\#(body)", "options": { "raw": { "language": "json" } } } }"#,
            #""variable": [{ "key": "n", "value": "7" }, { "key": "s", "value": "x" }],"#)
        #expect(text.contains("a: ${string(n)}") && text.contains("b: ${n}") && text.contains("c: ${s}"), "\(text)")
        #expect(text.contains("d: ${n}-${s}") && text.contains("e: ${int(now())}"))
    }

    @Test func textInsertedIntoJSON() throws {
        let text = try request(
            #"{ "method": "POST", "url": "https://example.org/a", "body": { "mode": "raw", "raw": "{\"a\": {{list}}}", "options": { "raw": { "language": "json" } } } }"#,
            #""variable": [{ "key": "list", "value": "[1, 2]" }],"#)
        #expect(
            text.contains("text: '{\"a\": ${listValue}}'") && text.contains("contentType: application/json"), "\(text)")
    }

    @Test(
        arguments: [
            (
                #"{ "type": "basic", "basic": [{ "key": "username", "value": "ada" }, { "key": "password", "value": "{{pw}}" }] }"#,
                #"auth: { basic: { username: ada, password: "${pw}" } }"#
            ),
            (
                #"{ "type": "basic", "basic": { "username": "ada", "password": "{{pw}}" } }"#,
                #"auth: { basic: { username: ada, password: "${pw}" } }"#
            ),
            (#"{ "type": "bearer", "bearer": [{ "key": "token", "value": "{{t}}" }] }"#, #"auth: { bearer: "${t}" }"#),
            (
                #"{ "type": "apikey", "apikey": [{ "key": "key", "value": "X-Key" }, { "key": "value", "value": "{{k}}" }] }"#,
                #"auth: { apiKey: { header: X-Key, value: "${k}" } }"#
            ),
            (
                #"{ "type": "oauth2", "oauth2": [{ "key": "accessToken", "value": "{{t}}" }] }"#,
                #"auth: { bearer: "${t}" }"#
            ),
            (#"{ "type": "noauth" }"#, nil),
        ] as [(String, String?)])
    func authentication(_ auth: String, _ expected: String?) throws {
        let own = try request(#"{ "url": "https://example.org/a", "auth": \#(auth) }"#)
        let inherited = try request(#"{ "url": "https://example.org/a" }"#, #""auth": \#(auth),"#)
        #expect(own == inherited)
        guard let expected else { return #expect(own == "request: GET /a") }
        #expect(own.contains(expected), "\(own)")
    }

    @Test func directories() throws {
        let imported = try collection(
            """
            { "name": "Books", "auth": { "type": "bearer", "bearer": [{ "key": "token", "value": "{{t}}" }] },
              "event": [{ "listen": "test", "script": { "exec": "pm.response.to.have.status(200)" } }],
              "item": [{ "name": "Old", "item": [
                { "name": "a", "request": "https://example.org/a" },
                { "name": "b", "request": { "url": "https://example.org/b", "auth": { "type": "noauth" } } }] }] }
            """)
        #expect(imported.text.contains("  # Books / Old\n  - name: a\n"))
        #expect(imported.text.contains("request: GET /b\n    expect: 200"))
        #expect(imported.result.counts.assertions == 1)
    }

    /// An environment that has only its values, as people write it.
    @Test func plainEnvironments() throws {
        let collection = """
            { "info": { "name": "Shop", "schema": "\(Self.schema)" },
              "item": [{ "name": "x", "request": "https://example.org/{{a}}" }] }
            """
        let environment = #"{ "values": [{ "key": "a", "value": "2" }] }"#
        let result = ImportRun.run(
            [("a.json", collection), ("staging.postman_environment.json", environment)].map {
                SourceFile(name: $0, text: $1)
            },
            options: ImportOptions(workingDirectory: "/", outputDirectory: "/"))
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
        let text = String(decoding: try #require(result.files.first).suite.text, as: UTF8.self)
        #expect(text.contains("environments:\n  staging: { variables: { a: 2 } }\n"), "\(text)")
        #expect(!PostmanImporter.recognizes(SourceFile(name: "a.json", text: #"{ "values": [{ "a": 1 }] }"#)))
    }

    @Test func environmentsAndGlobals() throws {
        let collection = """
            { "info": { "name": "Shop", "schema": "\(Self.schema)" }, "variable": [{ "key": "a", "value": "1" }],
              "item": [{ "name": "x", "request": "https://example.org/{{a}}/{{b}}/{{g}}/{{c}}" }] }
            """
        let environment = """
            { "name": "Test", "values": [{ "key": "a", "value": "2" }, { "key": "b", "value": "{{g}}" },
              { "key": "c", "value": "x", "enabled": false }], "_postman_variable_scope": "environment" }
            """
        let globals =
            #"{ "name": "G", "values": [{ "key": "g", "value": "h" }], "_postman_variable_scope": "globals" }"#
        var options = ImportOptions(workingDirectory: "/", outputDirectory: "/")
        options.only = []
        let result = ImportRun.run(
            [("a.json", collection), ("b.json", environment), ("c.json", globals)].map {
                SourceFile(name: $0, text: $1)
            },
            options: options)
        let text = String(decoding: try #require(result.files.first).suite.text, as: UTF8.self)
        #expect(text.contains("variables:\n  g: h\n  a: 1\n  b: ${g}\n  c: ${env(\"C\")}\n"), "\(text)")
        #expect(text.contains("environments:\n  Test: { variables: { a: 2, b: \"${g}\" } }\n"))
        #expect(result.counts.omitted.entries.map(\.name) == ["disabled variables"])
    }

    /// A base URL that ends with a slash keeps it before a path.
    @Test(arguments: [("https://example.org/v1/", "${url}/a"), ("https://example.org/v1", "request: GET /a")])
    func basesWithSlash(_ url: String, _ expected: String) throws {
        let collection = """
            { "info": { "name": "Shop", "schema": "\(Self.schema)" }, "variable": [{ "key": "url", "value": "\(url)" }],
              "item": [{ "name": "x", "request": "{{url}}/a" }] }
            """
        let imported = try importing(collection, as: "a.json")
        #expect(imported.text.contains(expected), "\(imported.text)")
    }

    /// A request uses the variable of the environment, whatever scripts set in the collection.
    @Test(arguments: [
        ("pm.collectionVariables.set('id', pm.response.json().id);", "captured but not used: collection_id"),
        ("pm.environment.set('id', pm.response.json().id);", "capture: id: $.id"),
        (
            "pm.globals.set('id', pm.response.json().id); pm.expect(pm.globals.get('id')).to.eql(8);",
            "assert: - collection_id == 8"
        ),
    ])
    func variablesThatEnvironmentsHide(_ script: String, _ expected: String) throws {
        let collection = """
            { "info": { "name": "Shop", "schema": "\(Self.schema)" }, "item": [
              { "name": "x", "request": "https://example.org/a",
                "event": [{ "listen": "test", "script": { "exec": ["\(script)"] } }] },
              { "name": "y", "request": "https://example.org/{{id}}" }] }
            """
        let environment = #"{ "name": "E", "values": [{ "key": "id", "value": "7" }] }"#
        let result = ImportRun.run(
            [("a.json", collection), ("e.postman_environment.json", environment)].map {
                SourceFile(name: $0, text: $1)
            },
            options: ImportOptions(workingDirectory: "/", outputDirectory: "/"))
        let text = String(decoding: try #require(result.files.first).suite.text, as: UTF8.self)
        #expect(text.flattened.contains(expected.flattened) && text.contains("GET /${id}"), "\(text)")
    }

    /// The suite also runs without `--environment`.
    @Test func originsOfEnvironments() throws {
        let collection = """
            { "info": { "name": "Shop", "schema": "\(Self.schema)" }, "variable": [{ "key": "url", "value": "" }],
              "item": [{ "name": "x", "request": "{{url}}/a" }] }
            """
        func text(_ urls: String...) throws -> String {
            let environments = urls.enumerated().map { index, url in
                SourceFile(
                    name: "\(index).json",
                    text: """
                        { "name": "E\(index)", "values": [{ "key": "url", "value": "\(url)" }],
                          "_postman_variable_scope": "environment" }
                        """)
            }
            let result = ImportRun.run(
                [SourceFile(name: "a.json", text: collection)] + environments,
                options: ImportOptions(workingDirectory: "/", outputDirectory: "/"))
            return String(decoding: try #require(result.files.first).suite.text, as: UTF8.self)
        }
        let single = try text("shop.example.org")
        #expect(single.contains("baseURL: http://${url}\n"), "\(single)")
        #expect(single.contains("variables:\n  url: shop.example.org\n"), "\(single)")
        // The values of several environments are not mixed.
        let several = try text("", "http://b")
        #expect(several.contains("variables:\n  url: ${env(\"URL\")}\n"), "\(several)")
        #expect(several.contains("  E0: { variables: { url: '${env(\"URL\")}' } }\n"), "\(several)")
        #expect(several.contains("  E1: { variables: { url: http://b } }\n"), "\(several)")
    }

    @Test func cyclicVariablesStayText() throws {
        let text = try request(
            #"{ "url": "https://example.org/{{a}}/{{c}}" }"#,
            #""variable": [{ "key": "a", "value": "{{b}}" }, { "key": "b", "value": "{{a}}" }, { "key": "c", "value": "1" }],"#
        )
        #expect(text.contains("/${a}/${c}"))
    }

    @Test(arguments: [
        (#"{ "info": { "schema": "https://schema.getpostman.com/x" } }"#, "invalid-postman"),
        (#"{ "name": "a", "values": [], "_postman_variable_scope": "environment" }"#, "invalid-postman"),
        (#"{ "info": { "schema": "https://schema.getpostman.com/x" }, "item": [ }"#, "invalid-json"),
    ])
    func errors(_ text: String, _ id: String) throws {
        let imported = try importing(text, as: "a.json", isSound: false)
        #expect(imported.result.diagnostics.map(\.id) == [id])
        #expect(imported.result.files.isEmpty)
    }

    @Test func directoriesAreNotTooDeep() throws {
        let items = String(repeating: #"{"name":"d","item":["#, count: 200) + String(repeating: "]}", count: 200)
        let imported = try importing(
            #"{"info":{"schema":"\#(Self.schema)"},"item":[\#(items)]}"#, as: "a.json", isSound: false)
        #expect(imported.result.diagnostics.map(\.id) == ["import-too-deep"])
    }

    @Test func linesOfValues() {
        let text = Array("{\n\"a\": [\n1,\n{\"exec\": [\"x\",\n\"y\\\"\"]}],\n\"b/c\": {\"exec\": \"z\"}\n}".utf8)
        let lines = JSONLines(text, stringsOf: ["exec"])
        #expect(lines["/a"] == 2 && lines["/a/1"] == 4 && lines["/a/1/exec/0"] == 4 && lines["/a/1/exec/1"] == 5)
        #expect(lines["/b/c/exec"] == 6 && lines["/c"] == nil)
    }
}
