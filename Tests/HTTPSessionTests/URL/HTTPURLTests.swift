import Testing

@testable import HTTPSession

@Suite("URLs")
struct HTTPURLTests {
    @Test(
        "An absolute URL is normalized",
        arguments: [
            ("http://example.org", "http://example.org/"),
            ("HTTP://Example.ORG:80/A", "http://example.org/A"),
            ("https://example.org:443/", "https://example.org/"),
            ("http://example.org:8080?x=1", "http://example.org:8080/?x=1"),
            ("http://example.org:", "http://example.org/"),
            ("http://h/a b", "http://h/a%20b"),
            ("http://h/%41%zz%", "http://h/%41%25zz%25"),
            ("http://h/\"<>\\^`{|}", "http://h/%22%3C%3E%5C%5E%60%7B%7C%7D"),
            ("http://h/é?q=ü b&r='x'", "http://h/%C3%A9?q=%C3%BC%20b&r='x'"),
            ("http://h/?filter[name]=a/b?c", "http://h/?filter[name]=a/b?c"),
            ("http://h/a/./b/../c", "http://h/a/./b/../c"),
            ("http://h/../..", "http://h/../.."),
            ("http://h/a/..", "http://h/a/.."),
            ("http://h/a/b/.", "http://h/a/b/."),
            ("http://h/.hidden/..x", "http://h/.hidden/..x"),
            ("http://h//a//b/", "http://h//a//b/"),
            ("http://h/x#frag ment", "http://h/x#frag%20ment"),
            ("http://h/?", "http://h/?"),
            ("http://u:p%40w@h/", "http://u:p%40w@h/"),
            ("http://[::1]:8080/", "http://[::1]:8080/"),
            ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
            ("http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/"),
            ("http://my_host.local/", "http://my_host.local/"),
            ("https://u:p@[::1]:65535/x?y#z", "https://u:p@[::1]:65535/x?y#z"),
            ("http://h:0/", "http://h:0/"),
            ("http://h:09/", "http://h:9/"),
            ("http://h:10/", "http://h:10/"),
            ("http://h:443/", "http://h:443/"),
            ("https://h:80/", "https://h:80/"),
            ("http://h:1000/", "http://h:1000/"),
            ("http://h:10000/", "http://h:10000/"),
        ])
    func parses(text: String, expected: String) throws {
        #expect(try HTTPURL(text).description == expected)
    }

    /// An uppercase scheme takes the general code path, a lowercase one the fast path for common URLs.
    @Test(
        "The fast path for common URLs agrees with the general path",
        arguments: [
            "h", "h/", "h:80/", "h:0/", "h:/", "h:65535/", "h:65536/", "h:000080/", "h:0000080/", "h:8x/", "h:+8/",
            "/x",
            "", "H/x", "my_host~.local/", "h%41/", "a b/", "h/a/./b/../c", "h/.", "h/a.b/c..d", "h/x?",
            "h/x?a=b?c/../d",
            "h/x?a b", "h/x#f", "h/x?q#f", "h/%41", "h/[1]", "h/\u{e9}", "h/x?\u{e9}", "u@h/", "u:p@h/x", "h/a@b:c",
            "[::1]/",
            "[::1]:8/x", "h/\r\n", "h\n/", "h/\0", "h?x", "h#x", "127.0.0.1:56285/items/1",
        ], [(nil, false), (nil, true), ("http://base.example/a/b", false), ("http://base.example/a/b", true)])
    func shortWay(rest: String, way: (base: String?, verbatim: Bool)) throws {
        let (base, verbatim) = way
        func make(_ text: String) -> Result<HTTPURL, HTTPURLError> {
            Result { () throws(HTTPURLError) in
                guard let base else { return try HTTPURL(text, verbatim: verbatim) }
                return try HTTPURL(base).resolving(text, verbatim: verbatim)
            }
        }
        for (usual, other) in [("http", "HTTP"), ("https", "HTTPS")] {
            switch (make("\(usual)://\(rest)"), make("\(other)://\(rest)")) {
            case (.success(let short), .success(let long)): #expect(short == long)
            case (.failure(let short), .failure(let long)): #expect(short.message == long.message)
            case (let short, let long): Issue.record("\(short) and \(long) differ")
            }
        }
    }

    @Test(
        "Invalid URLs are rejected with the reason",
        arguments: [
            ("", "relative"), ("books/7", "relative"), ("//host/x", "relative"),
            ("ftp://h/", "unsupported scheme \"ftp\""),
            ("mailto:a@b", "\"mailto\""), ("localhost:8080/x", "\"localhost\""), ("http:/x", "no host"),
            ("http://", "no host"), ("http://:80/", "no host"), ("http://h:x/", "port \"x\""),
            ("http://h:65536/", "port \"65536\""), ("http://h:99999999999999999999/", "port"),
            ("http://a b/", "invalid character \" \""), ("http://bücher.example/", "xn--"),
            ("http://[::1/", "without \"]\""),
            ("http://[1.2.3.4]/", "not an IPv6"), ("http://[::1]x/", "only a port"), ("http://h/a\r\nb", "carriage"),
            ("http://h/a\nb", "line feed"), ("http://h/\0", "NUL"), ("http://h%41/", "invalid character \"%\""),
        ])
    func refuses(text: String, reason: String) {
        do throws(HTTPURLError) {
            let url = try HTTPURL(text)
            Issue.record("expected an error for \(text), got \(url)")
        } catch {
            #expect(error.message.contains(reason), "\(error.message)")
        }
    }

    /// The examples of RFC 3986, section 5.4, with an http base URL.
    @Test(
        "References are resolved according to RFC 3986",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
            ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("https://other/x", "https://other/x"),
            ("a b", "http://a/b/c/a%20b"),
        ])
    func resolves(reference: String, expected: String) throws {
        let base = try HTTPURL("http://a/b/c/d;p?q")
        #expect(try base.resolving(reference).description == expected)
    }

    @Test(
        "The path of a base URL is treated as a directory",
        arguments: [
            ("http://h/v1", "http://h/v1/books"), ("http://h/v1/", "http://h/v1/books"), ("http://h", "http://h/books"),
        ])
    func baseRule(base: String, expected: String) throws {
        #expect(try HTTPURL(base).asDirectory.resolving("books").description == expected)
    }

    @Test("A URL is split into its components")
    func parts() throws {
        let url = try HTTPURL("https://me@[::1]:8443/a/b?c=d#e")
        #expect(url.isSecure)
        #expect(url.userInfo == "me")
        #expect(url.host == "::1")
        #expect(url.port == 8443)
        #expect(url.authority == "[::1]:8443")
        #expect(url.path == "/a/b")
        #expect(url.query == "c=d")
        #expect(url.fragment == "e")
        #expect(url.target == "/a/b?c=d")
    }

    @Test("A verbatim URL keeps its bytes")
    func verbatim() throws {
        #expect(try HTTPURL("http://h/a b/../%zz?\"", verbatim: true).target == "/a b/../%zz?\"")
    }
}
