import JSON
import MockServer
import Testing

@Suite struct CollectionTests {
    private static let books = """
        collections:
          books:
            path: /books
            seed:
              - { id: 1, title: Dune, price: 10.50, tags: [novel, desert] }
              - { id: 5, title: Solaris, price: 8, tags: [novel], sold: true }
              - { title: Eden, price: 10.5, cover: null }
        """

    @Test func createsReadsChangesAndDeletes() async throws {
        try await MockRun.connected(Self.books) { connection throws in
            let created = try connection.send("POST", "/books", json: #"{"title":"Ubik","price":1.10}"#)
            #expect(created.status == 201)
            #expect(created.header("location") == "/books/7")
            #expect(created.header("content-type") == "application/json")
            #expect(created.body == #"{"id":7,"title":"Ubik","price":1.10}"#)

            let read = try connection.send("GET", "/books/7")
            #expect(read.status == 200)
            #expect(read.body == created.body)
            #expect(read.header("etag") == created.header("etag"))

            let replaced = try connection.send("PUT", "/books/7", json: #"{"title":"UBIK"}"#)
            #expect(replaced.status == 200)
            #expect(replaced.body == #"{"id":7,"title":"UBIK"}"#)
            #expect(replaced.header("etag") != created.header("etag"))

            let patched = try connection.send(
                "PATCH", "/books/7", headers: [("Content-Type", "application/merge-patch+json")],
                body: #"{"title":null,"stock":{"left":1}}"#)
            #expect(patched.status == 200)
            #expect(patched.body == #"{"id":7,"stock":{"left":1}}"#)

            let deleted = try connection.send("DELETE", "/books/7")
            #expect(deleted.status == 204)
            #expect(deleted.header("content-length") == nil)
            #expect(try connection.send("GET", "/books/7").status == 404)
            #expect(try connection.send("DELETE", "/books/7").status == 404)
            #expect(try connection.send("POST", "/books", json: "{}").header("location") == "/books/8")
        }
    }

    @Test(
        arguments: [
            ("/books", [1, 5, 6], 3), ("/books?limit=2", [1, 5], 3), ("/books?offset=1", [5, 6], 3),
            ("/books?offset=1&limit=1", [5], 3), ("/books?limit=0", [], 3), ("/books?offset=9", [], 3),
            ("/books?title=Eden", [6], 1), ("/books?price=10.5", [1, 6], 2), ("/books?tags=novel", [1, 5], 2),
            ("/books?tags=novel&sold=true", [5], 1), ("/books?title=Eden&title=Dune", [1, 6], 2),
            ("/books?cover=null", [6], 1),
            ("/books?author=Lem", [], 0), ("/books?id=5", [5], 1), ("/books?title=Sol%61ris", [5], 1),
        ] as [(String, [Int], Int)])
    func lists(_ target: String, _ identifiers: [Int], _ total: Int) async throws {
        try await MockRun.connected(Self.books) { connection throws in
            let response = try connection.send("GET", target)
            #expect(response.status == 200)
            #expect(
                response.json.arrayValue?.compactMap { $0["id"]?.numberValue?.int64 } == identifiers.map(Int64.init))
            #expect(response.header("x-total-count") == String(total))
        }
    }

    @Test(arguments: [
        ("GET", "/books/99", "", "", 404, "no item with id \"99\""),
        ("GET", "/books/abc", "", "", 404, "no item"),
        ("GET", "/books?limit=-1", "", "", 400, "\"limit\""),
        ("GET", "/books?offset=x", "", "", 400, "\"offset\""),
        ("POST", "/books", "application/json", "{", 400, "not JSON: line 1, column 2"),
        ("POST", "/books", "application/json", "", 400, "no body"),
        ("POST", "/books", "application/json", "[]", 400, "must be a JSON object, got an array"),
        ("POST", "/books", "application/json", #"{"id":1}"#, 409, "an item with id \"1\" already exists"),
        ("POST", "/books", "application/json", #"{"id":"x"}"#, 400, "an integer"),
        ("POST", "/books", "text/plain", "{}", 415, "text/plain"),
        ("PUT", "/books", "application/json", "{}", 405, "GET, HEAD, POST, OPTIONS"),
        ("POST", "/books/1", "application/json", "{}", 405, "PUT, PATCH, DELETE"),
        ("PUT", "/books/1", "application/json", #"{"id":2}"#, 409, "does not match the item in the URL"),
        ("PUT", "/books/99", "application/json", "{}", 404, "no such item"),
        ("PATCH", "/books/99", "application/json", "{}", 404, "no such item"),
        ("PATCH", "/books/1", "application/json", "1", 400, "must be a JSON object, got an integer"),
        ("PATCH", "/books/1", "application/json-patch", "{}", 415, "merge-patch"),
        ("DELETE", "/books", "", "", 405, "does not support DELETE"),
    ])
    func refuses(
        _ method: String, _ target: String, _ contentType: String, _ body: String, _ status: Int, _ detail: String
    ) async throws {
        try await MockRun.connected(Self.books) { connection throws in
            let response = try connection.send(
                method, target, headers: contentType.isEmpty ? [] : [("Content-Type", contentType)],
                body: contentType.isEmpty ? nil : body)
            #expect(response.status == status)
            #expect(response.header("content-type") == "application/problem+json")
            #expect(response.json["status"] == .number(JSONNumber(status)))
            #expect(response.json["title"]?.stringValue?.isEmpty == false)
            #expect(response.detail.contains(detail), "\(response.detail)")
            // Nothing has changed.
            #expect(try connection.send("GET", "/books").header("x-total-count") == "3")
        }
    }

    @Test func holdsPreconditions() async throws {
        try await MockRun.connected(Self.books) { connection throws in
            let tag = try #require(try connection.send("GET", "/books/1").header("etag"))
            let unchanged = try connection.send("GET", "/books/1", headers: [("If-None-Match", tag)])
            #expect(unchanged.status == 304)
            #expect(unchanged.body.isEmpty)
            let first = try connection.send(
                "PATCH", "/books/1", json: #"{"price":1}"#, headers: [("If-Match", "\"x\", \(tag)")])
            #expect(first.status == 200)
            for method in ["PATCH", "PUT", "DELETE"] {
                #expect(try connection.send(method, "/books/1", json: "{}", headers: [("If-Match", tag)]).status == 412)
            }
            #expect(try connection.send("GET", "/books/1", headers: [("If-None-Match", tag)]).status == 200)
            #expect(try connection.send("DELETE", "/books/1", headers: [("If-Match", "*")]).status == 204)
        }
    }

    @Test func assignsUUIDs() async throws {
        try await MockRun.connected("collections: { notes: { path: /notes, id: uuid } }") { connection throws in
            let first = try connection.send("POST", "/notes", json: "{}")
            let second = try connection.send("POST", "/notes", json: "{}")
            let identifiers = [first, second].compactMap { $0.json["id"]?.stringValue }
            #expect(Set(identifiers).count == 2)
            for identifier in identifiers {
                let scalars = Array(identifier)
                #expect(scalars.count == 36 && scalars[14] == "4" && "89ab".contains(scalars[19]))
                #expect(try connection.send("GET", "/notes/\(identifier)").status == 200)
            }
            let given = #"{"id":"0b5e4a4e-3f8f-4c1e-9f65-0d7f7a0f0a01"}"#
            #expect(try connection.send("POST", "/notes", json: given).status == 201)
            #expect(try connection.send("POST", "/notes", json: #"{"id":"short"}"#).status == 400)
        }
    }

    @Test func takesTextIdentifiers() async throws {
        let yaml = "collections: { tags: { path: /v1/tags, id: string, key: name, seed: [{ name: sci fi }] } }"
        try await MockRun.connected(yaml) { connection throws in
            #expect(try connection.send("GET", "/v1/tags/sci%20fi").body == #"{"name":"sci fi"}"#)
            let created = try connection.send("POST", "/v1/tags", json: #"{"name":"a/b"}"#)
            #expect(created.header("location") == "/v1/tags/a%2Fb")
            #expect(try connection.send("GET", "/v1/tags/a%2Fb").status == 200)
            #expect(try connection.send("PUT", "/v1/tags/new", json: #"{"rank":1}"#).status == 201)
            #expect(try connection.send("PUT", "/v1/tags/new", json: #"{"rank":2}"#).status == 200)
            #expect(try connection.send("GET", "/v1/tags/new").body == #"{"name":"new","rank":2}"#)
            #expect(try connection.send("POST", "/v1/tags", json: "{}").header("location") == "/v1/tags/1")
        }
    }

    @Test func everyStartBeginsWithTheSeed() async throws {
        for _ in 0..<2 {
            try await MockRun.connected(Self.books) { connection throws in
                let list = try connection.send("GET", "/books")
                #expect(list.header("x-total-count") == "3")
                let deleted = try connection.send("DELETE", "/books/1")
                #expect(deleted.status == 204)
            }
        }
    }

    @Test func staysConsistentUnderConcurrency() async throws {
        try await MockRun.with("collections: { notes: { path: /notes } }") { server async throws in
            let identifiers = try await withThrowingTaskGroup(of: [Int64].self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let connection = try TestConnection(port: server.port)
                        return try (0..<50).compactMap { _ in
                            try connection.send("POST", "/notes", json: "{}").json["id"]?.numberValue?.int64
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(identifiers.sorted() == Array(1...400))
        }
    }

    @Test func answersHeadAndOptions() async throws {
        try await MockRun.connected(Self.books) { connection throws in
            let head = try connection.send("HEAD", "/books/1")
            #expect(head.status == 200)
            #expect(head.header("content-length") == "63")
            let options = try connection.send("OPTIONS", "/books/1")
            #expect(options.status == 204)
            #expect(options.header("allow") == "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
            #expect(try connection.send("GET", "/books/1").status == 200)
        }
    }
}
