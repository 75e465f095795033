import Testing

@testable import HTTPSession

@Suite("AWS Signature Version 4")
struct AWSSignatureV4Tests {
    static let credentials = AWSCredentials(
        accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
    /// 2015-08-30T12:36:00Z
    static let date: Double = 1_440_938_160

    /// A case of the published test suite. The host of all cases is example.amazonaws.com.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var method: HTTPMethod = .get
        var target: String
        var headers: HTTPHeaders = [:]
        var body = ""
        var normalizes = true
        /// Whether the path is encoded twice. The suite's requests have raw spaces and non-ASCII characters, encoded
        /// once.
        var encodesTwice = true
        var sendsHash = false
        var token: String?
        var signed = "host;x-amz-date"
        var signature: String

        var testDescription: String { name }
    }

    static let letters = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    static let root = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"

    static let gets: [Case] = [
        Case(name: "get-vanilla", target: "/", signature: root),
        Case(
            name: "get-header-key-duplicate", target: "/",
            headers: ["My-Header1": "value2", "My-Header1": "value2", "My-Header1": "value1"],
            signed: "host;my-header1;x-amz-date",
            signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
        Case(
            name: "get-header-value-multiline, unfolded", target: "/", headers: ["My-Header1": "value1 value2 value3"],
            signed: "host;my-header1;x-amz-date",
            signature: "cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd"),
        Case(
            name: "get-header-value-order", target: "/",
            headers: ["My-Header1": "value4", "My-Header1": "value1", "My-Header1": "value3", "My-Header1": "value2"],
            signed: "host;my-header1;x-amz-date",
            signature: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"),
        Case(
            name: "get-header-value-trim", target: "/",
            headers: ["My-Header1": " value1", "My-Header2": " \"a   b   c\""],
            signed: "host;my-header1;my-header2;x-amz-date",
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        Case(name: "get-relative-normalized", target: "/example/..", signature: root),
        Case(name: "get-relative-relative-normalized", target: "/example1/example2/../..", signature: root),
        Case(
            name: "get-relative-relative-unnormalized", target: "/example1/example2/../..", normalizes: false,
            signature: "dc33e0856fd4baca4d7aa2146c38958283844764f38c74252a333df5e613003b"),
        Case(
            name: "get-relative-unnormalized", target: "/example/..", normalizes: false,
            signature: "eca7ead57bb5aa5c8e28007acd4ff04e1ff9a0ff3b237ec1554a184887ff9282"),
        Case(name: "get-slash-dot-slash-normalized", target: "/./", signature: root),
        Case(
            name: "get-slash-dot-slash-unnormalized", target: "/./", normalizes: false,
            signature: "68714168e6557f8f2de0ef956fc24dc2593a4bd2961f8df51898d8a134695145"),
        Case(name: "get-slash-normalized", target: "//", signature: root),
        Case(
            name: "get-slash-pointless-dot-normalized", target: "/./example",
            signature: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"),
        Case(
            name: "get-slash-pointless-dot-unnormalized", target: "/./example", normalizes: false,
            signature: "beb03f223f7deae4146464f06e29eebbee9c8afbe15c290cf07aa8b119e14cff"),
        Case(
            name: "get-slash-unnormalized", target: "//", normalizes: false,
            signature: "c88bcd3d312d75078c0cd961d6deae3f4c754924b01669efcfcb439fd5e5b76e"),
        Case(
            name: "get-slashes-normalized", target: "//example//",
            signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"),
        Case(
            name: "get-slashes-unnormalized", target: "//example//", normalizes: false,
            signature: "87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5"),
        Case(
            name: "get-space-normalized", target: "/example space/", encodesTwice: false,
            signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
        Case(
            name: "get-space-unnormalized", target: "/example space/", normalizes: false, encodesTwice: false,
            signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
        Case(
            name: "get-unreserved", target: "/" + letters,
            signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
        Case(
            name: "get-utf8", target: "/\u{1234}", encodesTwice: false,
            signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
        Case(
            name: "get-vanilla-empty-query-key", target: "/?Param1=value1",
            signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
        Case(
            name: "get-vanilla-query-order-encoded", target: "/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1",
            signature: "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac"),
        Case(
            name: "get-vanilla-query-order-key-case", target: "/?Param2=value2&Param1=value1",
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        Case(
            name: "get-vanilla-query-unreserved", target: "/?" + letters + "=" + letters,
            signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
        Case(
            name: "get-vanilla-utf8-query", target: "/?\u{1234}=bar",
            signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
        Case(
            name: "get-vanilla-with-session-token", target: "/",
            token: "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267",
            signed: "host;x-amz-date;x-amz-security-token",
            signature: "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8"),
    ]

    static let posts: [Case] = [
        Case(
            name: "post-vanilla", method: .post, target: "/",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Case(
            name: "post-header-key-sort", method: .post, target: "/", headers: ["My-Header1": "value1"],
            signed: "host;my-header1;x-amz-date",
            signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
        Case(
            name: "post-header-value-case", method: .post, target: "/", headers: ["My-Header1": "VALUE1"],
            signed: "host;my-header1;x-amz-date",
            signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"),
        Case(
            name: "post-vanilla-query", method: .post, target: "/?Param1=value1",
            signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
        Case(
            name: "post-sts-header-before", method: .post, target: "/",
            token:
                "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqT"
                + "flfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9"
                + "HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYv"
                + "KTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==",
            signed: "host;x-amz-date;x-amz-security-token",
            signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"),
        Case(
            name: "post-x-www-form-urlencoded", method: .post, target: "/",
            headers: ["Content-Type": "application/x-www-form-urlencoded", "Content-Length": "13"],
            body: "Param1=value1", sendsHash: true,
            signed: "content-length;content-type;host;x-amz-content-sha256;x-amz-date",
            signature: "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b"),
        Case(
            name: "post-x-www-form-urlencoded-parameters", method: .post, target: "/",
            headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8", "Content-Length": "13"],
            body: "Param1=value1", sendsHash: true,
            signed: "content-length;content-type;host;x-amz-content-sha256;x-amz-date",
            signature: "328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422"),
    ]

    @Test("Signatures match the published test suite", arguments: gets + posts)
    func suite(_ test: Case) async throws {
        var adapter = AWSSignatureV4(
            credentials: AWSCredentials(
                accessKey: Self.credentials.accessKey, secretKey: Self.credentials.secretKey,
                sessionToken: test.token),
            region: "us-east-1", service: "service")
        adapter.normalizesPath = test.normalizes
        adapter.encodesPathTwice = test.encodesTwice
        adapter.sendsContentHash = test.sendsHash
        let sent = try await Self.sent(
            adapter,
            Request(
                test.method, url: "http://example.amazonaws.com" + test.target, headers: test.headers,
                body: test.body.isEmpty ? .empty : .text(test.body)))
        #expect(
            sent.headers["Authorization"]
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=\(test.signed), Signature=\(test.signature)")
        #expect(sent.headers["X-Amz-Date"] == "20150830T123600Z")
    }

    /// Returns the sent form of a request.
    static func sent(
        _ adapter: AWSSignatureV4, _ request: Request, headers: HTTPHeaders = [:]
    ) async throws -> TransportRequest {
        let transport = AnswerTransport { _, _ in AnswerTransport.response(200) }
        var configuration = SessionConfiguration(headers: headers)
        configuration.clock = SettableClock(date).clock
        configuration.adapters = [adapter]
        _ = try await Session(configuration: configuration, transport: transport).send(request)
        return try #require(transport.requests.first)
    }

    /// Service, token, request, signed fields, and signature.
    ///
    /// The first case is the example in the documentation. All were computed with botocore.
    static let others: [(String, String?, Request, String, String)] = [
        (
            "iam", nil,
            Request(
                .get, url: "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08",
                headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"]),
            "content-type;host;x-amz-date", "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
        ),
        (
            "service", nil,
            Request(.get, url: "https://example.amazonaws.com/a%20b/%E1%88%B4//c/../d?b=%2F&a=%20x&a=&c"),
            "host;x-amz-date", "559b3727c3811eadd21d6ce3c004f94d16e8786c6066e7f3e1ea74c143b58f90"
        ),
        (
            "service", nil, Request(.get, url: "https://example.amazonaws.com:8443/a:b;c=d@e!$&()*+,/~x"),
            "host;x-amz-date", "531ecd5d5bdb5d3a990e38305170c46abbe8ca4441f1bdc43605d29124799a74"
        ),
        (
            "service", "TOKEN/+==",
            Request(
                .post, url: "https://example.amazonaws.com/",
                headers: ["Content-Type": "text/plain", "X-Amz-Target": "T.Op"], body: .text("hello")),
            "content-type;host;x-amz-date;x-amz-security-token;x-amz-target",
            "e53be7df6ac885d72b88047194f2a24b48b59f457bfecbefda5812a7cbb4487e"
        ),
        (
            "s3", nil,
            Request(
                .put, url: "https://bucket.s3.amazonaws.com/a%20b/%E1%88%B4//c?x=1",
                headers: ["Content-Type": "text/plain"],
                body: .text("hello")),
            "content-type;host;x-amz-content-sha256;x-amz-date",
            "13a0e22ec57c5d75d9619b142b07ce98530bda370c5ba0675cee0be7474fd539"
        ),
        (
            "s3", nil,
            Request(.get, url: "https://bucket.s3.amazonaws.com/test.txt", headers: ["Range": "bytes=0-9"]),
            "host;range;x-amz-content-sha256;x-amz-date",
            "aeabac9d37f17a556002d3873998eb2487f54cede8de96a1e1afb76cb1eed9da"
        ),
    ]

    @Test("Signatures of other requests match those of botocore", arguments: others.indices)
    func otherRequests(index: Int) async throws {
        let (service, token, request, signed, signature) = Self.others[index]
        let adapter = AWSSignatureV4(
            credentials: AWSCredentials(
                accessKey: Self.credentials.accessKey, secretKey: Self.credentials.secretKey, sessionToken: token),
            region: "us-east-1", service: service)
        let sent = try await Self.sent(adapter, request)
        #expect(
            sent.headers["Authorization"]?.hasSuffix("SignedHeaders=\(signed), Signature=\(signature)") == true,
            "\(sent.headers)")
    }

    @Test("The signature covers header fields from the session but not those that the library adds")
    func sessionHeaders() async throws {
        let adapter = AWSSignatureV4(credentials: Self.credentials, region: "r", service: "service")
        let sent = try await Self.sent(
            adapter, Request(.get, url: "http://a.test/", headers: ["Cookie": "a=b", "Expect": "x"]),
            headers: ["X-Amz-Meta": "v", "User-Agent": "u"])
        #expect(sent.headers["Authorization"]?.contains("SignedHeaders=host;x-amz-date;x-amz-meta,") == true)
    }

    @Test("File and compressed bodies are signed, and streamed bodies are not")
    func payloads() async throws {
        let adapter = AWSSignatureV4(credentials: Self.credentials, region: "r", service: "s3")
        let stream = BodySource(length: 0, isReplayable: true) { { nil } }
        var sent = try await Self.sent(adapter, Request(.put, url: "http://a.test/", body: .stream(stream)))
        #expect(sent.headers["X-Amz-Content-Sha256"] == "UNSIGNED-PAYLOAD")
        sent = try await Self.sent(
            adapter,
            Request(.put, url: "http://a.test/", headers: ["x-amz-content-sha256": "known"], body: .stream(stream)))
        #expect(sent.headers.values("X-Amz-Content-Sha256") == ["known"])
        sent = try await Self.sent(
            adapter,
            Request(.put, url: "http://a.test/", headers: ["x-amz-content-sha256": "wrong"], body: .text("hello")))
        #expect(sent.headers.values("X-Amz-Content-Sha256") == [MessageDigest.hex(.sha256, "hello")])
        let file = try TemporaryFile(Array("hello".utf8))
        sent = try await Self.sent(adapter, Request(.put, url: "http://a.test/", body: .file(path: file.path)))
        #expect(sent.headers["X-Amz-Content-Sha256"] == MessageDigest.hex(.sha256, "hello"))
        var request = Request(.put, url: "http://a.test/", body: .text("hello"))
        request.compression = .gzip
        sent = try await Self.sent(adapter, request)
        guard case .bytes(let bytes) = sent.body else {
            Issue.record("expected a body in memory")
            return
        }
        #expect(bytes != Array("hello".utf8))
        #expect(sent.headers["X-Amz-Content-Sha256"] == MessageDigest.hex(.sha256, bytes))
        var unsigned = adapter
        unsigned.payload = .unsigned
        sent = try await Self.sent(unsigned, Request(.put, url: "http://a.test/", body: .text("hello")))
        #expect(sent.headers["X-Amz-Content-Sha256"] == "UNSIGNED-PAYLOAD")
    }

    @Test("A plus sign in the query is sent and signed as a space, and an existing Authorization field is kept")
    func plus() async throws {
        let adapter = AWSSignatureV4(credentials: Self.credentials, region: "r", service: "service")
        let plus = try await Self.sent(adapter, Request(.get, url: "http://a.test/x?q=a+b"))
        let space = try await Self.sent(adapter, Request(.get, url: "http://a.test/x?q=a%20b"))
        #expect(plus.url.target == "/x?q=a%20b")
        #expect(plus.headers["Authorization"] == space.headers["Authorization"])
        let own = try await Self.sent(adapter, Request(.get, url: "http://a.test/", headers: ["Authorization": "Own"]))
        #expect(own.headers["Authorization"] == "Own")
        #expect(!own.headers.contains("X-Amz-Date"))
    }

    @Test(
        "Dates are formatted in the ISO 8601 basic format",
        arguments: [
            (0, "19700101T000000Z"), (951_782_399.9, "20000228T235959Z"), (951_782_400, "20000229T000000Z"),
            (1_709_164_800, "20240229T000000Z"), (1_735_689_599, "20241231T235959Z"), (-1, "19691231T235959Z"),
            (4_107_542_400, "21000301T000000Z"), (.nan, "19700101T000000Z"), (1e300, "99991231T235959Z"),
        ] as [(Double, String)])
    func times(date: Double, text: String) {
        #expect(UTCTime(date).basic == text)
    }
}
