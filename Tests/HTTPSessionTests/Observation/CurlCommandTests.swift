import TestSupport
import Testing

@testable import HTTPSession

@Suite("curl commands")
struct CurlCommandTests {
    private static func sent(
        _ method: HTTPMethod = .get, _ url: String = "http://h/a", _ headers: HTTPHeaders = [:],
        _ body: RequestBody = .empty
    ) throws -> SentRequest {
        var all: HTTPHeaders = ["User-Agent": "x", "Accept": "*/*"]
        for field in headers { all.append(name: field.name, value: field.value) }
        return SentRequest(method: method, url: try HTTPURL(url), headers: all, body: body)
    }

    struct Case: Sendable {
        var method: HTTPMethod = .get
        var url = "http://h/a"
        var headers: HTTPHeaders = [:]
        var body = RequestBody.empty
        var command: String
    }

    static let cases: [Case] = [
        Case(command: "curl http://h/a -H 'User-Agent: x'"),
        Case(method: .head, command: "curl http://h/a --head -H 'User-Agent: x'"),
        Case(method: .delete, command: "curl http://h/a -X DELETE -H 'User-Agent: x'"),
        Case(
            url: "http://h/a?x=[1]&it's#part",
            command: "curl --globoff 'http://h/a?x=[1]&it'\\''s' -H 'User-Agent: x'"),
        Case(
            method: .post, headers: ["Content-Type": "text/plain", "Content-Length": "3"], body: .text("@it's\n"),
            command: "curl http://h/a --data-raw '@it'\\''s\n' -H 'User-Agent: x' -H 'Content-Type: text/plain'"),
        Case(
            method: .post, headers: ["Content-Type": "text/plain"], body: .text("'\u{301}; true; '\u{200D}"),
            command: "curl http://h/a --data-raw ''\\''\u{301}; true; '\\''\u{200D}' -H 'User-Agent: x' "
                + "-H 'Content-Type: text/plain'"),
        Case(method: .post, command: "curl http://h/a --data-raw '' -H 'User-Agent: x' -H Content-Type:"),
        Case(
            method: .put, body: .bytes([0, 255]),
            command: "printf %s AP8= | base64 -d | curl http://h/a -X PUT --data-binary @- -H 'User-Agent: x' "
                + "-H Content-Type:"),
        Case(
            method: .put, headers: ["Content-Type": "image/png"], body: .file(path: "/tmp/a b"),
            command: "curl http://h/a -X PUT --data-binary '@/tmp/a b' -H 'User-Agent: x' -H 'Content-Type: image/png'"),
        Case(
            url: "http://h/a?token=t",
            headers: ["Authorization": "Bearer t", "X-Empty": "", "Accept-Encoding": "gzip, deflate", "Host": "h"],
            command: "curl 'http://h/a?token=REDACTED' -H 'User-Agent: x' -H 'Authorization: Bearer REDACTED' "
                + "-H 'X-Empty;' --compressed"),
        Case(
            method: .post, headers: ["Content-Type": "application/json"], body: .text(#"{"password":"p"}"#),
            command: "curl http://h/a --data-raw '{\"password\":\"REDACTED\"}' -H 'User-Agent: x' "
                + "-H 'Content-Type: application/json'"),
    ]

    @Test("The method, URL, headers, and body are quoted for a shell, and secrets are redacted", arguments: cases)
    func commands(_ example: Case) throws {
        let request = try Self.sent(example.method, example.url, example.headers, example.body)
        #expect(request.curlCommand().text == example.command)
    }

    @Test("Without redaction all values are included, and curl's default headers are removed")
    func plain() throws {
        let request = SentRequest(
            method: .get, url: try HTTPURL("http://h/"), headers: ["Authorization": "Bearer t"], body: .empty)
        #expect(
            request.curlCommand(redaction: nil).multilineText
                == "curl \\\n  http://h/ \\\n  -H 'Authorization: Bearer t' \\\n  -H Accept: \\\n  -H User-Agent:")
    }

    @Test("A comment describes a body that is too large or streamed")
    func notes() throws {
        let large = try Self.sent(.post, body: .bytes([UInt8](repeating: 65, count: 70_000))).curlCommand()
        #expect(large.text.contains("--data-binary @request-body"))
        #expect(large.text.hasSuffix("  # request-body is a file with the body of 70000 bytes"))
        let source = BodySource(isReplayable: false) { { nil } }
        let streamed = try Self.sent(.post, body: .stream(source)).curlCommand()
        #expect(streamed.text.contains("--data-binary @-"))
        #expect(streamed.notes.count == 1)
    }

    private static func sent(_ method: HTTPMethod, body: RequestBody) throws -> SentRequest {
        try sent(method, "http://h/a", [:], body)
    }

    private static func options(_ url: String, _ change: (inout ConnectionOptions) throws -> Void) throws -> CurlCommand
    {
        var connection = ConnectionOptions()
        try change(&connection)
        return try sent(.get, url).curlCommand(connection: connection)
    }

    @Test("HTTP versions, sockets, addresses, and proxies are converted to curl options")
    func connections() throws {
        let end = " -H 'User-Agent: x'"
        #expect(
            try Self.options("http://h/") { $0.version = .http2 }.text == "curl http://h/\(end) --http2-prior-knowledge"
        )
        #expect(try Self.options("https://h/") { $0.version = .http2 }.text == "curl https://h/\(end) --http2")
        #expect(try Self.options("http://h/") { $0.version = .http11 }.text == "curl http://h/\(end) --http1.1")
        #expect(
            try Self.options("http://h/") { $0.unixSocket = "/run/a b" }.text
                == "curl http://h/\(end) --unix-socket '/run/a b'")
        #expect(
            try Self.options("https://h/") { $0.resolve = [try ResolveOverride("h:443:127.0.0.1,::1")] }.text
                == "curl https://h/\(end) --resolve 'h:443:127.0.0.1,[::1]'")
        #expect(
            try Self.options("https://h/") { $0.resolve = [try ResolveOverride("h:443:127.0.0.1:8443")] }.text
                == "curl https://h/\(end) --connect-to h:443:127.0.0.1:8443")
        #expect(
            try Self.options("http://h/") { $0.proxy = .proxy(try Proxy("socks5h://u:p@proxy:1080")) }.text
                == "curl http://h/\(end) --proxy socks5h://proxy:1080 --proxy-user u:REDACTED")
        #expect(
            try Self.options("https://h/") { options in
                var proxy = Proxy(.https, host: "proxy", port: 443)
                proxy.tls.trust = .authorities(["proxy.pem"])
                options.proxy = .proxy(proxy)
            }.text == "curl https://h/\(end) --proxy https://proxy:443 --proxy-cacert proxy.pem")
    }

    @Test("TLS settings are converted to curl options, and unsupported settings become comments")
    func tls() throws {
        let end = " -H 'User-Agent: x'"
        #expect(try Self.options("https://h/") { $0.tls.trust = .insecure }.text == "curl https://h/\(end) --insecure")
        #expect(try Self.options("http://h/") { $0.tls.trust = .insecure }.text == "curl http://h/\(end)")
        #expect(
            try Self.options("https://h/") {
                $0.tls.trust = .perHost(["h": .authorities(["ca.pem"])], otherwise: .system)
            }
            .text == "curl https://h/\(end) --cacert ca.pem")
        let pin = PublicKeyPin(subjectPublicKeyInfo: [1])
        #expect(
            try Self.options("https://h/") { $0.tls.trust = .authorities(["ca.pem"]).pinning(keys: [pin], at: .leaf) }
                .text
                == "curl https://h/\(end) --cacert ca.pem --pinnedpubkey sha256//\(pin.description.dropFirst(7))")
        let mutual = try Self.options("https://h/") {
            $0.tls.identity = ClientIdentity(certificate: "c.pem", key: "k.pem", passphrase: "p")
            $0.tls.minimumVersion = .tls12
            $0.tls.maximumVersion = .tls13
        }
        #expect(
            mutual.text
                == "curl https://h/\(end) --cert c.pem --key k.pem --pass REDACTED --tlsv1.2 --tls-max 1.3")
        let named = try Self.options("https://h/") { $0.tls.serverName = "other" }
        #expect(named.notes == ["the TLS server name was other, which curl cannot send"])
    }

    @Test("A pending request is converted with the session's settings")
    func pending() throws {
        let configuration = SessionConfiguration(
            baseURL: "http://h/v1", headers: ["X-Session": "s"], cookies: CookieJar())
        configuration.cookies?.set(Cookie(name: "sid", value: "secret", domain: "h"))
        let session = Session(configuration: configuration, transport: ScriptedTransport())
        let command = try session.get("books", query: ["q": "a b"]).with { $0.timeouts = .total(.milliseconds(1500)) }
            .curlCommand()
        #expect(
            command.text
                == "curl 'http://h/v1/books?q=a%20b' -H 'X-Session: s' -H 'User-Agent: HTTPSession' "
                + "-H 'Cookie: sid=REDACTED' --compressed --location --max-redirs 10 --connect-timeout 1.500 "
                + "--max-time 1.500")
        #expect(throws: SessionError.self) { try session.get("http://[").curlCommand() }
    }

    @Test(
        "curl sends the same request as the session",
        .enabled(if: ServerProcess.find("curl") != nil, "curl is not installed"),
        arguments: [
            RequestBody.empty, .text("'\u{301}; exit; '\u{301}"), .text("it's\n\"$HOME\" `x` \\ @"),
            .bytes([0, 1, 255, 10]),
        ])
    func execution(_ body: RequestBody) async throws {
        let script: [FaultyServer.Step] = [
            .receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        ]
        try await ExchangeTests.with(FaultyServer(script, script)) { server, session in
            let headers: HTTPHeaders = ["X-Text": "it's $HOME", "Content-Type": "text/x", "Accept": "text/plain"]
            let response = try await session.post(server.url + "a?b={c}", headers: headers, body: body).response()
            let shell = ServerProcess(["/bin/sh", "-c", response.curlCommand().text])
            let isSent = try await HTTP2Tests.poll { server.requests.count == 2 }
            withExtendedLifetime(shell) {}
            try #require(isSent)
            let requests = server.requests.map(Self.message)
            #expect(requests[0].line == requests[1].line)
            #expect(requests[0].body == requests[1].body)
            for name in ["x-text", "content-type", "accept", "user-agent"] {
                #expect(requests[0].fields[name] == requests[1].fields[name], "\(name)")
            }
        }
    }

    @Test(
        "curl sends the same multipart form as the session",
        .enabled(if: ServerProcess.find("curl") != nil, "curl is not installed"), arguments: [true, false])
    func forms(isInMemory: Bool) async throws {
        let script: [FaultyServer.Step] = [
            .receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        ]
        var form = MultipartFormData()
        form.append("it's; \"1\" @\r\n", name: "title")
        form.append("hidden", name: "password")
        form.append(Array(#"{"a":"\"}"#.utf8), name: "me\"ta", contentType: "application/json")
        form.append(Array("<x".utf8), name: "note", fileName: "a\"b.txt", contentType: "text/plain; charset=utf-8")
        form.append(
            MultipartPart(name: "more", contentType: "a/b", headers: ["X-Part": "1;2"], body: .bytes([])))
        if !isInMemory { form.append(file: #filePath, name: "file") }
        try await ExchangeTests.with(FaultyServer(script, script)) { server, session in
            let response = try await session.post(server.url + "a", multipart: form).response()
            let hidden = response.curlCommand().text
            #expect(hidden.contains("--form-string password=REDACTED"), "\(hidden)")
            #expect(!hidden.contains("hidden"))
            let command = response.curlCommand(redaction: nil).text
            #expect(command.contains("--form-string") && command.contains("-F 'note="), "\(command)")
            #expect(command.contains("-F 'file=@") != isInMemory)
            let shell = ServerProcess(["/bin/sh", "-c", command])
            let isSent = try await HTTP2Tests.poll { server.requests.count == 2 }
            withExtendedLifetime(shell) {}
            try #require(isSent)
            let bodies = server.requests.map { request -> String in
                let (_, fields, body) = Self.message(request)
                let boundary = fields["content-type"]?.split(separator: "boundary=").last ?? "none"
                // curl sends the Content-Type of a part before its other header fields.
                return String(decoding: body, as: UTF8.self).replacing(boundary, with: "BOUNDARY")
                    .replacing("X-Part: 1;2\r\nContent-Type: a/b\r\n", with: "Content-Type: a/b\r\nX-Part: 1;2\r\n")
            }
            #expect(bodies[0].hasPrefix("--BOUNDARY\r\n"))
            #expect(bodies[0] == bodies[1])
        }
    }

    /// Returns the request line, fields and body of a request received by a server.
    private static func message(_ bytes: [UInt8]) -> (line: String, fields: [String: String], body: [UInt8]) {
        let end = bytes.indices.first { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) } ?? bytes.endIndex
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...])
        }
        return (String(lines.first ?? ""), fields, Array(bytes[end...].dropFirst(4)))
    }
}
