import Glibc
import JSON
import Reports
import Testing

/// Tests that no output is vulnerable to injection by names, values and responses.
///
/// The values would have an effect in a terminal, in XML, HTML and Markdown, and in the log of a CI service.
@Suite(.serialized)
struct InjectionTests {
    private static let mock = #"""
        routes:
          - request: GET /evil
            respond:
              headers: { X-Evil: "</script><script>alert(2)</script>" }
              text: "\e[31mred\e[0m \e]0;title\a \b\u009b31m \u202Eevil </script><script>alert(1)</script> ]]> <!-- --> &amp; \u0001 \uFFFE \r\n::error file=x::owned\n::set-output name=a::b\n::stop-commands::x\n##[error]owned\n| a | b |\n```\n# heading\n1..7\nnot ok 99 - x\nBail out!\n"
          - request: GET /json
            respond:
              json: { text: "\e[31mred \u0001 </script><script>alert(3)</script> \n::error::owned\u202E", "\e[31mkey</script>": 1 }
          - request: /**
            respond: { json: { url: "${request.url}" } }
        """#

    private static let suite = #"""
        name: "Evil \e[31m</script><script>alert(4)</script> ::error::owned\u202E"
        serve: { mock: api.mock.yaml }
        tests:
          - name: "\e[31mname </script><script>alert(5)</script>\n::error::owned\r\u202E # skip ]]> | a | `b`"
            tags: ["</script><b>"]
            request: GET /evil
            expect: { status: 201, body: "y", headers: { X-Evil: no } }
          - name: json
            request: GET /json
            expect: { json: { $.text: "y" } }
          - name: "skipped </script>\e[31m\n::error::owned"
            skip: "</script><script>alert(6)</script>\e[31m\n::error::owned"
            request: GET /json
          - name: passes
            request: GET /evil
        """#

    private func directory(_ suite: String = suite) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.mock.utf8, to: directory.path + "/api.mock.yaml")
        TestFiles.write(suite.utf8, to: directory.path + "/suite.yaml")
        return directory
    }

    /// Returns the characters that change the display of text or are invalid in XML, except the line feed.
    private func isInert(_ text: String) -> [String] {
        text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0xA: false
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: true
            default: false
            }
        }.map { "U+" + String($0.value, radix: 16) }
    }

    /// Returns the ASCII control characters, except the line feed.
    private func controls(_ text: String) -> [String] {
        text.unicodeScalars.filter { $0.value < 0x20 && $0.value != 0xA || $0.value == 0x7F }.map { "\($0.value)" }
    }

    @Test(arguments: [[], ["-v"], ["-q"]])
    func everyOutput(_ options: [String]) async throws {
        let directory = try directory()
        let formats = ReportRequest.Format.files
        let reports = formats.flatMap { ["--report", "\($0.request)=report.\($0)"] }
        let run = try await Program.run(
            ["suite.yaml", "--report", "github"] + reports + options, in: directory.path,
            environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": directory.path + "/report.summary"])
        #expect(run.ending == .exit(1), "\(run.error)")
        #expect(isInert(run.output).isEmpty, "standard output contains \(isInert(run.output))")
        #expect(isInert(run.error).isEmpty, "standard error contains \(isInert(run.error))")
        let files = formats.map { ("report.\($0)", $0.isReadAsText) } + [("report.summary", true)]
        for (name, isRead) in files {
            let text = try #require(TestFiles.text("\(directory.path)/\(name)"), "\(name) was not written")
            // Machine-readable formats contain characters unchanged or escaped, but never a control character.
            let odd = isRead ? isInert(text) : controls(text)
            #expect(odd.isEmpty, "\(name) contains \(odd)")
        }
        checkCommands(run.output)

        let junit = try JUnitReport(try #require(TestFiles.text(directory.path + "/report.junit")))
        #expect(junit.problems.isEmpty)
        #expect(junit.cases.count == 4)
        // The page contains only its own scripts: no text from a suite or response can end one or start another.
        let html = try #require(TestFiles.text(directory.path + "/report.html"))
        #expect(!html.contains("<script>alert"))
        #expect(!html.contains("</script><b>"))
        let markdown = try #require(TestFiles.text(directory.path + "/report.markdown"))
        checkMarkdown(markdown)
        let tap = try #require(TestFiles.text(directory.path + "/report.tap")).split(separator: "\n")
        #expect(tap.count { $0.hasPrefix("1..") } == 1)
        #expect(tap.count { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") } == 4)
        #expect(!tap.contains { $0.hasPrefix("Bail out!") })
        #expect(tap.first { $0.hasPrefix("not ok 1 ") }?.contains("\\# skip") == true, "the test is not skipped")
        for line in (TestFiles.text(directory.path + "/report.json") ?? "").split(separator: "\n") {
            _ = try JSONValue(parsing: Array(line.utf8))
        }
        for name in ["ctrf", "har"] {
            _ = try JSONValue(parsing: TestFiles.bytes("\(directory.path)/report.\(name)") ?? [])
        }
    }

    /// Checks that lines that GitHub interprets as commands are the reporter's own or follow `::stop-commands::`.
    ///
    /// Leading spaces make no difference. Commands are stopped with a random token.
    private func checkCommands(_ output: String) {
        var token: Substring?
        for line in output.split(separator: "\n") {
            let text = line.drop { $0 == " " }
            if let stopped = token {
                if text == "::\(stopped)::" { token = nil }
                continue
            }
            if text.hasPrefix("::stop-commands::") {
                let value = text.dropFirst(17)
                #expect(value.count == 32 && value.allSatisfy(\.isHexDigit), "\(line)")
                token = value
                continue
            }
            #expect(!text.contains("##["), "\(line)")
            guard text.hasPrefix("::") else { continue }
            let own = ["::error ", "::warning ", "::notice ", "::group::", "::endgroup::"]
            #expect(own.contains { line.hasPrefix($0) }, "\(line)")
            // The rest of the line after the name of a command is its text.
            let mayHold = ["::error file=suite.yaml,line=", "::group::"].contains { line.hasPrefix($0) }
            #expect(!line.contains("::error::owned") || mayHold, "\(line)")
        }
        #expect(token == nil, "commands remain stopped at the end")
    }

    /// Checks that HTML and headings outside of fences are the reporter's own.
    private func checkMarkdown(_ text: String) {
        var fence: Substring?
        for line in text.split(separator: "\n") {
            if let open = fence {
                if line == open { fence = nil }
                continue
            }
            if line.hasPrefix("```") {
                fence = line.prefix { $0 == "`" }
                continue
            }
            let text = withoutCode(line)
            #expect(!text.contains("<script") && !text.contains("</script") && !text.contains("<b>"), "\(line)")
            #expect(line != "# heading" && line != "| a | b |")
        }
        #expect(fence == nil, "a fence is not closed")
    }

    /// Returns a line without its code spans, which end with as many backticks as they start with.
    private func withoutCode(_ line: Substring) -> String {
        var text = ""
        var rest = line
        while let start = rest.firstIndex(of: "`") {
            text += rest[..<start]
            let ticks = rest[start...].prefix { $0 == "`" }
            rest = rest[ticks.endIndex...]
            var next = rest
            while let tick = next.firstIndex(of: "`") {
                let closing = next[tick...].prefix { $0 == "`" }
                next = next[closing.endIndex...]
                if closing.count == ticks.count {
                    rest = next
                    break
                }
            }
        }
        return text + rest
    }

    /// Invalid values in the head of a request are rejected before anything is sent, with inert messages.
    ///
    /// In bodies, queries and credentials, they are encoded.
    @Test func valuesWithLineBreaks() async throws {
        let directory = try directory(
            #"""
            name: Values
            serve: { mock: api.mock.yaml }
            variables:
              crlf: "a\r\nX-Injected: yes\r\n\r\nGET /second HTTP/1.1"
              nul: "a\0b"
            tests:
              - { name: a header, request: { url: /x, headers: { X-A: "${crlf}" } } }
              - { name: a header with NUL, request: { url: /x, headers: { X-A: "${nul}" } } }
              - { name: a path, request: { url: "/x/${crlf}" } }
              - { name: a host, request: { url: "http://${crlf}/" } }
              - { name: a cookie, request: { url: /x, cookies: { a: "${crlf}" } } }
              - { name: a content type, request: { url: /x, method: POST, text: a, contentType: "${crlf}" } }
              - { name: a user, request: { url: /x, auth: { basic: { username: "${crlf}", password: pass } } } }
              - { name: a token, request: { url: /x, auth: { bearer: "t${crlf}" } } }
              - name: a query, which is encoded
                request: { url: /x, query: { "a${crlf}": "${crlf}" } }
                expect: { json: { $.url: { contains: "%0D%0AX-Injected" } } }
              - name: a form, which is encoded
                request: { url: /x, method: POST, form: { "a${crlf}": "${crlf}" } }
                expect: 200
            """#)
        let run = try await Program.run(["suite.yaml", "--report", "json:exchanges=run.jsonl"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.error)")
        #expect(isInert(run.output).isEmpty, "standard output contains \(isInert(run.output))")
        #expect(ConsoleSummary(run.output)?.outcomes == ["passed": 2, "errored": 8], "\(run.output)")
        for problem in [
            "the value of the header X-A contains a line break or NUL",
            "the value of the header Cookie contains a line break",
            "the value of the header Content-Type contains a line break", "the URL has a carriage return",
            "the user name must not contain a colon or a control character",
            "the value of the header Authorization contains a line break",
        ] {
            #expect(run.output.contains(problem), "\(problem): \(run.output)")
        }
    }
}
