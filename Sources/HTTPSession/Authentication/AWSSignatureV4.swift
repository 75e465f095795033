import Basics
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
        let place = [time.day, region, service, "aws4_request"].joined(separator: "/")
        let toSign = ["AWS4-HMAC-SHA256", time.basic, place, MessageDigest.hex(.sha256, text)].joined(separator: "\n")
        let signature = Hexadecimal.encode(Self.code(toSign, key: signingKey(day: time.day)))
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

/// The keys that requests to Amazon Web Services are signed with.
public struct AWSCredentials: Sendable, Hashable {
    /// The access key's identifier, which is sent.
    public var accessKey: String
    private var secret: Secret
    private var session: Secret?

    /// The secret key, which is not sent.
    public var secretKey: String { secret.value }
    /// The token of temporary credentials, which is sent.
    public var sessionToken: String? { session?.value }

    /// Creates credentials.
    public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        secret = Secret(secretKey)
        session = sessionToken.map(Secret.init)
    }
}

/// The form of a request that client and server compute alike (Signature Version 4, "create a canonical request").
struct AWSCanonicalRequest {
    var method: HTTPMethod
    var url: HTTPURL
    /// The header fields to be signed, among others.
    var headers: HTTPHeaders
    /// The hash of the body, or what stands for it.
    var payload: String
    /// Whether the path, as it is sent, is percent-encoded once more.
    var encodesPathTwice: Bool
    /// Whether "." and "..", and slashes that follow each other, are resolved.
    var normalizesPath: Bool

    /// Fields that proxies and this library itself may change after the request is signed.
    private static let unsigned: Set<String> = [
        "accept-encoding", "authorization", "connection", "cookie", "expect", "keep-alive", "proxy-authenticate",
        "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "x-amzn-trace-id",
    ]

    /// The names of the signed fields, and the whole canonical request.
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

    /// A value without white space around it, and with single spaces within.
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

    /// A path without empty and "." segments, and with each ".." undone together with the segment before it.
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

    /// A query sorted by name, then by value; a name without a value has an empty one.
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

    /// Bytes, each but unreserved ones and `kept` percent-encoded.
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
