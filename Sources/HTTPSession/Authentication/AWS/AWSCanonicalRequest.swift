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
            let name = String(decoding: field.name.utf8.map(ByteClass.lowercased), as: UTF8.self)
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
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        if !encodesPathTwice { bytes = PercentEncoding.decode(String(decoding: bytes, as: UTF8.self)) }
        FormText.append(bytes, to: &result, keeping: UInt8(ascii: "/"))
        return String(decoding: result, as: UTF8.self)
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
            pairs.append((encoded(name), encoded(value)))
        }
        pairs.sort { first, second in
            first.name == second.name
                ? first.value.lexicographicallyPrecedes(second.value)
                : first.name.lexicographicallyPrecedes(second.name)
        }
        return pairs.map { String(decoding: $0.name + [UInt8(ascii: "=")] + $0.value, as: UTF8.self) }
            .joined(separator: "&")
    }

    private static func encoded(_ text: Substring.UTF8View) -> [UInt8] {
        var result: [UInt8] = []
        FormText.append(PercentEncoding.decode(String(decoding: text, as: UTF8.self)), to: &result)
        return result
    }
}
