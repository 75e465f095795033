import Testing

@testable import HTTPSession

@Suite("Proxy settings")
struct ProxyPolicyTests {
    @Test(
        "Proxy URLs are parsed",
        arguments: [
            ("http://proxy.example:3128", Proxy(.http, host: "proxy.example", port: 3128)),
            ("proxy.example:3128", Proxy(.http, host: "proxy.example", port: 3128)),
            ("proxy.example", Proxy(.http, host: "proxy.example", port: 1080)),
            ("HTTP://Proxy.Example:80/", Proxy(.http, host: "proxy.example", port: 80)),
            ("https://proxy.example", Proxy(.https, host: "proxy.example", port: 443)),
            ("https://proxy.example:80", Proxy(.https, host: "proxy.example", port: 80)),
            ("https://proxy.example:8443", Proxy(.https, host: "proxy.example", port: 8443)),
            ("socks5://127.0.0.1", Proxy(.socks5, host: "127.0.0.1", port: 1080)),
            ("socks5h://[::1]:9050", Proxy(.socks5h, host: "::1", port: 9050)),
            ("http://user:p%40ss%3a@h:1", Proxy(.http, host: "h", port: 1, username: "user", password: "p@ss:")),
            ("user@h:1", Proxy(.http, host: "h", port: 1, username: "user")),
            ("http://a:b:c@h:1", Proxy(.http, host: "h", port: 1, username: "a", password: "b:c")),
        ])
    func urls(text: String, proxy: Proxy) throws {
        #expect(try Proxy(text) == proxy)
    }

    @Test(
        "Invalid proxy URLs are rejected",
        arguments: [
            ("socks4://h", "has the unsupported scheme \"socks4\"; expected http://, https://, socks5://, socks5h://"),
            ("ftp://h", "has the unsupported scheme \"ftp\""), ("http://", "is not valid"), ("", "is not valid"),
            ("http://h:99999", "is not valid"), ("http://h:1/path", "has a path"), ("http://h h", "is not valid"),
        ])
    func invalid(text: String, words: String) {
        let error = #expect(throws: ConnectionSettingError.self) { try Proxy(text) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        let secret = #expect(throws: ConnectionSettingError.self) { try Proxy("socks4://user:secret@h") }
        #expect(secret?.message.contains("secret") == false)
    }

    @Test(
        "Exceptions match by curl's rules",
        arguments: [
            ("example.org", "http://example.org/", true), ("example.org", "http://www.example.org/", true),
            (".example.org", "http://example.org/", true), (".example.org", "http://a.b.example.org/", true),
            ("*.example.org", "http://www.example.org/", true),
            ("example.org", "http://badexample.org/", false), ("example.org", "http://example.org.evil/", false),
            ("EXAMPLE.org.", "http://example.ORG/", true), ("example.org", "http://example.org./", true),
            ("other,example.org", "http://example.org/", true), ("other example.org", "http://example.org/", true),
            ("*", "http://anything/", true), ("", "http://example.org/", false), (",", "http://example.org/", false),
            ("example.org:8080", "http://example.org:8080/", true),
            ("example.org:8080", "http://example.org/", false), ("example.org:80", "http://example.org/", true),
            ("127.0.0.1", "http://127.0.0.1/", true), ("127.0.0.1", "http://127.0.0.2/", false),
            ("127.0.0.1:81", "http://127.0.0.1:81/", true), ("127.0.0.1:81", "http://127.0.0.1:82/", false),
            ("10.0.0.0/8", "http://10.255.1.2/", true), ("10.0.0.0/8", "http://11.0.0.1/", false),
            ("192.168.4.0/22", "http://192.168.7.255/", true), ("192.168.4.0/22", "http://192.168.8.0/", false),
            ("0.0.0.0/0", "http://8.8.8.8/", true), ("0.0.0.0/0", "http://[::1]/", false),
            ("::1", "http://[::1]/", true), ("[::1]", "http://[0:0::1]/", true),
            ("[::1]:8080", "http://[::1]:8080/", true), ("[::1]:8080", "http://[::1]/", false),
            ("2001:db8::/32", "http://[2001:db8:1::2]/", true), ("2001:db8::/32", "http://[2001:db9::]/", false),
            ("0.0.1", "http://127.0.0.1/", false), ("localhost", "http://127.0.0.1/", false),
        ])
    func exceptions(list: String, url: String, isException: Bool) throws {
        let proxy = Proxy(.http, host: "proxy", port: 1)
        let policy = ProxyPolicy.proxy(proxy, except: ProxyPolicy.exceptions(in: list))
        #expect(policy.proxy(for: try HTTPURL(url)) == (isException ? nil : proxy))
    }

    @Test("Proxies are read from environment variables")
    func environment() throws {
        let plain = try HTTPURL("http://example.org/")
        let secure = try HTTPURL("https://example.org/")
        func proxies(_ variables: [String: String]) throws -> [String?] {
            let policy = try ProxyPolicy.environment(variables)
            return [policy.proxy(for: plain)?.description, policy.proxy(for: secure)?.description]
        }
        #expect(try proxies([:]) == [nil, nil])
        #expect(try proxies(["http_proxy": "http://a:1"]) == ["http://a:1", nil])
        #expect(try proxies(["HTTP_PROXY": "http://a:1"]) == ["http://a:1", nil])
        #expect(try proxies(["http_proxy": "b:2", "HTTP_PROXY": "http://a:1"]) == ["http://b:2", nil])
        // In a CGI program, the client sets it with a header.
        #expect(try proxies(["HTTP_PROXY": "http://a:1", "REQUEST_METHOD": "GET"]) == [nil, nil])
        #expect(try proxies(["https_proxy": "b:2"]) == [nil, "http://b:2"])
        #expect(try proxies(["HTTPS_PROXY": "b:2"]) == [nil, "http://b:2"])
        #expect(try proxies(["https_proxy": "b:2", "HTTPS_PROXY": "c:3"]) == [nil, "http://b:2"])
        #expect(try proxies(["ALL_PROXY": "socks5h://d:4"]) == ["socks5h://d:4", "socks5h://d:4"])
        #expect(try proxies(["all_proxy": "d:4", "http_proxy": "a:1"]) == ["http://a:1", "http://d:4"])
        #expect(try proxies(["all_proxy": "d:4", "no_proxy": "example.org"]) == [nil, nil])
        #expect(try proxies(["all_proxy": "d:4", "NO_PROXY": "other, *"]) == [nil, nil])
        #expect(try proxies(["http_proxy": "", "all_proxy": "d:4"]) == ["http://d:4", "http://d:4"])
        let error = #expect(throws: ConnectionSettingError.self) {
            try ProxyPolicy.environment(["https_proxy": "gopher://x"])
        }
        #expect(error?.message.hasPrefix("the environment variable https_proxy: the proxy \"gopher://x\"") == true)
    }

    @Test(
        "Address overrides are parsed",
        arguments: [
            ("example.org:443:127.0.0.1", "example.org", 443, "127.0.0.1"),
            ("Example.org:*:[::1]", "example.org", nil, "::1"), ("*:80:::1", "*", 80, "::1"),
            ("+h:80:127.0.0.1:8080", "h", 80, "127.0.0.1:8080"), ("h:80:[::1]:8080", "h", 80, "::1:8080"),
            ("h:80:::1,127.0.0.1", "h", 80, "::1 127.0.0.1"), ("[::1]:80:127.0.0.1", "::1", 80, "127.0.0.1"),
            ("h:80:fe80::1%eth0", "h", 80, "fe80::1%eth0"),
        ] as [(String, String, Int?, String)])
    func overrides(text: String, host: String, port: Int?, addresses: String) throws {
        let override = try ResolveOverride(text)
        #expect(override.host == host)
        #expect(override.port == port)
        let all = override.addresses.map { $0.ip + ($0.port.map { ":\($0)" } ?? "") }
        #expect(all.joined(separator: " ") == addresses)
    }

    @Test(
        "Invalid address overrides are rejected",
        arguments: [
            "", "h", "h:80", "h:80:", "h:0:127.0.0.1", "h:x:127.0.0.1", ":80:127.0.0.1", "h:80:name", "h:80:1.2.3.4:0",
        ]
    )
    func invalidOverrides(text: String) {
        #expect(throws: ConnectionSettingError.self) { try ResolveOverride(text) }
    }
}
