import ExchangeFormats
import RunModel
import TestSupport
import Testing

@testable import Reports

struct CurlCommandTests {
    private func exchange(
        _ method: String, _ url: String, _ headers: [(String, String)] = [], _ body: String = "",
        hops: [Exchange.Hop] = []
    ) -> Exchange {
        Exchange(
            request: Exchange.Request(
                method: method, url: url, headers: headers.map { HeaderField(name: $0.0, value: $0.1) },
                body: Array(body.utf8)),
            hops: hops)
    }

    @Test func requests() {
        let url = "http://h/a"
        let json = ("Content-Type", "application/json")
        let hop = Exchange.Hop(status: 302, url: "http://h/old", location: url)
        let seeOther = Exchange.Hop(status: 303, url: "http://h/old", location: url)
        let cases: [(Exchange, String)] = [
            (exchange("GET", url), "curl http://h/a"),
            (exchange("GET", "http://h/a?b=1&c=d e"), "curl 'http://h/a?b=1&c=d e'"),
            (exchange("GET", "http://h/a?b[]={x}"), "curl --globoff 'http://h/a?b[]={x}'"),
            (exchange("GET", "http://h/a/../b"), "curl --path-as-is http://h/a/../b"),
            (exchange("GET", "http://ada:x@h/", [("authorization", "Basic ***")]), "curl http://ada:x@h/"),
            (
                exchange("GET", "http://ada:x@h/", [("Authorization", "Bearer ***")]),
                "curl http://ada:x@h/ -H 'Authorization: Bearer ***'"
            ),
            (exchange("HEAD", url), "curl --head http://h/a"),
            (exchange("DELETE", url), "curl -X DELETE http://h/a"),
            (
                exchange(
                    "GET", url,
                    [
                        ("host", "h"), ("User-Agent", "apitest/1.0"), ("Accept-Encoding", "gzip, deflate"),
                        ("Connection", "keep-alive"), ("Content-Length", "0"), ("Accept", "*/*"),
                    ]), "curl http://h/a"
            ),
            (
                exchange(
                    "GET", url, [("Host", "other"), ("User-Agent", "me"), ("X-Empty", ""), ("Accept-Encoding", "br")]),
                "curl http://h/a -H 'Host: other' -H 'User-Agent: me' -H 'X-Empty;' -H 'Accept-Encoding: br'"
            ),
            (exchange("GET", url, [("Authorization", "Bearer ***")]), "curl http://h/a -H 'Authorization: Bearer ***'"),
            (
                exchange("POST", url, [("Accept", "application/json"), json], #"{"a":"it's"}"#),
                #"curl -X POST http://h/a -H 'Accept: application/json' --json '{"a":"it'\''s"}'"#
            ),
            // --json would add an Accept field if the request has none.
            (
                exchange("PUT", url, [json], "{}"),
                "curl -X PUT http://h/a -H 'Content-Type: application/json' --data-binary '{}'"
            ),
            (
                exchange("POST", url, [("Content-Type", "application/x-www-form-urlencoded")], "a=1&b=2"),
                "curl -X POST http://h/a --data-raw 'a=1&b=2'"
            ),
            (
                exchange("POST", url, [("Content-Type", "text/plain")], "@file"),
                "curl -X POST http://h/a -H 'Content-Type: text/plain' --data-raw @file"
            ),
            (exchange("GET", url, [], "x"), "curl -X GET http://h/a -H 'Content-Type:' --data-binary x"),
            (
                exchange("POST", url, [("Content-Type", "a/b")], "a\n\u{1B}'"),
                #"curl -X POST http://h/a -H 'Content-Type: a/b' --data-binary $'a\n\033\''"#
            ),
            (
                exchange("POST", url, [("Content-Type", "a/b")], "\0%\\'"),
                #"printf '\000%%\\'\''' | curl -X POST http://h/a -H 'Content-Type: a/b' --data-binary @-"#
            ),
            (
                exchange("POST", url, [("Content-Type", "a/b")], String(repeating: "x", count: 20_000)),
                "curl -X POST http://h/a -H 'Content-Type: a/b' --data-binary @request-body"
                    + "  # request-body: a file that contains the body (20 KB)"
            ),
            (
                exchange("GET", url, [("Connection", "Upgrade"), ("Upgrade", "websocket")]),
                "curl http://h/a -H 'Connection: Upgrade' -H 'Upgrade: websocket'"
            ),
            (exchange("GET", url, [("Connection", "close")]), "curl http://h/a"),
            (exchange("GET", url, hops: [hop]), "curl --location http://h/old"),
            (exchange("GET", url, hops: [hop, seeOther]), "curl http://h/a"),
        ]
        for (exchange, expected) in cases { #expect(CurlCommand.text(for: exchange) == expected) }
    }

    /// Every byte except NUL, in an order that makes special characters adjacent, and some single words.
    private static let words: [[UInt8]] =
        [Array(1...255), Array((1...255).reversed()), Array(" !\"#$&'()*;<>?[]\\^`{|}~".utf8)]
        + [
            "", "plain", "-x", "it's", "''", "$HOME `id` $(id)", "a\nb", "\u{1B}1", "渡辺", "'\u{301}; x; '\u{200D}",
            "\\n", "'\u{1}'", "!!",
        ].map {
            Array($0.utf8)
        }

    @Test(arguments: words)
    func aShellReadsWordsAsTheyAre(word: [UInt8]) throws {
        let quoted = ShellDialect.terminal.word(word)
        #expect(quoted.utf8.allSatisfy { $0 >= 0x20 })
        // Not every sh supports $'…'.
        for shell in quoted.hasPrefix("$") ? ["/bin/bash"] : ["/bin/sh", "/bin/bash"] {
            guard let output = try ShellRunner.output(of: "printf '%s|' \(quoted)", shell: shell) else { continue }
            #expect(output == word + [UInt8(ascii: "|")])
        }
    }

    @Test func printfPrintsAnyBytes() throws {
        let texts = [
            Array(UInt8(0)...255) + Array("0%s\\n'".utf8), Array("-n\0".utf8), Array("--\0".utf8), [0x2D, 0x31],
        ]
        for bytes in texts {
            for shell in ["/bin/sh", "/bin/bash", "/bin/zsh"] {
                guard let output = try ShellRunner.output(of: "printf \(ShellDialect.printfWord(bytes))", shell: shell)
                else { continue }
                #expect(output == bytes)
            }
        }
    }

    @Test func forms() {
        var exchange = exchange(
            "POST", "http://h/a", [("Content-Type", "multipart/form-data; boundary=apitest-1")], "--apitest-1…")
        exchange.request.form = [
            FormPart(name: "title", content: .text("Dune; \"1\" @")),
            FormPart(name: "meta", content: .text(#"{"a":"\"}"#), contentType: "application/json"),
            FormPart(name: "cover", content: .file("files/cover.png"), fileName: "cover.png", contentType: "image/png"),
            FormPart(
                name: "note", content: .file("a b"), fileName: "n\"", contentType: "text/plain; charset=utf-8",
                headers: [HeaderField(name: "X-Part", value: "it's")]),
        ]
        let command =
            #"curl -X POST http://h/a --form-string 'title=Dune; "1" @' -F 'meta="{\"a\":\"\\\"}";type=application/json' "#
            + "-F 'cover=@files/cover.png;type=image/png' "
            + #"-F 'note=@"a b";filename="n\"";headers="Content-Type: text/plain; charset=utf-8";headers="X-Part: it'\''s"'"#
        #expect(CurlCommand.text(for: exchange) == command)
        // A body produced while it was sent is unknown, and the command does not need it any more.
        exchange.request.body = []
        exchange.request.streamedSize = 9
        #expect(CurlCommand.text(for: exchange) == command)
        // After a redirect that changed the method to GET.
        exchange.request.streamedSize = nil
        #expect(CurlCommand.text(for: exchange)?.contains("-F") == false)
        // Forms that curl cannot create.
        exchange.request.streamedSize = 9
        exchange.request.form[0].name = "a=b"
        #expect(CurlCommand.text(for: exchange)?.contains("--data-binary @request-body") == true)
    }

    @Test(
        .enabled(if: ServerProcess.find("curl") != nil, "curl is not installed"),
        arguments: [
            "-\0n", "-n\0", "--\0%s\\", "\0", "-", "--", "-x", "@-", "@x\0", "\u{1}it's\n", "<x", "%d\0", "&\0=",
        ])
    func curlSendsTheBody(_ body: String) async throws {
        let server = try #require(
            FaultyServer([.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")]))
        defer { server.shutDown() }
        for type in ["text/plain", "application/json", "application/x-www-form-urlencoded"] {
            let exchange = exchange(
                "POST", "http://127.0.0.1:\(server.port)/", [("Content-Type", type), ("Accept", "a/b")], body)
            let line = try #require(CurlCommand.text(for: exchange))
            _ = try ShellRunner.output(of: line + " -s --max-time 20", shell: "/bin/bash")
            let sent = try #require(server.requestTexts.last)
            #expect(sent.hasSuffix("\r\n\r\n" + body), "\(line)\n\(sent)")
            #expect(sent.lowercased().contains("content-type: \(type)\r\n"), "\(sent)")
        }
        #expect(server.requests.count == 3)
    }
}
