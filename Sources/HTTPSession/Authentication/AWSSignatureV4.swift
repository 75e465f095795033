import Basics
import Digests

/// A request adapter that signs requests to Amazon Web Services with Signature Version 4.
///
/// The adapter signs the request in its current state, so it must be the last adapter. It signs `Host`, `X-Amz-Date`,
/// the hash of the body, and the header fields of the request and the session. Fields that may change in transit, such
/// as `User-Agent`, `Accept-Encoding` and cookies, are not signed. A "+" in the query is sent as "%20", which is how
/// the services interpret it. A signature is valid for a single point in time: each attempt and each redirect to the
/// same origin is signed separately.
///
/// ```swift
/// configuration.adapters.append(
///     AWSSignatureV4(
///         credentials: AWSCredentials(accessKey: "AKIDEXAMPLE", secretKey: "secret"), region: "eu-central-1",
///         service: "execute-api"))
/// ```
public struct AWSSignatureV4: RequestAdapter {
    /// The way in which the signature covers the body.
    public enum Payload: Sendable, Hashable {
        /// Covers the body by its hash.
        ///
        /// A streamed body is covered if the caller sets its SHA-256 in `X-Amz-Content-Sha256`. Otherwise it is not
        /// covered, which only Amazon S3 accepts.
        case automatic
        /// Does not cover the body, which only Amazon S3 accepts, and which requires TLS to be safe.
        case unsigned
    }

    /// The credentials.
    public var credentials: AWSCredentials
    /// The region, such as `us-east-1`.
    public var region: String
    /// The service, such as `s3` or `execute-api`.
    public var service: String
    /// The way in which the signature covers the body.
    public var payload: Payload
    /// Whether `X-Amz-Content-Sha256` is sent, as Amazon S3 requires; it is always sent if the body is not covered.
    public var sendsContentHash: Bool
    /// Whether the signed path is percent-encoded twice, as all services except Amazon S3 require.
    public var encodesPathTwice: Bool
    /// Whether dot segments and repeated slashes in the signed path are resolved, as all services except Amazon S3
    /// require.
    public var normalizesPath: Bool
    /// The servers that requests are signed for.
    public var scope: CredentialScope

    private static let unsignedPayload = "UNSIGNED-PAYLOAD"
    private static let hashField = "X-Amz-Content-Sha256"

    /// Creates an adapter with the settings that the service requires.
    /// - Parameters:
    ///   - credentials: The credentials.
    ///   - region: The region, such as `us-east-1`.
    ///   - service: The service, such as `s3`.
    ///   - payload: The way in which the signature covers the body.
    ///   - scope: The servers that requests are signed for.
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
    /// A request with an `Authorization` field of another scheme is left unchanged.
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

    /// Adds the header fields of a signed request.
    func sign(_ request: inout Request, url: HTTPURL, date: Double, defaults: HTTPHeaders = .init()) async throws {
        let time = UTCTime(date)
        request.headers.set(name: "X-Amz-Date", value: time.basic)
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
        let location = [time.day, region, service, "aws4_request"].joined(separator: "/")
        let toSign = ["AWS4-HMAC-SHA256", time.basic, location, MessageDigest.hex(.sha256, text)].joined(
            separator: "\n")
        let signature = Hexadecimal.encode(Self.code(toSign, key: signingKey(day: time.day)))
        request.headers.set(
            name: "Authorization",
            value: "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(location), SignedHeaders=\(signedHeaders), "
                + "Signature=\(signature)")
    }

    private func payloadHash(of request: Request) async throws -> String {
        guard payload == .automatic else { return Self.unsignedPayload }
        if let hash = try await MessageDigest.hex(.sha256, body: request.body) { return hash }
        return request.headers[Self.hashField] ?? Self.unsignedPayload
    }

    /// Returns the signing key for a day, the region and the service.
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
    /// Returns an adapter that signs requests to Amazon Web Services, which must be the last adapter.
    /// - Parameters:
    ///   - credentials: The credentials.
    ///   - region: The region, such as `us-east-1`.
    ///   - service: The service, such as `s3`.
    public static func awsSignatureV4(
        _ credentials: AWSCredentials, region: String, service: String
    ) -> AWSSignatureV4 {
        AWSSignatureV4(credentials: credentials, region: region, service: service)
    }
}

/// The credentials that sign requests to Amazon Web Services.
public struct AWSCredentials: Sendable, Hashable {
    /// The access key ID, which is sent.
    public var accessKey: String
    private var secret: Secret
    private var session: Secret?

    /// The secret access key, which is never sent.
    public var secretKey: String { secret.value }
    /// The session token of temporary credentials, which is sent.
    public var sessionToken: String? { session?.value }

    /// Creates credentials.
    /// - Parameters:
    ///   - accessKey: The access key ID.
    ///   - secretKey: The secret access key.
    ///   - sessionToken: The session token of temporary credentials.
    public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        secret = Secret(secretKey)
        session = sessionToken.map(Secret.init)
    }
}

/// The canonical form of a request, which client and server compute identically (Signature Version 4).
struct AWSCanonicalRequest {
    var method: HTTPMethod
    var url: HTTPURL
    /// The header fields, including those that are not signed.
    var headers: HTTPHeaders
    /// The hash of the body, or its placeholder.
    var payload: String
    /// Whether the path is percent-encoded twice.
    var encodesPathTwice: Bool
    /// Whether dot segments and repeated slashes are resolved.
    var normalizesPath: Bool

    /// The fields that proxies or this library may change after the request is signed.
    private static let unsigned: Set<String> = [
        "accept-encoding", "authorization", "connection", "cookie", "expect", "keep-alive", "proxy-authenticate",
        "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "x-amzn-trace-id",
    ]

    /// Returns the names of the signed fields and the canonical request.
    func make() -> (signedHeaders: String, text: String) {
        let fields = canonicalFields
        let names = fields.map(\.name).joined(separator: ";")
        var text = method.rawValue + "\n" + path + "\n" + Self.query(url.query ?? "") + "\n"
        for field in fields { text += field.name + ":" + field.value + "\n" }
        text += "\n" + names + "\n" + payload
        return (names, text)
    }

    private var canonicalFields: [(name: String, value: String)] {
        var values: [String: [String]] = [:]
        for field in headers {
            let name = String(decoding: field.name.utf8.map(ASCII.lowercased), as: UTF8.self)
            guard !Self.unsigned.contains(name) else { continue }
            values[name, default: []].append(Self.trimmed(field.value))
        }
        return values.map { (name: $0.key, value: $0.value.joined(separator: ",")) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Returns a value without surrounding whitespace, and with whitespace inside collapsed to single spaces.
    private static func trimmed(_ value: String) -> String {
        value.utf8.split { $0 == 32 || $0 == 9 }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    // MARK: Path and query

    private var path: String {
        var bytes = Array(url.path.utf8)
        if normalizesPath { bytes = Self.normalized(bytes) }
        if !encodesPathTwice { bytes = PercentEncoding.decode(bytes) }
        return String(decoding: Self.encoded(bytes, keeping: UInt8(ascii: "/")), as: UTF8.self)
    }

    /// Returns a path without empty and "." segments, and with ".." segments resolved.
    private static func normalized(_ path: [UInt8]) -> [UInt8] {
        var segments: [ArraySlice<UInt8>] = []
        for segment in path.split(separator: UInt8(ascii: "/")) {
            if segment.elementsEqual("..".utf8) {
                _ = segments.popLast()
            } else if !segment.elementsEqual(".".utf8) {
                segments.append(segment)
            }
        }
        var result: [UInt8] = []
        for segment in segments {
            result.append(UInt8(ascii: "/"))
            result.append(contentsOf: segment)
        }
        let last = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? []
        let endsInSlash = last.isEmpty || last.elementsEqual(".".utf8) || last.elementsEqual("..".utf8)
        if result.isEmpty || endsInSlash { result.append(UInt8(ascii: "/")) }
        return result
    }

    /// Returns a query sorted by name and then by value; a name without a value gets an empty one.
    static func query(_ query: String) -> String {
        var pairs: [(name: [UInt8], value: [UInt8])] = []
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            let value = part.dropFirst(name.count + 1)
            pairs.append((encoded(PercentEncoding.decode(name)), encoded(PercentEncoding.decode(value))))
        }
        pairs.sort { first, second in
            first.name == second.name
                ? first.value.lexicographicallyPrecedes(second.value)
                : first.name.lexicographicallyPrecedes(second.name)
        }
        return pairs.map { String(decoding: $0.name + [UInt8(ascii: "=")] + $0.value, as: UTF8.self) }
            .joined(separator: "&")
    }

    /// Returns the bytes percent-encoded, except unreserved ones and `kept`.
    private static func encoded(_ bytes: [UInt8], keeping kept: UInt8? = nil) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes {
            if ASCII.isUnreserved(byte) || byte == kept {
                result.append(byte)
            } else {
                PercentEncoding.append(byte, to: &result)
            }
        }
        return result
    }
}
