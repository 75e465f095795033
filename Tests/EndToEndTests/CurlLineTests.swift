import Glibc
import TestSupport
import Testing

/// Tests that the curl command lines of failures, run by a shell, send the same requests as the suite.
@Suite(.enabled(if: Program.isInstalled("curl"), "curl is not installed"))
struct CurlLineTests {
    @Test(arguments: [
        "multipart: { title: 'it''s; \"x\"', cover: { file: files/small.bin }, meta: { json: { a: [1] } } }",
        "multipart: { title: a, cover: { file: files/large.bin, filename: 'b\"c', type: image/png } }",
        "multipart: { n: { text: 'a\\b', type: 'text/x; charset=utf-8', headers: { Content-Language: de } } }",
        "base64: LTEAMg==",
    ])
    func bodies(_ body: String) async throws {
        let answer: [FaultyServer.Step] = [
            .receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        ]
        let server = try #require(FaultyServer(answer))
        defer { server.shutDown() }
        let directory = try TemporaryDirectory()
        mkdir(directory.path + "/api", 0o755)
        mkdir(directory.path + "/api/files", 0o755)
        TestFiles.write([0, 45, 255, 13, 10], to: directory.path + "/api/files/small.bin")
        TestFiles.write([UInt8](repeating: 0, count: 100_000), to: directory.path + "/api/files/large.bin")
        TestFiles.write(
            """
            name: Bodies
            baseURL: http://127.0.0.1:\(server.port)
            tests:
              - name: sends
                request: { method: POST, url: /, \(body) }
                expect: { status: 201 }
            """.utf8, to: directory.path + "/api/suite.yaml")
        let run = try await Program.run(["api/suite.yaml"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let line = try #require(
            run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
                .first { $0.hasPrefix("curl ") || $0.hasPrefix("printf ") }, "\(run.output)")
        #expect(line.contains(" -F ") == body.contains("multipart"), "\(line)")
        let shell = try ProgramRun(
            ["/bin/bash", "-c", line + " -s --max-time 30"], environment: Program.environment(home: directory.path),
            directory: directory.path, output: directory.path + "/curl")
        #expect(try await shell.wait() == .exit(0), "\(line): \(shell.standardError)")
        try #require(server.requests.count == 2)
        let bodies = server.requests.map(Self.body)
        #expect(bodies[0] == bodies[1], "\(line)")
        // The line can be imported as well.
        TestFiles.write((line + "\n").utf8, to: directory.path + "/line.sh")
        let imported = try await Program.run(["import", "line.sh", "--strict"], in: directory.path)
        #expect(imported.ending == .exit(0), "\(line)\n\(imported.error)")
        let repetition = try await Program.run(["line.apitest.yaml"], in: directory.path)
        #expect(repetition.ending == .exit(0), "\(repetition.output)\(repetition.error)")
        try #require(server.requests.count == 3)
        #expect(Self.body(server.requests[2]) == bodies[0], "\(line)")
    }

    /// Returns the body of a request, with all boundaries replaced by the same word.
    private static func body(_ request: [UInt8]) -> String {
        let text = String(decoding: request, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return text }
        let head = text[..<end.lowerBound]
        let body = text[end.upperBound...]
        guard let mark = head.firstRange(of: "boundary=") else { return String(body) }
        let boundary = head[mark.upperBound...].prefix { $0 != "\r\n" && $0 != "\r" }
        // curl sends the Content-Type of a part before its other header fields.
        let language = "Content-Language: de\r\n"
        let type = "Content-Type: text/x; charset=utf-8\r\n"
        return String(body).replacing(boundary, with: "BOUNDARY").replacing(language + type, with: type + language)
    }
}
