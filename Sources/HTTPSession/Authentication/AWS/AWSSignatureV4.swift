import Digests

/// Signs requests to Amazon Web Services with Signature Version 4.
///
/// It signs what the request is when it is asked: it must be the last of the adapters. Signed are `Host`, `X-Amz-Date`,
/// the header of the request and of the session but for what may change on the way (such as `User-Agent`,
/// `Accept-Encoding` and cookies), and the body's hash. A "+" in the query is sent as "%20", which is what the services
/// take it for. The signature is for one moment: each attempt and each redirect at the same origin is signed anew.
public struct AWSSignatureV4: RequestAdapter {
    /// How the body is covered.
    public enum Payload: Sendable, Hashable {
        /// By its hash. A body that is made while it is sent is covered if the caller gives its SHA-256 in
        /// `X-Amz-Content-Sha256`; otherwise it is not, which only Amazon S3 accepts.
        case automatic
        /// Not at all, which only Amazon S3 accepts, and should have TLS for.
        case unsigned
    }

    /// The keys.
    public var credentials: AWSCredentials
    /// The region, as in `us-east-1`.
    public var region: String
    /// The service, as in `s3` or `execute-api`.
    public var service: String
    /// How the body is covered.
    public var payload: Payload
    /// Whether `X-Amz-Content-Sha256` is sent, which Amazon S3 asks for; it always is for a body that is not covered.
    public var sendsContentHash: Bool
    /// Whether the path, as it is sent, is percent-encoded once more to be signed, which all but Amazon S3 do.
    public var encodesPathTwice: Bool
    /// Whether dot segments and repeated slashes are resolved in what is signed, which all but Amazon S3 do.
    public var normalizesPath: Bool
    /// The servers that are to get signed requests.
    public var scope: CredentialScope

    private static let unsignedPayload = "UNSIGNED-PAYLOAD"
    private static let hashField = "X-Amz-Content-Sha256"

    /// Creates an adapter with the settings that the service wants.
    /// - Parameters:
    ///   - credentials: The keys.
    ///   - region: The region, as in `us-east-1`.
    ///   - service: The service, as in `s3`.
    ///   - payload: How the body is covered.
    ///   - scope: The servers that are to get signed requests.
    public init(
        credentials: AWSCredentials, region: String, service: String, payload: Payload = .automatic,
        scope: CredentialScope = .everywhere
    ) {
        let isS3 = ["s3", "s3-object-lambda", "s3-outposts", "s3express"].contains(service)
        self.credentials = credentials
        self.region = region
        self.service = service
        self.payload = payload
        self.scope = scope
        sendsContentHash = isS3
        encodesPathTwice = !isS3
        normalizesPath = !isS3
    }

    /// Signs the request.
    ///
    /// A request that has an `Authorization` field of another kind is left alone.
    /// - Throws: ``AuthenticationError/unreadableBody(path:reason:)``.
    public func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
        if let own = request.headers["Authorization"], !own.utf8.starts(with: "AWS4-HMAC-SHA256 ".utf8) {
            return request
        }
        let configuration = context.session.configuration
        var signed = request
        signed.headers.remove("Authorization")
        var url = try context.url(of: request)
        guard scope.includes(url) else { return request }
        if let query = url.query, query.utf8.contains(UInt8(ascii: "+")) {
            let spaced = query.utf8.split(separator: UInt8(ascii: "+"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "%20")
            url = url.withTarget(url.path + "?" + spaced)
            signed.url = url.description
        }
        try await sign(&signed, url: url, date: configuration.clock.date(), defaults: configuration.headers)
        return signed
    }

    // MARK: Signing

    /// Adds the fields that a signed request has.
    func sign(_ request: inout Request, url: HTTPURL, date: Double, defaults: HTTPHeaders = .init()) async throws {
        let time = AWSTime(date)
        request.headers.set(name: "X-Amz-Date", value: time.text)
        request.headers["X-Amz-Security-Token"] = credentials.sessionToken
        request.credentialFields += ["X-Amz-Security-Token", "X-Amz-Date", Self.hashField]
        let hash = try await payloadHash(of: request)
        if sendsContentHash || hash == Self.unsignedPayload || request.headers.contains(Self.hashField) {
            request.headers.set(name: Self.hashField, value: hash)
        }
        var headers = request.headers
        headers.merge(defaults: defaults)
        if !headers.contains("Host") { headers.append(name: "Host", value: url.authority) }
        let (signedHeaders, text) = AWSCanonicalRequest(
            method: request.method, url: url, headers: headers, payload: hash, encodesPathTwice: encodesPathTwice,
            normalizesPath: normalizesPath
        ).make()
        let place = [time.day, region, service, "aws4_request"].joined(separator: "/")
        let toSign = ["AWS4-HMAC-SHA256", time.text, place, MessageDigest.hex(.sha256, text)].joined(separator: "\n")
        let signature = MessageDigest.hex(Self.code(toSign, key: signingKey(day: time.day)))
        request.headers.set(
            name: "Authorization",
            value: "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(place), SignedHeaders=\(signedHeaders), "
                + "Signature=\(signature)")
    }

    private func payloadHash(of request: Request) async throws -> String {
        guard payload == .automatic else { return Self.unsignedPayload }
        if let hash = try await MessageDigest.hex(.sha256, body: request.body) { return hash }
        return request.headers[Self.hashField] ?? Self.unsignedPayload
    }

    /// The key of a day, a region and a service.
    private func signingKey(day: String) -> [UInt8] {
        var key = Array(("AWS4" + credentials.secretKey).utf8)
        for part in [day, region, service, "aws4_request"] { key = Self.code(part, key: key) }
        return key
    }

    private static func code(_ text: String, key: [UInt8]) -> [UInt8] {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), key: key)
    }
}

extension RequestAdapter where Self == AWSSignatureV4 {
    /// Signs requests to Amazon Web Services; it must be the last of the adapters.
    public static func awsSignatureV4(
        _ credentials: AWSCredentials, region: String, service: String
    ) -> AWSSignatureV4 {
        AWSSignatureV4(credentials: credentials, region: region, service: service)
    }
}
