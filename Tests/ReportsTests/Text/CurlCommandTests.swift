import SuiteModel
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
            // Without a field Accept of the request's own, --json would add one.
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
                    + "  # request-body: a file with the body of 20 KB"
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

    /// Every byte but NUL, in an order that puts special characters side by side, and some words by themselves.
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
        let quoted = ShellQuoting.word(word)
        #expect(quoted.utf8.allSatisfy { $0 >= 0x20 })
        // $'…' is not known to every sh.
        for shell in quoted.hasPrefix("$") ? ["/bin/bash"] : ["/bin/sh", "/bin/bash"] {
            guard let output = try ShellRunner.output(of: "printf '%s|' \(quoted)", shell: shell) else { continue }
            #expect(output == word + [UInt8(ascii: "|")])
        }
    }

    @Test func printfPrintsAnyBytes() throws {
        let bytes = Array(UInt8(0)...255) + Array("0%s\\n'".utf8)
        for shell in ["/bin/sh", "/bin/bash"] {
            guard let output = try ShellRunner.output(of: "printf \(ShellQuoting.printfWord(bytes))", shell: shell)
            else { continue }
            #expect(output == bytes)
        }
    }
}
