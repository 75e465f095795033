import Testing

@testable import HTTPSession

@Suite("Authentication challenges")
struct AuthenticationChallengeTests {
    /// Field values, and the challenges in them in the format "scheme token68 [name=value …]".
    static let table: [([String], [String])] = [
        ([#"Basic realm="simple""#], ["Basic [realm=simple]"]),
        (["Negotiate"], ["Negotiate"]),
        (["Negotiate YIICBg+/._~-=="], ["Negotiate YIICBg+/._~-=="]),
        (["Basic realm=simple"], ["Basic [realm=simple]"]),
        ([#"bAsIc REALM = "a b""#], ["bAsIc [REALM=a b]"]),
        (
            [#"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#],
            [#"Newauth [realm=apps type=1 title=Login to "apps"]"#, "Basic [realm=simple]"]
        ),
        (
            [#"Digest realm="a, b=c", nonce="x==", qop="auth,auth-int""#, #"Basic realm="z""#],
            ["Digest [realm=a, b=c nonce=x== qop=auth,auth-int]", "Basic [realm=z]"]
        ),
        (["Negotiate abc==, Digest a=b , Basic"], ["Negotiate abc==", "Digest [a=b]", "Basic"]),
        (["NTLM, Negotiate"], ["NTLM", "Negotiate"]),
        ([", ,Basic realm=a,, charset=UTF-8,,"], ["Basic [realm=a charset=UTF-8]"]),
        (
            [#"Bearer error="invalid_token",error_description="The \\ token""#],
            [#"Bearer [error=invalid_token error_description=The \ token]"#]
        ),
        (["Digest realm=\"\u{FC}\""], ["Digest [realm=\u{FC}]"]),
        ([#"Basic realm="never ends, Digest nonce=x"#], ["Basic [realm=never ends, Digest nonce=x]"]),
        ([#"Basic realm=a b, Digest nonce="x""#], ["Basic [realm=a]", "Digest [nonce=x]"]),
        (["Basic realm="], ["Basic realm="]),
        (["Basic a==b"], ["Basic [a==b]"]),
        (["", " ", ",", "\"", "=x", "a=b", "(", "Digest \""], ["Digest"]),
        (["\"quoted, Basic\", Digest nonce=n"], ["Digest [nonce=n]"]),
    ]

    @Test("Header field values are parsed into challenges", arguments: table)
    func parse(values: [String], expected: [String]) {
        let found = AuthenticationChallenge.parse(values).map { challenge in
            var text = challenge.scheme
            if let data = challenge.token68 { text += " " + data }
            if !challenge.parameters.isEmpty {
                text += " [" + challenge.parameters.map { $0.name + "=" + $0.value }.joined(separator: " ") + "]"
            }
            return text
        }
        #expect(found == expected)
    }

    @Test("A response exposes the server's challenges, or the proxy's if the status is 407")
    func response() throws {
        let headers: HTTPHeaders = ["WWW-Authenticate": "Basic realm=a", "proxy-authenticate": "Digest realm=b"]
        let request = SentRequest(method: .get, url: try HTTPURL("http://a/"), headers: [:], body: .empty)
        let server = Response(head: .init(status: 401, headers: headers), request: request)
        let proxy = Response(head: .init(status: 407, headers: headers), request: request)
        #expect(server.challenges.map(\.realm) == ["a"])
        #expect(proxy.challenges.map(\.realm) == ["b"])
        #expect(server.challenges.first?["REALM"] == "a")
        #expect(server.challenges.first?.isScheme("BASIC") == true)
    }
}
