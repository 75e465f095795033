/// What must be known of a file that is partly there to go on with it: of what it is, and how the server names its version.
struct PartialFileRecord: Sendable, Hashable {
    /// The URL it comes from.
    var url: String
    /// A strong entity tag, or a date: the value of `If-Range` (RFC 9110 section 13.1.5).
    var validator: String

    private static let title = "HTTPSession partial download 1"

    init(url: String, validator: String) {
        self.url = url
        self.validator = validator
    }

    /// The record of a response; nil if the response has nothing to recognize its version by, or refuses ranges.
    init?(url: String, headers: HTTPHeaders) {
        guard !headers.tokens("Accept-Ranges").contains("none") else { return nil }
        guard let validator = Self.validator(in: headers) else { return nil }
        self.init(url: url, validator: validator)
    }

    /// The strong validator of a response.
    static func validator(in headers: HTTPHeaders) -> String? {
        if let tag = headers["ETag"], isStrong(tag) { return tag }
        // RFC 9110 section 8.8.2.2: a date is strong if the response is at least a second younger.
        guard let modified = headers["Last-Modified"], let date = headers["Date"],
            let modifiedAt = CookieDate.parse(modified), let sentAt = CookieDate.parse(date), sentAt > modifiedAt
        else { return nil }
        return modified
    }

    /// Whether an entity tag is a strong one; servers that leave out its quotation marks compare it as it is.
    private static func isStrong(_ tag: String) -> Bool {
        if tag.utf8.count >= 2, tag.utf8.first == UInt8(ascii: "\""), tag.utf8.last == UInt8(ascii: "\"") {
            return true
        }
        return !tag.isEmpty && !tag.hasPrefix("W/")
            && tag.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "\"") }
    }

    /// Reads a record from a file's contents; nil for anything else.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[0] == Self.title, lines[3].isEmpty, !lines[2].isEmpty else { return nil }
        self.init(url: String(lines[1]), validator: String(lines[2]))
    }

    /// The contents of the record's file.
    var bytes: [UInt8] { Array((Self.title + "\n" + url + "\n" + validator + "\n").utf8) }
}
