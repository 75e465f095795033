import Glibc
import TestSupport
import Testing

@testable import HTTPSession

/// Tests that an independent program can read the library's HAR files.
@Suite("HAR files read by haralyzer")
struct HARReaderTests {
    /// The Python interpreter with the packages for tests.
    static let python = getenv("APITEST_PYTHON").map { String(cString: $0) }

    private static let script = """
        import json, sys
        from haralyzer import HarEntry, HarParser
        log = json.load(open(sys.argv[1]))
        parser = HarParser(log)
        print(parser.version, parser.creator["name"], len(log["log"]["entries"]))
        for item in log["log"]["entries"]:
            entry = HarEntry(item)
            request, response = entry.request, entry.response
            print(request.method, request.url, request.httpVersion, [p["value"] for p in request.queryString],
                [c["name"] for c in request.cookies], request.headersSize, request.bodySize)
            print(response.status, response.mimeType, response.contentSize, response.text, response.redirectURL or "-",
                response.headersSize, response.bodySize)
            print(entry.startTime.isoformat(), entry.time, sorted(entry.timings), entry.serverAddress)
        """

    /// Runs a shell command and returns its output.
    private static func output(_ arguments: [String]) async throws -> String? {
        let directory = try ScratchDirectory()
        let command = "\"$0\" \"$@\" > '\(directory.file("out"))' 2>&1; touch '\(directory.file("done"))'"
        let process = ServerProcess(["/bin/sh", "-c", command] + arguments)
        let isDone = try await HTTP2Tests.poll { directory.contents("done") != nil }
        withExtendedLifetime(process) {}
        return isDone ? directory.contents("out").map { String(decoding: $0, as: UTF8.self) } : nil
    }

    private static func isThere() async -> Bool {
        guard let python else { return false }
        let answer = try? await output([python, "-c", "import haralyzer; print('yes')"])
        return answer == "yes\n"
    }

    @Test(
        "haralyzer reads a log that contains a redirect",
        .enabled("requires haralyzer in the Python at APITEST_PYTHON") { await isThere() }
    )
    func reading() async throws {
        let python = try #require(Self.python)
        var metrics = ExchangeMetrics()
        metrics.total = .milliseconds(5)
        metrics.bytesSent = 50
        func response(_ url: String, _ status: Int, _ headers: HTTPHeaders, _ text: String) throws -> Response {
            Response(
                head: ResponseHead(status: status, reason: "R", headers: headers), body: Array(text.utf8),
                request: SentRequest(
                    method: .get, url: try HTTPURL(url), headers: ["Cookie": "a=1"], body: .empty),
                metrics: metrics, remoteAddress: "127.0.0.1:80")
        }
        var last = try response("http://h/b?q=x+y", 200, ["Content-Type": "text/plain"], "text")
        last.history = [try response("http://h/a", 302, ["Location": "/b?q=x+y"], "")]
        let log = HARLog(entries: HAREntry.entries(of: last, startedAt: 1_700_000_000))
        let directory = try ScratchDirectory()
        directory.make("log.har", log.serialized())
        let output = try await Self.output([python, "-c", Self.script, directory.file("log.har")])
        #expect(
            output == """
                1.2 HTTPSession 2
                GET http://h/a HTTP/1.1 [] ['a'] 50 0
                302  0  /b?q=x+y 38 0
                2023-11-14T22:13:20+00:00 5 ['blocked', 'connect', 'dns', 'receive', 'send', 'ssl', 'wait'] 127.0.0.1
                GET http://h/b?q=x+y HTTP/1.1 ['x y'] ['a'] 50 0
                200 text/plain 4 text - 44 4
                2023-11-14T22:13:20.005000+00:00 5 ['blocked', 'connect', 'dns', 'receive', 'send', 'ssl', 'wait'] 127.0.0.1

                """)
    }
}
