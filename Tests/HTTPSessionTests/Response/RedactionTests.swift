import Testing

@testable import HTTPSession

@Suite("Redaction")
struct RedactionTests {
    @Test(
        "Redaction hides the secret in a header field and keeps the structure",
        arguments: [
            ("Authorization", "Bearer abc", "Bearer REDACTED"), ("authorization", "abc", "REDACTED"),
            ("Authorization", "Digest username=\"a\", response=\"b\"", "Digest REDACTED"),
            ("Proxy-Authorization", "Basic YTpi", "Basic REDACTED"), ("Cookie", "a=1; b=2", "a=REDACTED; b=REDACTED"),
            ("Cookie", "bare", "REDACTED"), ("Set-Cookie", "a=1; Path=/; HttpOnly", "a=REDACTED; Path=/; HttpOnly"),
            ("X-API-Key", "abc", "REDACTED"), ("Accept", "text/plain", "text/plain"),
            ("Location", "/next?code=1&token=abc#x", "/next?code=1&token=REDACTED#x"),
            ("Referer", "http://u:p@h/", "http://u:REDACTED@h/"),
        ])
    func fields(name: String, value: String, shown: String) {
        #expect(Redaction.standard.value(value, ofField: name) == shown)
    }

    @Test(
        "Passwords and secret query parameters in URLs are redacted",
        arguments: [
            ("http://h/a?b=c", "http://h/a?b=c"), ("http://u@h/", "http://u@h/"),
            ("http://u:p%40@h:1/x", "http://u:REDACTED@h:1/x"), ("http://h/@:?x=@", "http://h/@:?x=@"),
            ("/a?Access_Token=1&b=2", "/a?Access_Token=REDACTED&b=2"), ("/a?pass%77ord=1", "/a?pass%77ord=REDACTED"),
            ("/a?token", "/a?token"), ("/a?token=", "/a?token=REDACTED"),
            ("a?b=token=1#token=2", "a?b=token=1#token=2"),
        ])
    func urls(text: String, shown: String) {
        #expect(Redaction.standard.url(text) == shown)
    }

    @Test(
        "Secrets in forms and JSON are redacted, and other bodies are left unchanged",
        arguments: [
            ("application/x-www-form-urlencoded", "a=1&client_secret=x", "a=1&client_secret=REDACTED"),
            (
                "application/json; charset=utf-8", #"{"a":[{"Password":"x","n":1.50}],"token":null}"#,
                #"{"a":[{"Password":"REDACTED","n":1.50}],"token":null}"#
            ),
            ("application/problem+json", #"{"secret":{"deep":1}}"#, #"{"secret":"REDACTED"}"#),
            ("application/json", #"{ "a" : 1 }"#, #"{ "a" : 1 }"#), ("application/json", "{\"token\":", "{\"token\":"),
            ("text/plain", "token=1", "token=1"),
        ])
    func bodies(type: String, body: String, shown: String) {
        let hidden = Redaction.standard.body(Array(body.utf8), contentType: type)
        #expect(String(decoding: hidden, as: UTF8.self) == shown)
    }

    @Test("Names can be added, and the standard names can be omitted")
    func names() {
        let redaction = Redaction(fields: ["X-Mine"], parameters: [], replacement: "…").hiding(parameters: ["Key"])
        #expect(redaction.value("a", ofField: "x-mine") == "…")
        #expect(redaction.value("Bearer a", ofField: "Authorization") == "Bearer a")
        #expect(redaction.url("/?key=1&token=2") == "/?key=…&token=2")
    }
}
