import TestSupport
import Testing

@testable import HTTPSession

@Suite("Cookie files")
struct CookieFileTests {
    private static let all = [
        Cookie(
            name: "sid", value: "\"a b\"", domain: "h.example", isHostOnly: false, path: "/x", expires: 4_000_000_000,
            isSecure: true, isHTTPOnly: true, sameSite: "Lax"),
        Cookie(name: "plain", value: "", domain: "127.0.0.1"),
        Cookie(name: "ümlaut", value: "=", domain: "::1", path: "/"),
    ]

    private static func jar(_ cookies: [Cookie] = all) -> CookieJar {
        let jar = CookieJar(now: { 1_000_000 })
        for cookie in cookies { jar.set(cookie) }
        return jar
    }

    @Test(
        "JSON files preserve all attributes of a cookie, and cookies.txt files all except SameSite",
        arguments: [CookieFileFormat.json, .netscape])
    func roundTrip(_ format: CookieFileFormat) async throws {
        let directory = try ScratchDirectory()
        let path = directory.file("jar")
        directory.make("jar", Array("what was there".utf8))
        try await Self.jar().save(to: path, format: format)
        #expect(directory.names == ["jar"])
        let other = CookieJar(now: { 1_000_000 })
        let count = try await other.load(from: path)
        #expect(count == 3)
        var expected = Self.all
        if format == .netscape { expected[0].sameSite = nil }
        #expect(other.cookies == expected)
    }

    @Test("Session cookies can be excluded, and expired cookies are excluded")
    func selection() throws {
        let jar = Self.jar()
        let text = jar.text(.netscape, includingSessionCookies: false)
        #expect(
            text
                == "# Netscape HTTP Cookie File\n\n#HttpOnly_.h.example\tTRUE\t/x\tTRUE\t4000000000\tsid\t\"a b\"\n")
        let later = CookieJar(now: { 5_000_000_000 })
        #expect(try later.add(jar.text()) == 3)
        #expect(later.cookies.map(\.name) == ["plain", "ümlaut"])
    }

    @Test("Cookie files written by curl are read")
    func curl() throws {
        let jar = CookieJar(now: { 0 })
        let text = """
            # Netscape HTTP Cookie File
            # https://curl.se/docs/http-cookies.html

            #HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\ta\t1
            .h.example\tTRUE\t/p\tTRUE\t99\tb\t
            h.example\tFALSE\t/\tFALSE\t99\tc
            """
        #expect(try jar.add(text) == 3)
        #expect(
            jar.cookies == [
                Cookie(name: "a", value: "1", domain: "127.0.0.1", isHTTPOnly: true),
                Cookie(
                    name: "b", value: "", domain: "h.example", isHostOnly: false, path: "/p", expires: 99,
                    isSecure: true),
                Cookie(name: "c", value: "", domain: "h.example", expires: 99),
            ])
    }

    @Test("Delimiters are recognized before combining characters, and only line feeds end lines")
    func odd() throws {
        let jar = CookieJar(now: { 0 })
        let url = try HTTPURL("http://h.example/")
        jar.store(
            ["Set-Cookie": "e=\u{301}x", "Set-Cookie": "f=1;\u{301} ; Path=/", "Set-Cookie": "g=\u{85}\u{2028}"],
            from: url)
        let expected = ["\u{301}x", "1", "\u{85}\u{2028}"]
        #expect(jar.cookies.map(\.value) == expected)
        let other = CookieJar(now: { 0 })
        try other.add(jar.text(.netscape).split(separator: "\n").joined(separator: "\r\n"))
        #expect(other.cookies.map(\.value) == expected)
    }

    @Test(
        "curl sends cookies from a saved file", .enabled(if: ServerProcess.find("curl") != nil, "curl is not installed")
    )
    func curlReads() async throws {
        let server = try #require(FaultyServer([.receive, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]))
        defer { server.shutDown() }
        let directory = try ScratchDirectory()
        let jar = CookieJar()
        jar.set(Cookie(name: "a", value: "1", domain: "127.0.0.1"))
        jar.set(Cookie(name: "b", value: "2", domain: "127.0.0.1", path: "/p", expires: 4_000_000_000))
        jar.set(Cookie(name: "c", value: "3", domain: "other.example"))
        try await jar.save(to: directory.file("cookies.txt"), format: .netscape)
        let curl = ServerProcess(["curl", "-s", "-b", directory.file("cookies.txt"), server.url + "p/x"])
        await server.waitForRequests(1)
        withExtendedLifetime(curl) {}
        #expect(server.requestTexts.first?.contains("Cookie: b=2; a=1\r\n") == true)
    }

    @Test(
        "Invalid cookie files are reported and add no cookies",
        arguments: [
            ("{", "line 1: "), ("{}", "missing array"), (#"[{"name":"a"}]"#, "cookie 1 must have"),
            (#"[{"name":"a","value":"b;c","domain":"h","path":"/"}]"#, "cookie 1"),
            (#"[{"name":"a","value":"b","domain":"h","path":"/","expires":"soon"}]"#, "cookie 1"),
            ("# comment\nh.example\tTRUE\t/\n", "line 2 must have"),
            ("a\tFALSE\t/\tFALSE\t0\tn\tv\nb\tFALSE\tx\tFALSE\t0\tn\tv", "line 2"),
        ])
    func mistakes(text: String, message: String) {
        let jar = CookieJar()
        let error = #expect(throws: CookieFileError.self) { try jar.add(text) }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        #expect(jar.cookies.isEmpty)
    }

    @Test("Errors for unreadable and unwritable files include the path")
    func failures() async throws {
        let directory = try ScratchDirectory()
        let path = directory.file("none/jar")
        let reading = await #expect(throws: CookieFileError.self) { try await CookieJar().load(from: path) }
        #expect(reading?.message.contains(path) == true)
        let writing = await #expect(throws: CookieFileError.self) { try await CookieJar().save(to: path) }
        #expect(writing?.description.contains(path) == true)
    }
}
