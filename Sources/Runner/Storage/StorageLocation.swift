public import Basics
public import Diagnostics
import HTTPSession
import RunModel

/// An error of storage outside of the file system.
public struct StorageError: Error, Sendable, Hashable {
    /// The kind of the error if an option or a variable is invalid; nil if a transfer failed.
    public var id: ProblemID?
    /// A one-sentence description without a final period.
    public var message: MessageText

    /// Creates an error.
    public init(_ id: ProblemID? = nil, message: MessageText) {
        self.id = id
        self.message = message
    }
}

/// The location of a record outside of the file system: an object in Amazon S3 or a compatible store, or a URL.
public struct StorageLocation: Sendable, Hashable {
    enum Target: Sendable, Hashable {
        case object(bucket: String, key: String)
        case url(HTTPURL)
    }

    private static let objectScheme = "s3://"
    private static let schemes = [objectScheme, "https://", "http://"]

    let target: Target

    private init(_ target: Target) {
        self.target = target
    }

    /// Returns whether a path names a location outside of the file system.
    public static func isLocation(_ path: String) -> Bool {
        schemes.contains { path.prefix($0.count).lowercased() == $0 }
    }

    /// Parses `s3://BUCKET/KEY` or a URL.
    ///
    /// - Throws: ``StorageError`` if the location is malformed.
    public init(_ text: String) throws(StorageError) {
        guard text.prefix(Self.objectScheme.count).lowercased() == Self.objectScheme else {
            do throws(HTTPURLError) {
                target = .url(try HTTPURL(text))
            } catch {
                // The URL may contain credentials.
                throw StorageError(.invalidOption, message: "the URL is invalid: \(error.wording)")
            }
            return
        }
        let rest = text.dropFirst(Self.objectScheme.count)
        let bucket = String(rest.prefix { $0 != "/" })
        let key = String(rest.dropFirst(bucket.count + 1))
        guard Self.isBucket(bucket) else {
            throw StorageError(.invalidOption, message: "\"\(text)\" has no valid bucket: expected s3://BUCKET/KEY")
        }
        // Clients and proxies resolve such segments, so that the object could not be read.
        guard !key.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else {
            throw StorageError(.invalidOption, message: "\"\(text)\": \".\" and \"..\" are not allowed in a key")
        }
        target = .object(bucket: bucket, key: key)
    }

    private static func isBucket(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last else { return false }
        return text.utf8.count <= 255 && ASCII.isAlphanumeric(first) && ASCII.isAlphanumeric(last)
            && text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "-._".utf8.contains($0) }
    }

    /// Whether the location is in Amazon S3 or a compatible store.
    public var isObject: Bool {
        if case .object = target { true } else { false }
    }

    /// Whether the location is a directory or a prefix of keys, to which a name can be appended.
    public var isDirectory: Bool {
        switch target {
        case .object(_, let key): key.isEmpty || key.hasSuffix("/")
        case .url(let url): url.path.hasSuffix("/")
        }
    }

    /// Returns the location of a name in this directory.
    public func appending(_ name: String) throws(StorageError) -> StorageLocation {
        switch target {
        case .object(let bucket, let key): return StorageLocation(.object(bucket: bucket, key: key + name))
        case .url(let url):
            let text = url.description
            let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
            return try StorageLocation(text[..<end] + PercentEncoding.encode(name) + text[end...])
        }
    }

    /// Returns whether another location is in this directory.
    public func contains(_ other: StorageLocation) -> Bool {
        guard case .object(let bucket, let key) = target, case .object(bucket, let otherKey) = other.target else {
            return false
        }
        return isDirectory && otherKey.hasPrefix(key)
    }

    /// The credentials in the URL, which all output must mask: the password, and the query, which may have a signature.
    public var secrets: [String] {
        guard case .url(let url) = target else { return [] }
        return [URLPassword.decoded(in: url.description), url.query].compactMap(\.self)
    }
}

extension StorageLocation: CustomStringConvertible {
    /// The location without credentials.
    public var description: String {
        switch target {
        case .object(let bucket, let key): "\(Self.objectScheme)\(bucket)/\(key)"
        case .url(let url): "\(url.scheme)://\(url.authority)\(url.path)"
        }
    }
}
