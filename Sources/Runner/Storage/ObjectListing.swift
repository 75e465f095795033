import Basics
import XML

/// A page of a listing of objects (`ListObjectsV2`).
struct ObjectListing {
    /// The keys of the objects.
    private(set) var keys: [String] = []
    /// The token of the next page; nil for the last page.
    private(set) var nextToken: String?

    /// Parses the response, whose keys are percent-encoded because XML cannot represent all characters.
    ///
    /// - Throws: ``StorageError`` if the response is not a listing.
    init(_ bytes: [UInt8]) throws(StorageError) {
        let root = try Self.root(of: bytes)
        guard let root, root.name.localName == "ListBucketResult" else {
            throw StorageError(message: "the response is not a listing of objects")
        }
        let isEncoded = Self.text("EncodingType", in: root) == "url"
        for contents in root.elements where contents.name.localName == "Contents" {
            guard let key = Self.text("Key", in: contents) else { continue }
            keys.append(isEncoded ? PercentEncoding.decode(key, plusIsSpace: true) : key)
        }
        guard Self.text("IsTruncated", in: root) == "true" else { return }
        guard let token = Self.text("NextContinuationToken", in: root), !token.isEmpty else {
            throw StorageError(message: "the listing of objects is truncated, but has no token for the next page")
        }
        nextToken = token
    }

    /// Returns the code and the message of an error response, such as `NoSuchBucket: The bucket does not exist`; nil if
    /// there is none.
    static func problem(_ bytes: [UInt8]) -> String? {
        guard let root = try? root(of: bytes), root.name.localName == "Error", let code = text("Code", in: root) else {
            return nil
        }
        let message = text("Message", in: root) ?? ""
        return message.isEmpty ? code : "\(code): \(message)"
    }

    private static func root(of bytes: [UInt8]) throws(StorageError) -> XMLElement? {
        do throws(XMLError) {
            return try XMLDocument.parse(bytes).root
        } catch {
            throw StorageError(message: "the response is not a listing of objects: \(error)")
        }
    }

    private static func text(_ name: String, in element: XMLElement) -> String? {
        element.elements.first { $0.name.localName == name }?.text
    }
}
