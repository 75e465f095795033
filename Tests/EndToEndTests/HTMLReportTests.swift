import Testing

/// Tests of the HTML report in a real browser.
///
/// With `APITEST_SCREENSHOTS` in the environment, screenshots are written to that directory.
@Suite(
    .serialized,
    .enabled(
        if: Program.isInstalled("chromium") && Program.isInstalled("python3"),
        "chromium and python3 are required to check HTML reports"))
struct HTMLReportTests {
    @Test(.timeLimit(.minutes(5)))
    func inABrowser() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.suite.utf8, to: directory.path + "/rich.yaml")
        let long = (0..<200).map { "line \($0)" }.joined(separator: "\\n")
        TestFiles.write(
            Self.mock.split(separator: "LONG").joined(separator: long).utf8, to: directory.path + "/api.mock.yaml")
        TestFiles.write(Self.bigSuite.utf8, to: directory.path + "/big.yaml")
        // The second run has a history to compare with.
        for _ in 0..<2 {
            let rich = try await Program.run(
                ["rich.yaml", "--report", "html", "--history", "runs"], in: directory.path)
            #expect(rich.ending == .exit(1), "\(rich.output)\(rich.error)")
        }
        let big = try await Program.run(["big.yaml", "--report", "html=big.html", "-q"], in: directory.path)
        #expect(big.ending == .exit(1), "\(big.error)")

        var arguments = [
            "/usr/bin/env", "python3", TestFiles.target + "/HTMLReport/check.py", directory.path + "/report.html",
            directory.path + "/big.html",
        ]
        if let screenshots = Program.environmentVariable("APITEST_SCREENSHOTS") { arguments.append(screenshots) }
        let environment = Program.environment(home: directory.path, adding: ["PYTHONDONTWRITEBYTECODE": "1"])
        let run = try ProgramRun(
            arguments, environment: environment, directory: directory.path, output: directory.path + "/check")
        defer { run.killSession() }
        let ending = try await run.wait(within: .seconds(180))
        #expect(ending == .exit(0), "\(run.standardOutput)\(run.standardError)")
        print(run.standardOutput.split(separator: "\n").filter { !$0.hasPrefix("ok") }.joined(separator: "\n"))
    }

    private static let suite = #"""
        name: Bookshop
        serve: { mock: api.mock.yaml }
        tests:
          - name: the shop is open
            tags: [smoke]
            request: GET /health

          - name: hostile body
            tags: [hostile, slow]
            request: GET /hostile
            expect: { status: 201 }

          - name: add a book
            id: add
            tags: [books]
            request: { method: POST, url: /books, json: { title: Dune } }
            expect:
              status: 201
              json:
                $.title: Dune
                $.authors: [{ first: Frank, last: Herbert }, { first: Brian, last: Herbert }]

          - name: order and pay
            tags: [books]
            steps:
              - { name: look, request: GET /books, expect: { status: 200 } }
              - { name: order, request: GET /missing, expect: { status: 200 } }
              - { name: pay, request: GET /books, expect: { status: 200 } }

          - name: wakes up
            retry: { times: 1, delay: 10ms }
            request: GET /sleepy
            expect: { status: 200 }

          - name: read it back
            needs: add
            request: GET /books

          - name: nobody listens
            request: GET http://127.0.0.1:1/

          - name: spelling
            request: GET /words
            expect: { status: 201 }

          - name: long body
            request: GET /long
            expect: { status: 201 }

          - name: sends it in steps
            steps:
              - { request: GET /health }
              - { name: never, if: 1 == 2, request: GET /books }

          - name: not on this machine
            skip: not on this machine
            request: GET /books

        """#

    private static let mock = #"""
        routes:
          - request: GET /health
            respond: { json: { ok: true } }
          - request: GET /hostile
            respond:
              headers: { Content-Type: text/html }
              text: "\e[31mred\e[0m </script><script>window.x=1</script><img src=x onerror=window.x=2> \u202Etxt"
          - request: GET /words
            respond: { text: "\u0645\u06CC\u200C\u062E\u0648 \u0915\u094D\u200D\u0937 \U0001F468\u200D\U0001F469 ad\u200Dmin" }
          - request: GET /long
            respond: { text: "LONG" }
          - request: POST /books
            respond: { json: { title: 42, authors: [{ first: Frank, last: H. }], price: 12.50 } }
          - request: GET /books
            respond: { json: [{ title: Dune }], delay: 30ms }
          - request: GET /sleepy
            respond: { sequence: [{ status: 503 }, { status: 200, text: awake }] }

        """#

    /// A suite of tests that are skipped, or fail immediately because nothing listens.
    private static let bigSuite = """
        name: Many
        tests:
          - name: number
            tags: [many]
            skip: so many
            request: GET http://127.0.0.1:1/
            repeat: 10000
          - name: number 77 fails
            request: GET http://127.0.0.1:1/
            repeat: 20

        """
}
