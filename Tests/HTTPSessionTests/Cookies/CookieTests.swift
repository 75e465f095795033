import Testing

@testable import HTTPSession

@Suite("Cookies")
struct CookieTests {
    @Test(
        "Cookie dates are parsed in the formats that servers use",
        arguments: [
            ("Wed, 09 Jun 2021 10:18:14 GMT", Int64(1_623_233_894)), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("01 Jan 1970 00:00:00", 0), ("1-january-70 0:0:0", 0),
            ("29 Feb 2024 23:59:59", 1_709_251_199), ("Thu, 01-Jan-1601 00:00:00", -11_644_473_600),
        ])
    func dates(text: String, expected: Int64) {
        #expect(CookieDate.parse(text) == expected)
    }

    @Test(
        "Invalid cookie dates are rejected",
        arguments: [
            "", "tomorrow", "29 Feb 2023 00:00:00", "32 Jan 2024 00:00:00", "1 Jan 2024 24:00:00",
            "1 Jan 1600 00:00:00",
            "Jan 2024 00:00:00",
        ])
    func noDates(text: String) {
        #expect(CookieDate.parse(text) == nil)
    }

    /// A Set-Cookie value, the URL of the response, another URL, and the Cookie value sent there.
    @Test(
        "Cookies are sent only to matching URLs",
        arguments: [
            ("a=b", "http://h.example/x/y", "http://h.example/x/z", "a=b"),
            ("a=b", "http://h.example/x/y", "http://h.example/", nil),
            ("a=b; Path=/", "http://h.example/x/y", "http://h.example/", "a=b"),
            ("a=b; path=rel", "http://h.example/x/y", "http://h.example/x", "a=b"),
            ("a=b; Path=/x", "http://h.example/", "http://h.example/xy", nil),
            ("a=b; Path=/x", "http://h.example/", "http://h.example/x/y", "a=b"),
            ("a=b", "http://h.example/", "http://sub.h.example/", nil),
            ("a=b; Domain=h.example", "http://h.example/", "http://sub.h.example/", "a=b"),
            ("a=b; Domain=.H.EXAMPLE", "http://www.h.example/", "http://h.example/", "a=b"),
            ("a=b; Domain=other.example", "http://h.example/", "http://other.example/", nil),
            ("a=b; Domain=example", "http://h.example/", "http://x.example/", nil),
            ("a=b; Domain=ample.org", "http://ex.ample.org/", "http://sample.org/", nil),
            ("a=b; Domain=localhost", "http://localhost/", "http://localhost:8080/", "a=b"),
            ("a=b; Domain=127.0.0.1", "http://127.0.0.1/", "http://127.0.0.1/", "a=b"),
            ("a=b; Domain=0.0.1", "http://127.0.0.1/", "http://127.0.0.1/", nil),
            ("a=b; Secure", "https://h.example/", "http://h.example/", nil),
            ("a=b; Secure", "https://h.example/", "https://h.example/", "a=b"),
            ("a=b; HttpOnly; SameSite=Lax", "http://h.example/", "http://h.example/", "a=b"),
            ("a=b; Max-Age=10", "http://h.example/", "http://h.example/", "a=b"),
            ("a=b; Max-Age=0", "http://h.example/", "http://h.example/", nil),
            ("a=b; Max-Age=-5", "http://h.example/", "http://h.example/", nil),
            ("a=b; Max-Age=x", "http://h.example/", "http://h.example/", "a=b"),
            ("a=b; Max-Age=99999999999999999999", "http://h.example/", "http://h.example/", "a=b"),
            ("a=b; Expires=Thu, 01 Jan 1970 00:00:01 GMT", "http://h.example/", "http://h.example/", nil),
            ("a=b; Max-Age=5; Expires=Thu, 01 Jan 1970 00:00:01 GMT", "http://h.example/", "http://h.example/", "a=b"),
            ("a=\"q; r\"; x", "http://h.example/", "http://h.example/", "a=\"q"),
            (" a = b c ;", "http://h.example/", "http://h.example/", "a=b c"),
            ("a=b=c", "http://h.example/", "http://h.example/", "a=b=c"),
            ("a=", "http://h.example/", "http://h.example/", "a="),
            ("=b", "http://h.example/", "http://h.example/", nil),
            ("ab", "http://h.example/", "http://h.example/", nil),
        ] as [(String, String, String, String?)])
    func scope(setCookie: String, from: String, to: String, expected: String?) throws {
        let jar = CookieJar(now: { 1_000_000 })
        jar.store(["Set-Cookie": setCookie], from: try HTTPURL(from))
        #expect(jar.header(for: try HTTPURL(to)) == expected)
    }

    @Test("Cookies are ordered by path length and then by age, and a new cookie replaces the old one in place")
    func order() throws {
        let jar = CookieJar(now: { 0 })
        let url = try HTTPURL("http://h.example/a/b/c")
        jar.store(
            ["Set-Cookie": "x=1; Path=/", "set-cookie": "y=2; Path=/a/b", "Set-Cookie": "z=3; Path=/"], from: url)
        jar.store(["Set-Cookie": "x=4; Path=/"], from: url)
        #expect(jar.header(for: url) == "y=2; x=4; z=3")
        #expect(jar.header(for: url, own: "x=own; w=5") == "x=own; w=5; y=2; z=3")
        let all = CookieSelection(repeatsNames: true)
        #expect(jar.header(for: url, own: "x=own; w=5", selection: all) == "y=2; x=4; z=3; x=own; w=5")
        #expect(jar.header(for: url, selection: CookieSelection(withheld: ["x", "w"])) == "y=2; z=3")
        #expect(jar.header(for: url, selection: CookieSelection(withheld: ["x", "y", "z"])) == nil)
        let none = CookieSelection(sendsStored: false)
        #expect(jar.header(for: url, selection: none) == nil)
        #expect(jar.header(for: url, own: "x=own", selection: none) == "x=own")
        #expect(jar.cookie(named: "y")?.path == "/a/b")
        jar.store(["Set-Cookie": "x=; Path=/; Max-Age=0"], from: url)
        #expect(jar.cookies.map(\.name) == ["y", "z"])
        jar.remove(named: "y")
        jar.removeAll()
        #expect(jar.cookies.isEmpty)
    }
}
