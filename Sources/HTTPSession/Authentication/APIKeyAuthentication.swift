import Basics

/// A request adapter that sends an API key with each request, in a header field, the query or a cookie.
///
/// A header field that the request already has is kept. A query parameter or cookie with the same name is replaced.
///
/// ```swift
/// let response = try await session.get("me").adapt(with: .apiKey(.header("X-API-Key"), value: "key")).response()
/// ```
public struct APIKeyAuthentication: RequestAdapter {
    /// The part of a request that carries the key.
    public enum Location: Sendable, Hashable {
        /// The header field with the given name.
        case header(String)
        /// The query parameter with the given name.
        case query(String)
        /// The cookie with the given name.
        case cookie(String)
    }

    /// The part of the request that carries the key.
    public let location: Location
    private let secret: Secret
    /// The servers that the key is sent to.
    public var scope: CredentialScope

    /// The API key.
    public var value: String { secret.value }

    /// Creates an adapter for an API key.
    /// - Parameters:
    ///   - location: The part of the request that carries the key.
    ///   - value: The API key.
    ///   - scope: The servers that the key is sent to.
    public init(_ location: Location, value: String, scope: CredentialScope = .everywhere) {
        self.location = location
        secret = Secret(value)
        self.scope = scope
    }

    /// Adds the key to the request.
    public func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
        let url = try context.url(of: request)
        guard scope.includes(url) else { return request }
        var adapted = request
        switch location {
        case .header(let name):
            guard !request.headers.contains(name) else { return request }
            adapted.headers.append(name: name, value: value)
            adapted.credentialFields.append(name)
        case .query(let name):
            let pair = PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value)
            let kept = (url.query ?? "").utf8.split(separator: UInt8(ascii: "&")).filter { part in
                let key = part.prefix { $0 != UInt8(ascii: "=") }
                return PercentEncoding.decode(key) != Array(name.utf8)
            }
            let query = kept.map { String(decoding: $0, as: UTF8.self) } + [pair]
            adapted.url = url.withTarget(url.path + "?" + query.joined(separator: "&")).description
        case .cookie(let name):
            let kept = request.headers.values("Cookie").flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
                .map { $0.drop { $0 == 32 } }
                .filter { !$0.isEmpty && !$0.prefix { $0 != UInt8(ascii: "=") }.elementsEqual(name.utf8) }
                .map { String(decoding: $0, as: UTF8.self) }
            adapted.headers.set(name: "Cookie", value: (kept + [name + "=" + value]).joined(separator: "; "))
        }
        return adapted
    }
}

extension RequestAdapter where Self == APIKeyAuthentication {
    /// Returns an adapter that sends an API key with each request.
    /// - Parameters:
    ///   - location: The part of the request that carries the key.
    ///   - value: The API key.
    ///   - scope: The servers that the key is sent to.
    public static func apiKey(
        _ location: APIKeyAuthentication.Location, value: String, scope: CredentialScope = .everywhere
    ) -> APIKeyAuthentication {
        APIKeyAuthentication(location, value: value, scope: scope)
    }
}

/// A string that does not appear in the descriptions, dumps or reflections of a value.
struct Secret: Sendable, Hashable {
    let value: String

    init(_ value: String) {
        self.value = value
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "(hidden)" }
    var debugDescription: String { "(hidden)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
