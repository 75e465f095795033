import Synchronization
import Testing

@testable import HTTPSession

@Suite("Cookie storage rules")
struct CookieRuleTests {
    /// A Set-Cookie value, the URL of the response, and whether the cookie is stored.
    @Test(
        "Cookies that violate a rule are not stored",
        arguments: [
            ("__Secure-a=b; Secure", "https://h.example/", true), ("__Secure-a=b", "https://h.example/", false),
            ("__Secure-a=b; Secure", "http://h.example/", false),
            ("__Host-a=b; Secure; Path=/", "https://h.example/", true),
            ("__host-a=b; Secure; Path=/x", "https://h.example/", false),
            ("__Host-a=b; Secure", "https://h.example/", false),
            ("__Host-a=b; Secure; Path=/; Domain=h.example", "https://h.example/", false),
            ("a=b; Secure", "https://h.example/", true), ("a=b; Secure", "http://h.example/", false),
            ("a=\u{301}x", "http://h.example/", true), ("a=b;\u{301}; Path=/", "http://h.example/", true),
            ("a=b\u{1}", "http://h.example/", false), ("a=b\tc", "http://h.example/", true),
            ("a=" + String(repeating: "x", count: 4095), "http://h.example/", true),
            ("a=" + String(repeating: "x", count: 4096), "http://h.example/", false),
            ("a=b; Domain=other.example; Domain=h.example", "http://h.example/", true),
            ("a=b; Domain=h.example; Domain=other.example", "http://h.example/", false),
            ("a=b; Domain=h.example; Domain=", "http://h.example/", true),
            ("a=b; Domain=com", "http://h.com/", false), ("a=b; Domain=localhost", "http://localhost/", true),
        ])
    func rules(setCookie: String, from: String, isKept: Bool) throws {
        let jar = CookieJar(now: { 0 })
        jar.store(["Set-Cookie": setCookie], from: try HTTPURL(from))
        #expect(jar.cookies.count == (isKept ? 1 : 0))
    }

    @Test("A cookie set over HTTP does not replace a Secure cookie")
    func secureStays() throws {
        let jar = CookieJar(now: { 0 })
        jar.store(["Set-Cookie": "a=secret; Secure; Path=/p"], from: try HTTPURL("https://h.example/p"))
        jar.store(["Set-Cookie": "a=forged; Path=/p/q"], from: try HTTPURL("http://h.example/"))
        jar.store(["Set-Cookie": "a=forged; Path=/p; Domain=h.example"], from: try HTTPURL("http://w.h.example/"))
        jar.store(["Set-Cookie": "a=other; Path=/"], from: try HTTPURL("http://h.example/"))
        #expect(jar.cookies.map(\.value) == ["secret", "other"])
        jar.store(["Set-Cookie": "a=new; Secure; Path=/p"], from: try HTTPURL("https://h.example/p"))
        #expect(jar.cookies.map(\.value) == ["new", "other"])
    }

    @Test("Expired cookies are hidden and are removed on request")
    func purge() {
        let clock = Reference()
        let jar = CookieJar(now: { clock.value })
        for (name, expires) in [("a", Int64(10)), ("b", 20)] {
            jar.set(Cookie(name: name, value: "", domain: "h", expires: expires))
        }
        jar.set(Cookie(name: "c", value: "", domain: "h"))
        clock.value = 10
        #expect(jar.cookies.map(\.name) == ["b", "c"])
        #expect(jar.removeExpired() == 1)
        #expect(jar.removeExpired() == 0)
        #expect(jar.removeSessionCookies() == 1)
        #expect(jar.remove { $0.domain == "h" } == 1)
        #expect(jar.cookies.isEmpty)
    }

    private final class Reference: Sendable {
        private let time = Mutex<Int64>(0)
        var value: Int64 {
            get { time.withLock { $0 } }
            set { time.withLock { $0 = newValue } }
        }
    }
}
