import JSON
import TestSupport
import Testing

/// Tests that a suite imported from curl command lines sends the same requests as curl itself.
@Suite(.enabled(if: Program.isInstalled("curl"), "curl is not installed"))
struct CurlImportTests {
    /// Command lines, in which `$U` is the URL of the server.
    private static let commands = [
        "curl $U/", "curl -s $U/books/7?page=2", "curl \"$U/a?x=1&y=a%20b&z=\"", "curl -I $U/head",
        "curl -X DELETE $U/books/7", "curl -XPUT $U/x -d ''", "curl -X POST $U/empty",
        "curl $U/form -d a=1 -d 'b=x y'", "curl $U/form -d 'a=1&b=x+y'", "curl $U/form --data-raw '@x=1'",
        "curl $U/json -H 'Content-Type: application/json' -d '{\"a\": [1, 2.50, \"x\"]}'",
        "curl $U/json -d '{\"a\": 1}'",
        "curl $U/json --data-binary $'{\"t\":\\n\"it\\'s\"}' -H 'Content-Type: application/json'",
        "curl $U/text -H 'Content-Type: text/plain' -d 'plain text'", "curl $U/text -H 'Content-Type:' -d 'no type'",
        "curl $U/bytes --data-binary $'\\377\\376\\001' -H 'Content-Type: application/octet-stream'",
        "curl $U/encode --data-urlencode 'q=a b&c=ä' --data-urlencode '=x y' --data-urlencode plain",
        "curl -G $U/search -d q=books --data-urlencode 'who=J. R. R.' -d page=2", "curl -G \"$U/search?a=1\" -d b=2",
        "curl $U/files --data-binary @body.txt", "curl $U/files -d @body.txt",
        "curl $U/files --data-urlencode t@body.txt",
        "curl -T body.txt $U/upload/", "curl -T body.txt $U/upload/other.txt -H 'Content-Type: text/plain'",
        "curl -F name=Dune -F 'note=a b;type=text/x-note' $U/multipart", "curl -F 'cover=@cover.png' $U/multipart",
        "curl -F 'cover=@cover.png;filename=\"b\\\"c.png\";type=image/x-png' $U/multipart",
        "curl -F 'csv=@data.csv' -F 'page=<body.txt' --form-string 'raw=@x;y' $U/multipart",
        "curl -u ada:open-sesame-1 $U/private", "curl http://ada:pass-4711@127.0.0.1:$P/private",
        "curl --oauth2-bearer abc.def-1 $U/private", "curl -H 'Authorization: Bearer abc.def-1' $U/private",
        "curl -H 'Authorization: Basic YWRhOm9wZW4=' $U/private", "curl -H 'Authorization: Token abc def' $U/private",
        "curl -b 'a=1; b=two' $U/cookies", "curl -H 'Cookie: a=1;b=2' $U/cookies", "curl -b a=1 -b b=2 $U/cookies",
        "curl -A 'agent/1' -e 'http://ref/' $U/agent", "curl -H 'User-Agent: own' $U/agent", "curl -r 0-99 $U/range",
        "curl -H 'X-A: 1' -H 'X-A: 2' -H 'X-Empty;' -H 'X-Gone:' $U/headers",
        "curl -H 'X-Dollar: ${HOME_X-d} $$' $U/headers",
        "curl -H \"X-Who: $WHO\" $U/headers", "curl -H 'Accept: application/json' --compressed $U/accept",
        "curl --json '{\"a\":' --json '1}' $U/json", "curl --url-query 'a=b c' --url-query '+d%20e' \"$U/q?x=1\"",
        "curl -sSLk -m 10 --retry 2 --connect-timeout 5 $U/options", "curl --http1.0 $U/old", "curl -0 $U/old",
        "curl $U/a/../b/./c", "curl --path-as-is $U/a/../b", "curl -g \"$U/g?a[]=1&b[x]=2\"",
        "curl \"$U/{one,two}/[1-3]\"",
        "curl $U/first --next -d b=1 $U/second", "curl $U/first $U/second -H 'X-Both: 1'",
        "curl -K config.txt", "curl --resolve example.test:$P:127.0.0.1 http://example.test:$P/resolved",
        "curl --connect-to example.test:80:127.0.0.1:$P http://example.test/connected",
        "curl -H 'Host: other.test' $U/host", "curl -H @headers.txt $U/headers",
        "printf '%s' 'a=1' | curl -d @- $U/stdin", "curl $U/stdin --data-binary @- <<'END'\nline one\nline $two\nEND",
        "curl $U/a#fragment", "curl 127.0.0.1:$P/no-scheme", "curl -x http://127.0.0.1:$P http://proxied.test/path",
        "curl -X PATCH $U/%41%2f?x=%41+b -H 'Content-Type: application/json; charset=utf-8' -d '{\"big\":12345678901234567890}'",
        "curl -d '{\"a\":1,\"a\":2}' -H 'Content-Type: application/json' $U/twice",
        "curl -d '<a/>' -H 'Content-Type: application/xml' $U/xml",
    ]

    @Test func sendsWhatCurlSends() async throws {
        let answer: [FaultyServer.Step] = [
            .receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        ]
        let server = try #require(FaultyServer(answer))
        defer { server.shutDown() }
        let directory = try TemporaryDirectory()
        let files = [
            "body.txt": "line one\nline two\n", "cover.png": "\u{1}PNG", "data.csv": "a,b\n1,2\n",
            "headers.txt": "X-File: 1\nX-Other: two\n",
            "config.txt":
                "# options\nurl = \"http://127.0.0.1:\(server.port)/config\"\nheader = \"X-K: a\\tb\"\n-d x=1\nsilent\n",
        ]
        for (name, text) in files { TestFiles.write(text.utf8, to: directory.path + "/" + name) }
        let prefix = "U=http://127.0.0.1:\(server.port)\nP=\(server.port)\nWHO='Ada L.'\n"
        let script = prefix + Self.commands.joined(separator: "\n") + "\n"
        TestFiles.write(script.utf8, to: directory.path + "/requests.sh")
        let shell = try ProgramRun(
            [
                "/bin/bash", "-c",
                "set -e; curl() { command curl -s --max-time 20 -o /dev/null \"$@\"; }; . ./requests.sh",
            ],
            environment: Program.environment(home: directory.path), directory: directory.path,
            output: directory.path + "/curl")
        #expect(try await shell.wait() == .exit(0), "\(shell.standardError)")
        let sent = server.requests
        try #require(sent.count > Self.commands.count)
        let imported = try await Program.run(["import", "requests.sh", "--strict"], in: directory.path)
        try #require(imported.ending == .exit(0), "\(imported.output)\(imported.error)")
        let secrets = [
            "PASSWORD": "open-sesame-1", "PASSWORD2": "pass-4711", "PASSWORD3": "open", "TOKEN": "abc.def-1",
            "AUTHORIZATION": "abc def", "COOKIE": "a=1;b=2",
        ]
        let run = try await Program.run(
            ["requests.apitest.yaml", "--jobs", "1"], in: directory.path, environment: secrets)
        let suite = TestFiles.text(directory.path + "/requests.apitest.yaml") ?? ""
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)\(suite)")
        let repeated = Array(server.requests.dropFirst(sent.count))
        try #require(repeated.count == sent.count, "\(run.output)\(suite)")
        for (first, second) in zip(sent, repeated) {
            #expect(Message(second) == Message(first), "\(String(decoding: first, as: UTF8.self))")
        }
    }

    /// The parts of a request that an import keeps.
    private struct Message: Equatable {
        var line: String
        /// The header fields in the order of their names, without those that each client chooses.
        var fields: [String]
        var json: JSONValue?
        var body: String

        private static let own: Set<String> = [
            "accept-encoding", "connection", "content-length", "expect", "proxy-connection",
        ]

        init(_ bytes: [UInt8]) {
            let text = String(decoding: bytes, as: UTF8.self)
            let end = text.firstRange(of: "\r\n\r\n") ?? text.endIndex..<text.endIndex
            var lines = text[..<end.lowerBound].split(separator: "\r\n").map(String.init)
            line = lines.removeFirst()
            var boundary: String?
            var type = ""
            fields = lines.compactMap { field in
                let name = field.prefix { $0 != ":" }.lowercased()
                var value = String(field.dropFirst(name.count + 1).drop { $0 == " " })
                if Self.own.contains(name) || name == "accept" && value == "*/*" { return nil }
                if name == "user-agent", value.hasPrefix("curl/") || value.hasPrefix("apitest/") { return nil }
                if name == "content-type" {
                    type = value
                    if let mark = value.firstRange(of: "boundary=") {
                        boundary = String(value[mark.upperBound...])
                        value = String(value[..<mark.lowerBound])
                    }
                }
                return "\(name): \(value)"
            }.sorted()
            body = String(text[end.upperBound...])
            if let boundary { body = body.replacing(boundary, with: "BOUNDARY") }
            // The layout of JSON may differ, but not its value.
            json = type.contains("json") || body.hasPrefix("{") ? try? JSONValue(parsing: body) : nil
            if json != nil, body.ranges(of: "\"a\":").count < 2 { body = "" }
        }
    }
}
