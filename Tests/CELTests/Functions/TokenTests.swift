import CSignatures
import JSON
import Testing

@testable import CEL

@Suite struct TokenTests {
    /// Whether RSA and ECDSA are linked, as they are with all modules of the package.
    static let hasSignatures = {
        let bytes: [UInt8] = [0]
        return csg_verify(CSG_RSA, bytes, 1, bytes, 1, bytes, 1) != CSG_UNAVAILABLE
    }()

    private static let claims = #"{"sub": "ada", "exp": 4102444800}"#

    private static let keys = [
        ("RS256", TokenSamples.rsaPrivate, TokenSamples.rsaPublic),
        ("RS384", TokenSamples.rsaPrivate, TokenSamples.rsaPublic),
        ("RS512", TokenSamples.rsaPrivate, TokenSamples.rsaPublic),
        ("ES256", TokenSamples.p256Private, TokenSamples.p256Public),
        ("ES384", TokenSamples.p384Private, TokenSamples.p384Public),
        ("ES512", TokenSamples.p521Private, TokenSamples.p521Public),
    ]

    private func variables(_ name: String, private key: String = "", public publicKey: String = "") -> CELVariables {
        [
            "token": .string(TokenSamples.tokens[name] ?? ""), "key": .string(key), "public": .string(publicKey),
            "alg": .string(name),
        ]
    }

    // MARK: Shared secrets

    @Test(arguments: ["HS256", "HS384", "HS512"])
    func secrets(_ name: String) {
        let variables = variables(name)
        #expect(shown("jwt.verify(token, 'secret')", variables) == Self.claims)
        #expect(shown("jwt.verify(token, b'secret', alg)", variables) == Self.claims)
        #expect(shown("jwt.sign(\(Self.claims), 'secret', alg) == token", variables) == "true")
        #expect(
            shown("jwt.verify(token, 'Secret')", variables).hasSuffix(
                "jwt.verify(): the signature of the token does not match the key"))
    }

    /// RFC 7515, appendix A.1.
    @Test func publishedExample() {
        let token =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let key =
            "base64url.decode('AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow')"
        var context = CELContext.fixed
        #expect(
            shown("jwt.verify('\(token)', \(key))", context: context).hasSuffix(
                "jwt.verify(): the token expired at 2011-03-22T18:43:00Z (exp)"))
        context.clock = { CELTimestamp("2011-03-22T18:42:59Z") ?? .epoch }
        #expect(
            shown("jwt.verify('\(token)', \(key))", context: context)
                == #"{"iss": "joe", "exp": 1300819380, "http://example.com/is_root": true}"#)
    }

    @Test func headerAndTimes() {
        let sign =
            #"jwt.decode(jwt.sign({"exp": now() + duration("1h"), "n": 1.50}, "k", {"alg": "HS512", "kid": "a"}))"#
        #expect(shown(sign + ".header") == #"{"alg": "HS512", "typ": "JWT", "kid": "a"}"#)
        #expect(shown(sign + ".claims") == #"{"exp": 1769866496, "n": 1.5}"#)
        #expect(shown("size(" + sign + ".signature)") == "64")
        #expect(shown(#"jwt.decode(jwt.sign({}, "k")).header"#) == #"{"alg": "HS256", "typ": "JWT"}"#)
        #expect(
            shown(#"jwt.decode(jwt.sign(json.parse("{\"n\": 1.50}"), "k")).claims"#) == #"{"n": 1.50}"#)
    }

    // MARK: Key pairs

    @Test(.enabled(if: TokenTests.hasSignatures, "NIOSSL is not linked"), arguments: keys)
    func keyPairs(_ name: String, _ key: String, _ publicKey: String) {
        let variables = variables(name, private: key, public: publicKey)
        #expect(shown("jwt.verify(token, public)", variables) == Self.claims)
        #expect(shown("jwt.verify(token, key, alg)", variables) == Self.claims)
        #expect(shown("jwt.verify(token, bytes(public))", variables) == Self.claims)
        #expect(
            shown("jwt.verify(jwt.sign(\(Self.claims), key, alg), public, {'alg': alg})", variables) == Self.claims)
        #expect(
            shown("jwt.verify(token.substring(0, size(token) - 8) + 'AAAAAAAA', public)", variables).hasSuffix(
                "jwt.verify(): the signature of the token does not match the key"))
        #expect(
            shown("jwt.verify(token.split('.')[0] + '.' + token.split('.')[1] + '.AA', public)", variables)
                .hasSuffix("does not match the key"))
    }

    @Test(.enabled(if: TokenTests.hasSignatures, "NIOSSL is not linked"))
    func certificates() {
        let variables = variables("ES256", public: TokenSamples.p256Certificate)
        #expect(shown("jwt.verify(token, public)", variables) == Self.claims)
    }

    @Test(
        .enabled(if: TokenTests.hasSignatures, "NIOSSL is not linked"),
        arguments: [
            ("RS256", TokenSamples.p256Public, "jwt.verify(): RS256 requires an RSA key"),
            ("ES256", TokenSamples.p384Public, "jwt.verify(): ES256 requires a key on the curve P-256"),
            ("ES384", TokenSamples.rsaPublic, "jwt.verify(): ES384 requires a key on the curve P-384"),
            ("ES512", TokenSamples.p256Public, "jwt.verify(): ES512 requires a key on the curve P-521"),
            ("RS256", "secret", "jwt.verify(): RS256 requires an unencrypted key in PEM"),
            (
                "RS256", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
                "jwt.verify(): RS256 requires an unencrypted key in PEM"
            ),
            ("RS256", "", "jwt.verify(): the key is empty"),
        ])
    func otherKeys(_ name: String, _ key: String, _ message: String) {
        let text = shown("jwt.verify(token, public)", variables(name, public: key))
        #expect(text.hasSuffix(message), "\(text)")
    }

    /// A token that is signed with the text of a public key as a secret is the known attack on libraries that choose
    /// the algorithm by the token alone.
    @Test func publicKeysAreNotSecrets() {
        let variables = variables("RS256", public: TokenSamples.rsaPublic)
        let forged = "jwt.sign({'sub': 'eve'}, bytes(public))"
        #expect(
            shown("jwt.verify(\(forged), public)", variables).hasSuffix(
                "jwt.verify(): HS256 requires a shared secret, but the key is in PEM;"
                    + " to use its text as a secret, write bytes(key)"))
        #expect(shown("jwt.verify(\(forged), bytes(public))", variables) == #"{"sub": "eve"}"#)
    }

    // MARK: Checks

    private static func token(_ header: String, _ claims: String = "{}") -> String {
        Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8)) + "."
    }

    @Test(arguments: [
        ("a.b", "the token must have three parts between dots, but has 2"),
        ("a.b.c.d.e", "the token is encrypted (JWE), which is not supported"),
        ("+.e30.", "the header of the token is not base64url without padding"),
        ("e30.e30=.", "the claims of the token are not base64url without padding"),
        ("e30.e30.*", "the signature of the token is not base64url without padding"),
        ("W10.e30.", "the header of the token is not a JSON object"),
        ("e30.bnVsbA.", "the claims of the token are not a JSON object"),
        ("e30.e30.", "the header of the token has no algorithm (alg)"),
        (token(#"{"alg": "none"}"#), "the token is not signed: its algorithm is none"),
        (token(#"{"alg": "None"}"#), "the token is not signed: its algorithm is none"),
        (
            token(#"{"alg": "PS256"}"#),
            #"unsupported algorithm "PS256"; expected HS256, HS384, HS512, RS256, RS384, RS512, ES256, ES384 or ES512"#
        ),
        (
            token(#"{"alg": "HS256", "crit": ["exp"]}"#),
            "the token has critical extensions (crit), which are not supported"
        ),
        (token(#"{"alg": "HS256"}"#), "the signature of the token does not match the key"),
    ])
    func invalidTokens(_ token: String, _ message: String) {
        let text = shown("jwt.verify(token, 'secret')", ["token": .string(token)])
        #expect(text.hasSuffix("jwt.verify(): " + message), "\(text)")
    }

    /// The time of the test is 2026-01-31T12:34:56.789Z, which is second 1769862896.
    @Test(
        arguments: [
            (#"{"exp": 1769862896}"#, "{}", "the token expired at 2026-01-31T12:34:56Z (exp)"),
            (#"{"exp": 1769862897}"#, "{}", nil),
            (#"{"exp": 1769862890}"#, #"{"leeway": duration("10s")}"#, nil),
            (#"{"exp": "soon"}"#, "{}", "the claim exp of the token must be a number of seconds"),
            (#"{"exp": 1e300}"#, "{}", nil),
            (#"{"exp": -1e300}"#, "{}", "the token expired at -1e+300 (exp)"),
            (#"{"nbf": 1769862897}"#, "{}", "the token is not valid before 2026-01-31T12:34:57Z (nbf)"),
            (#"{"nbf": 1769862897}"#, #"{"leeway": duration("1s")}"#, nil),
            (#"{"iss": "a"}"#, #"{"iss": "a"}"#, nil),
            (#"{"iss": "b"}"#, #"{"iss": "a"}"#, #"expected the issuer "a", but the token has "b" (iss)"#),
            ("{}", #"{"iss": "a"}"#, #"expected the issuer "a", but the token has no issuer (iss)"#),
            (#"{"iss": 1}"#, #"{"iss": "a"}"#, "the claim iss of the token must be a string"),
            (#"{"aud": "a"}"#, #"{"aud": "a"}"#, nil),
            (#"{"aud": ["b", "a"]}"#, #"{"aud": "a"}"#, nil),
            (#"{"aud": ["b"]}"#, #"{"aud": "a"}"#, #"the token is not for the audience "a" (aud)"#),
            ("{}", #"{"aud": "a"}"#, #"the token is not for the audience "a" (aud)"#),
            (#"{"aud": [1]}"#, #"{"aud": "a"}"#, "the claim aud of the token must be a string or an array of strings"),
            ("{}", #"{"alg": "HS512"}"#, "expected the algorithm HS512, but the token has HS256"),
            ("{}", #"{"alg": "none"}"#, #"unsupported algorithm "none"; expected HS256, "#),
            ("{}", #"{"issuer": "a"}"#, #"unknown option "issuer"; expected alg, iss, aud or leeway"#),
            ("{}", #"{"leewya": 1}"#, #"unknown option "leewya"; did you mean "leeway"?"#),
            ("{}", #"{"leeway": 1}"#, "the option leeway must be a duration, got int"),
            ("{}", #"{"iss": 1}"#, "the option iss must be a string, got int"),
        ] as [(String, String, String?)])
    func claimsAndOptions(_ claims: String, _ options: String, _ message: String?) {
        let text = shown("jwt.verify(jwt.sign(json.parse('\(claims)'), 'k'), 'k', \(options))")
        if let message {
            #expect(text.contains("jwt.verify(): " + message), "\(text)")
        } else {
            #expect(text.hasPrefix("{"), "\(text)")
        }
    }

    @Test(arguments: [
        ("jwt.sign({}, '')", "jwt.sign(): the key is empty"),
        ("jwt.sign({}, 'k', 'none')", #"jwt.sign(): unsupported algorithm "none"; expected HS256"#),
        ("jwt.sign({}, 'k', 'RS256')", "jwt.sign(): RS256 requires an unencrypted key in PEM"),
        ("jwt.sign({'a': int}, 'k')", "jwt.sign(): JSON cannot represent a value in the claims"),
        ("jwt.sign([], 'k')", "no such overload: jwt.sign(list, string)"),
        ("jwt.sign({}, 1)", "no such overload: jwt.sign(map, int)"),
        ("jwt.sign({}, 'k', 1)", "no such overload: jwt.sign(map, string, int)"),
        ("jwt.verify(1, 'k')", "no such overload: jwt.verify(int, string)"),
        ("jwt.decode(1)", "no such overload: jwt.decode(int)"),
        ("jwt.decode('x')", "jwt.decode(): the token must have three parts between dots, but has 1"),
        ("jwt.encode({}, 'k')", #"unknown function "jwt.encode"; did you mean "jwt.sign"?"#),
        ("jwt.verfiy('', '')", #"unknown function "jwt.verfiy"; did you mean "jwt.verify"?"#),
    ])
    func wrongCalls(_ source: String, _ message: String) {
        let text = shown(source)
        #expect(text.contains(": " + message), "\(text)")
    }
}
