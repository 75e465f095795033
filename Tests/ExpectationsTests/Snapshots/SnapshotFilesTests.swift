import JSON
import Testing

@testable import Expectations

struct SnapshotFilesTests {
    private static let digest = String(repeating: "0a", count: 32)

    @Test(arguments: [
        (
            Snapshot(status: 200, contentType: "application/json", content: .json(["b": [1, 2], "a": "x\n"])),
            "{\n  \"status\": 200,\n  \"contentType\": \"application/json\",\n  \"body\": {\n    \"b\": [\n      1,\n"
                + "      2\n    ],\n    \"a\": \"x\\n\"\n  }\n}\n"
        ),
        (
            Snapshot(status: 200, contentType: nil, content: .json(.null)),
            "{\n  \"status\": 200,\n  \"body\": null\n}\n"
        ),
        (
            Snapshot(status: 200, contentType: "text/event-stream", content: .events([["data": 1]])),
            "{\n  \"status\": 200,\n  \"contentType\": \"text/event-stream\",\n  \"events\": [\n    {\n      \"data\": 1\n"
                + "    }\n  ]\n}\n"
        ),
        (Snapshot(status: 204, contentType: nil, content: .none), "status: 204\n"),
        (
            Snapshot(status: 200, contentType: "text/plain; charset=utf-8", content: .text("a: b\n\nc")),
            "status: 200\ncontentType: text/plain; charset=utf-8\n\na: b\n\nc\n"
        ),
        (Snapshot(status: 200, contentType: nil, content: .text("")), "status: 200\n\n\n"),
        (
            Snapshot(status: 200, contentType: "image/png", content: .binary(size: 16, sha256: digest)),
            "status: 200\ncontentType: image/png\nsize: 16\nsha256: \(digest)\n"
        ),
    ])
    func writesAndReads(_ snapshot: Snapshot, _ text: String) throws {
        let bytes = snapshot.serialized()
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        #expect(try Snapshot(parsing: bytes, fileExtension: snapshot.fileExtension) == snapshot)
    }

    @Test(arguments: [
        ("status: 200\r\ncontentType: text/plain\r\n\r\na\r\nb\r\n", "a\nb"),
        ("status: 200\ncontentType: text/plain\n\na\nb", "a\nb"),
        ("status:200\ncontentType:text/plain\n\na\nb\n", "a\nb"),
    ])
    func editorsMayChangeLineEnds(_ text: String, _ body: String) throws {
        let snapshot = try Snapshot(parsing: Array(text.utf8), fileExtension: "snap.txt")
        #expect(snapshot == Snapshot(status: 200, contentType: "text/plain", content: .text(body)))
    }

    @Test(
        arguments: [
            ("snap.json", "", "it is not JSON: expected a value, found the end of the text", 1),
            ("snap.json", "[]", "it is not an object", 1),
            ("snap.json", "{}", #"missing "status" or "body""#, 1),
            ("snap.json", #"{"status": 200}"#, #"missing "status" or "body""#, 1),
            ("snap.json", #"{"status": 2.5, "body": 1}"#, "the status is not an integer", 1),
            ("snap.json", #"{"status": 200, "body": 1, "x": 1}"#, #"unknown member "x""#, 1),
            ("snap.json", "{\n\"status\": 200,\n<<<<<<< HEAD", nil, 3),
            ("snap.txt", "", #"missing line "status: …""#, 1),
            ("snap.txt", "contentType: a/b\n\nx", #"missing line "status: …""#, 1),
            ("snap.txt", "status: ok\n", "the status is not an integer", 1),
            ("snap.txt", "status: 200\n[1]\n", #"expected a line such as "status: 200""#, 2),
            ("snap.txt", "status: 200\nx: 1\n", #"unknown key "x""#, 2),
        ] as [(String, String, String?, Int)])
    func refuses(_ fileExtension: String, _ text: String, _ message: String?, _ line: Int) {
        do {
            _ = try Snapshot(parsing: Array(text.utf8), fileExtension: fileExtension)
            Issue.record("expected an error")
        } catch {
            if let message { #expect(error.message == message) }
            #expect(error.line == line)
        }
    }

    @Test(
        arguments: [
            ([], 1), ([.name("status")], 2), ([.name("body")], 3), ([.name("body"), .name("a")], 4),
            ([.name("body"), .name("a"), .index(1)], 6), ([.name("body"), .name("a"), .index(2)], 7),
            ([.name("body"), .name("a"), .index(9)], 4), ([.name("body"), .name("b }\"")], 9),
            ([.name("body"), .name("b }\""), .name("c")], 9), ([.name("body"), .name("none")], 3),
            ([.name("status"), .name("x")], 2), ([.name("last")], 11),
        ] as [([NormalizedPath.Step], Int)])
    func linesOfValues(_ path: [NormalizedPath.Step], _ line: Int) {
        let text = """
            {
              "status": 200,
              "body": {
                "a": [
                  "x, ] \\"",
                  { "c": [1, 2] },
                  null
                ],
                "b }\\"": { "c": -1.5 }
              },
              "last": 1
            }
            """
        #expect(JSONLines(Array(text.utf8)).line(of: path) == line)
    }
}
